"""Actions as the tools of a model: what a session is shown, and what it gets back when it calls one.

Every way that hands tools to a model (in process, Codex's dynamic tools, MCP) goes through :class:`~.toolbox.Toolbox`, and
a call through it enters the same pipeline as one over the socket.
"""
