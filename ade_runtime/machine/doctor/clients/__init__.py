"""``ade doctor --clients``: each installed agent program is run once, against a model and an MCP server of this process."""
