"""The machine runtime's socket: ownership, framing, connections, methods, life cycle."""
