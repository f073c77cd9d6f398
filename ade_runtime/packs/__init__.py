"""Actions that projects and Python packages bring. Nothing of a pack runs, or is an action, before its owner trusted it."""
