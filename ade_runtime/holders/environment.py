"""The environment of a command in a lane: what its caller has, without anything that says or proves who the caller is."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.client.address import wanted_socket
from ade_runtime.client.environment import CALLER_NAMES, runtime_environment

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.machine.paths import Paths
    from ade_runtime.pipeline.call import Call

_PASSING = frozenset(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "GPG_TTY", "TERM"])
"""What belongs to the one command that was typed, or to the terminal it was typed in."""

_OWN = ("ADE_",)
TERM = "xterm-256color"


def command_environment(
    call: Call, paths: Paths, lane: LaneRecord, given: Mapping[str, str] | None, *, terminal: bool
) -> dict[str, str]:
    """Variables of a new command. No session token and no role goes along: who asks from inside is told by the processes above.

    ``given`` are added last; raises ``invalid_arguments`` for names that are none, or that are ADE's own.
    """
    base = call.caller.env or runtime_environment(dict(os.environ))
    kept = {
        name: value
        for name, value in base.items()
        if (name in CALLER_NAMES or name.startswith(("LC_", "XDG_"))) and name not in _PASSING
    }
    user = pwd.getpwuid(os.getuid())
    kept.setdefault("HOME", user.pw_dir)
    kept.setdefault("USER", user.pw_name)
    kept.setdefault("PATH", os.defpath)
    kept["PWD"] = str(lane.path)
    if terminal:
        kept["TERM"] = TERM
    return kept | describing(paths, lane) | checked(call, given or {})


def describing(paths: Paths, lane: LaneRecord) -> dict[str, str]:
    """Where the command is, for ``ade`` inside it. None of it proves anything."""
    found = {
        "ADE_HOME": str(paths.home),
        "ADE_LANE_ID": lane.id,
        "ADE_PROJECT_ROOT": str(lane.project.root),
    }
    if str(paths.socket_wanted) != wanted_socket({"ADE_HOME": str(paths.home)}):
        found["ADE_RPC_SOCKET_PATH"] = str(paths.socket_wanted)
    return found


def checked(call: Call, given: Mapping[str, str]) -> dict[str, str]:
    for name, value in given.items():
        if not name or "=" in name or "\0" in name:
            raise errors.InvalidArguments(problem=f"{name!r} is no name of a variable", action=call.action.id)
        if "\0" in value:
            raise errors.InvalidArguments(problem=f"the value of {name} holds a NUL", action=call.action.id)
        if name.startswith(_OWN):
            problem = f"{name} is set by ADE itself"
            raise errors.InvalidArguments(problem=problem, action=call.action.id)
    return dict(given)


def login_shell(call: Call) -> str:
    """The caller's shell, else the one the user logs in with."""
    return call.caller.env.get("SHELL") or pwd.getpwuid(os.getuid()).pw_shell or "/bin/sh"


def folder_in(lanes: LaneService, lane: LaneRecord, folder: str | None) -> Path:
    """The folder of the lane to work in; raises ``folder_not_in_lane``, and ``lane_missing`` or ``project_missing``."""
    lanes.repository(lane)
    if folder is None:
        return lane.path
    root = Path(os.path.realpath(lane.path))
    found = Path(os.path.realpath(root / folder))
    if not found.is_relative_to(root) or not found.is_dir():
        raise errors.FolderNotInLane(folder=folder, lane=lane.name)
    return found
