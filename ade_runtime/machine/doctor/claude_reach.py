"""Claude Code: ``sandbox`` in its ``settings.json`` files, the later of which win.

Seen with its sandbox runtime 0.0.83 on Linux: ``allowUnixSockets`` changes nothing, ``allowAllUnixSockets`` opens the socket,
and the working folder may be written.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ade_runtime.machine.doctor.client_reach import Reach, read_json, table
from ade_runtime.machine.doctor.rows import Place

MANAGED = (
    Path("/Library/Application Support/ClaudeCode/managed-settings.json")
    if sys.platform == "darwin"
    else Path("/etc/claude-code/managed-settings.json")
)
ALL_SOCKETS = "sandbox.network.allowAllUnixSockets = true"
ARMING = (
    "Where nested user namespaces are restricted, Linux does not even start a sandboxed command without "
    "allowAllUnixSockets (claude-code#81799)."
)


def reach(place: Place, *, linux: bool = sys.platform.startswith("linux")) -> Reach:
    """What Claude Code's commands reach when it is started in the working folder."""
    home = Path(place.environ.get("CLAUDE_CONFIG_DIR") or place.home / ".claude")
    paths = [home / "settings.json"]
    if place.cwd is not None:
        paths += [
            place.cwd / ".claude" / "settings.json",
            place.cwd / ".claude" / "settings.local.json",
        ]
    layers = [(path, table(read_json(path), "sandbox")) for path in [*paths, MANAGED]]
    enabled, where = _last(layers, "enabled")
    if enabled is not True:
        why = f"sandbox.enabled in {where}" if where is not None else "sandbox.enabled is not set"
        return Reach(sandbox="none", why=why, socket=True, network=True, spool=True)
    networks = [(path, table(values, "network")) for path, values in layers]
    every = _last(networks, "allowAllUnixSockets")[0] is True
    listed = [str(one) for _, values in networks for one in _list(values.get("allowUnixSockets"))]
    named = any(_covers(one, place) for one in listed)
    socket = every or (named and not linux)
    return Reach(
        sandbox="on",
        why=f"sandbox.enabled in {where}",
        socket=socket,
        network=None,
        spool=True,
        opens="" if socket else _opens(place, linux),
        note=_note(linux, every, named),
    )


def _opens(place: Place, linux: bool) -> str:
    return ALL_SOCKETS if linux else f'sandbox.network.allowUnixSockets = ["{place.paths.socket}"]'


def _note(linux: bool, every: bool, named: bool) -> str:
    if not linux or every:
        return ""
    return f"allowUnixSockets counts on macOS only. {ARMING}" if named else ARMING


def _covers(listed: str, place: Place) -> bool:
    path = Path(listed.replace("~", str(place.home), 1) if listed.startswith("~") else listed)
    return place.paths.socket == path or place.paths.socket.is_relative_to(path)


def _last(layers: list[tuple[Path, Mapping[str, Any]]], name: str) -> tuple[Any, Path | None]:
    for path, values in reversed(layers):
        if name in values:
            return values[name], path
    return None, None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
