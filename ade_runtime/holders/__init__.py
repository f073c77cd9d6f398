"""The runtime's side of holder processes: starting them, finding them again, asking them, letting go of what is old."""
