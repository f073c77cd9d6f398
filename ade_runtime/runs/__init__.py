"""Runs: a lead plans work with the user, and others do it."""
