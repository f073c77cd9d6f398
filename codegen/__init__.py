"""Turns specs/ into ade_generated/: load, check, plan, emit. A development tool, never installed."""
