"""The CTO of a project: who it is, and how its project stands."""
