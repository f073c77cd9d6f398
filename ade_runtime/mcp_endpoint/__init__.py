"""ADE's tools over the Model Context Protocol: over HTTP to who holds a lease, and on the machine socket for ``ade mcp``."""
