"""Agent skills: where they lie, which of them an agent gets, and what is in them."""
