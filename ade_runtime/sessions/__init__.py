"""Agents that ADE launched: their tokens, their processes, their log."""
