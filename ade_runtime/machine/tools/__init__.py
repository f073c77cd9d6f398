"""Agent programs of others on this machine: where they are and which version."""
