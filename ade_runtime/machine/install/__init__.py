"""Putting the ``ade`` command, its completions and its PATH entry into a user's home, and taking them out again."""
