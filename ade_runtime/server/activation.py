"""The runtime as a service manager starts it: systemd with its listening socket, launchd without."""

from __future__ import annotations

import gc
import os
import socket
import sys
import time
from collections.abc import MutableMapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.ownership import Ownership

FIRST_FD = 3
CEILING = "cto"
"""Highest role the service grants: it is the owner's own runtime, started outside every session."""

_KEPT = ("ADE_HOME", "ADE_RPC_SOCKET_PATH", "ADE_LOG", "ADE_IDLE_EXIT")
_PAUSE = 0.02


def main() -> None:
    """Serve until told to stop. What goes wrong before the log is open goes to standard error, which the manager keeps."""
    gc.disable()  # as in a runtime that a command starts
    from ade_runtime.contracts import AdeError

    os.umask(0o077)
    os.chdir("/")
    for name in [name for name in os.environ if name.startswith("ADE_") and name not in _KEPT]:
        del os.environ[name]
    try:
        sys.exit(_serve())
    except AdeError as problem:
        sys.stderr.write(f"{problem.message} {problem.hint}\n")
        sys.exit(int(problem.exit))


def take_listener(environ: MutableMapping[str, str]) -> socket.socket | None:
    """The listening socket that was handed to this process (``LISTEN_PID``, ``LISTEN_FDS``), ``None`` where there is none.

    The variables are removed, so that no child takes the socket for its own.
    """
    pid, count = environ.pop("LISTEN_PID", ""), environ.pop("LISTEN_FDS", "")
    environ.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or count != "1":
        return None
    os.set_inheritable(FIRST_FD, False)
    return socket.socket(fileno=FIRST_FD)


def _serve() -> int:
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.detached import take_over
    from ade_runtime.server.lifecycle import idle_exit, serve
    from ade_runtime.services import Settings

    paths = Paths.from_environment(os.environ)
    listener = take_listener(os.environ)
    ownership = take_over(paths) if listener is None else _own(paths)
    if ownership is None:
        return 0  # a runtime that a command started is there already, and stays
    return serve(
        paths,
        Settings(ceiling=CEILING, listening=True, idle_exit=idle_exit(os.environ)),
        ownership,
        ready=lambda: None,
        log_file=True,
        inherited=listener,
    )


def _own(paths: Paths) -> Ownership:
    """The ownership, once a runtime that the manager's socket has displaced gave it up."""
    from ade_generated import errors
    from ade_runtime.server.detached import TAKE_OVER_SECONDS, still_ending
    from ade_runtime.server.ownership import Ownership

    deadline = time.monotonic() + TAKE_OVER_SECONDS
    while True:
        try:
            return Ownership.acquire(paths)
        except errors.RuntimeAlreadyRunning:
            if time.monotonic() > deadline:
                raise still_ending(paths) from None
        time.sleep(_PAUSE)
