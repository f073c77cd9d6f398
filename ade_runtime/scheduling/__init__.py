"""Promises for later: when they are due, and keeping them exactly once."""
