"""Registered repositories: which there are, and which one a call means."""
