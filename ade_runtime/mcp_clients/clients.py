"""What each client wants: which file, where in it, and how it writes down a server. From the clients' own documentation."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

NAME = "ade"
TOKEN_NAME = "ADE_MCP_TOKEN"
"""Variable that a client takes a lease's token from: the token itself is written into no file."""

PASSED_ON = (
    "ADE_HOME",
    "ADE_RPC_SOCKET_PATH",
    "ADE_SESSION_TOKEN",
    "ADE_DEFAULT_ROLE",
    "ADE_LANE_ID",
    "ADE_PROJECT_ROOT",
    "ADE_CHAT_SESSION_ID",
)
"""What a client that passes on only what it is told to must pass on, for ``ade mcp`` to know whose tools it serves."""

Format = Literal["json", "toml"]


@dataclass(frozen=True, slots=True)
class Program:
    """How a client starts ``ade mcp``; ``env`` are settings that its own environment does not have."""

    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Address:
    """A lease's address; the token comes from :data:`TOKEN_NAME`."""

    url: str


Server = Program | Address


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One client. ``user`` gives its file for all of a user's work, from home and folder of settings, and ``project`` the one
    in a project; ``keys`` is where servers stand in it. ``options`` are what ``ade mcp`` is started with, ``query`` says the
    same in an address. ``entry`` writes down a server, or gives ``None`` for one that the client cannot have."""

    title: str
    format: Format = "json"
    user: Callable[[Path, Path], Path]
    project: tuple[str, ...]
    keys: tuple[str, ...] = ("mcpServers",)
    options: tuple[str, ...] = ()
    query: str = ""
    entry: Callable[[Server], dict[str, Any] | None]
    notes: tuple[str, ...] = ()


def _bearer(variable: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {variable}"}


def _env(server: Program) -> dict[str, Any]:
    return {"env": dict(server.env)} if server.env else {}


def _typed(variable: str) -> Callable[[Server], dict[str, Any]]:
    """An entry with ``type``, as most clients have it."""

    def entry(server: Server) -> dict[str, Any]:
        if isinstance(server, Address):
            return {"type": "http", "url": server.url, "headers": _bearer(variable)}
        return {"type": "stdio", "command": server.command, "args": list(server.args), **_env(server)}

    return entry


def _cursor(server: Server) -> dict[str, Any]:
    if isinstance(server, Address):
        return {"url": server.url, "headers": _bearer(f"${{env:{TOKEN_NAME}}}")}
    return {"command": server.command, "args": list(server.args), **_env(server)}


def _opencode(server: Server) -> dict[str, Any]:
    if isinstance(server, Address):
        headers = _bearer(f"{{env:{TOKEN_NAME}}}")
        return {"type": "remote", "url": server.url, "enabled": True, "oauth": False, "headers": headers}
    env = {"environment": dict(server.env)} if server.env else {}
    return {"type": "local", "command": [server.command, *server.args], "enabled": True, **env}


def _zed(server: Server) -> dict[str, Any] | None:
    """Zed takes no variables in headers, so that a lease's token would have to stand in its file."""
    if isinstance(server, Address):
        return None
    return {"command": server.command, "args": list(server.args), "env": dict(server.env)}


def _codex(server: Server) -> dict[str, Any]:
    """Codex ends a call after its limit whatever it hears; ADE has limits of its own, those of tests being the longest."""
    approval = {"default_tools_approval_mode": "approve", "startup_timeout_sec": 20, "tool_timeout_sec": 3600}
    if isinstance(server, Address):
        return {"url": server.url, "bearer_token_env_var": TOKEN_NAME, **approval}
    return {
        "command": server.command,
        "args": list(server.args),
        **_env(server),
        "env_vars": list(PASSED_ON),
        **approval,
    }


def _code_user(home: Path, config: Path) -> Path:
    base = home / "Library" / "Application Support" if sys.platform == "darwin" else config
    return base / "Code" / "User" / "mcp.json"


def _opencode_user(home: Path, config: Path) -> Path:
    folder = config / "opencode"
    return folder / "opencode.jsonc" if (folder / "opencode.jsonc").exists() else folder / "opencode.json"


CLIENTS: dict[str, Client] = {
    "claude": Client(
        title="Claude Code",
        user=lambda home, config: home / ".claude.json",
        project=(".mcp.json",),
        options=("--tools", "all"),
        query="?tools=all",
        entry=_typed(f"${{{TOKEN_NAME}}}"),
        notes=(
            "Claude Code asks before each tool until mcp__ade stands in permissions.allow of its settings.json.",
            "It asks once whether a project's .mcp.json may be used.",
        ),
    ),
    "codex": Client(
        title="Codex",
        format="toml",
        user=lambda home, config: home / ".codex" / "config.toml",
        project=(".codex", "config.toml"),
        keys=("mcp_servers",),
        options=("--shape", "both"),
        query="?shape=both",
        entry=_codex,
        notes=(
            "approve lets ADE decide what a tool may do; auto or prompt have Codex ask, and without approvals refuse, writes.",
            "Codex reads a project's .codex/config.toml only where it trusts the project.",
            "For ade in Codex's own sandboxed shells, allow the socket: network_access = true under [sandbox_workspace_write].",
        ),
    ),
    "cursor": Client(
        title="Cursor",
        user=lambda home, config: home / ".cursor" / "mcp.json",
        project=(".cursor", "mcp.json"),
        entry=_cursor,
        notes=("Its command line, without a terminal, needs --approve-mcps.",),
    ),
    "droid": Client(
        title="Droid",
        user=lambda home, config: home / ".factory" / "mcp.json",
        project=(".factory", "mcp.json"),
        entry=_typed(f"${{{TOKEN_NAME}}}"),
    ),
    "opencode": Client(
        title="OpenCode",
        user=_opencode_user,
        project=("opencode.json",),
        keys=("mcp",),
        entry=_opencode,
        notes=(
            'It asks before tools only where permission in its file says so; "ade_*": "ask" does for ADE\'s.',
        ),
    ),
    "vscode": Client(
        title="Visual Studio Code",
        user=_code_user,
        project=(".vscode", "mcp.json"),
        keys=("servers",),
        entry=_typed(f"${{env:{TOKEN_NAME}}}"),
        notes=("It asks once whether the server is trusted, and before each tool until that is allowed.",),
    ),
    "zed": Client(
        title="Zed",
        user=lambda home, config: config / "zed" / "settings.json",
        project=(".zed", "settings.json"),
        keys=("context_servers",),
        entry=_zed,
        notes=('It asks before each tool until "always_allow_tool_actions" is set for the agent.',),
    ),
}


def snippet(client: Client, entry: Mapping[str, Any]) -> str:
    """The entry as a file that holds nothing else has it."""
    if client.format == "toml":
        return toml_table((*client.keys, NAME), entry)
    value: Any = {NAME: entry}
    for key in reversed(client.keys):
        value = {key: value}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def toml_table(keys: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    """A table of texts, numbers, lists and one level of tables. JSON's texts are TOML's, DEL aside."""
    lines = [f"[{'.'.join(keys)}]"]
    for name, value in entry.items():
        if isinstance(value, Mapping):
            inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
            lines.append(f"{name} = {{ {inner} }}")
        else:
            lines.append(f"{name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
