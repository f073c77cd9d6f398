"""A server of the ``mcp`` package with one tool, over standard input and output: what a client waits for elsewhere."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer

server = MCPServer("peer")


@server.tool()
def echo(text: str) -> str:
    """Give the text back."""
    return text


if __name__ == "__main__":
    server.run("stdio")
