"""What agents note about a project: facts, a queue of discoveries, and the core of every prompt."""
