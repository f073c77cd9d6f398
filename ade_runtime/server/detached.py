"""The first steps of a runtime started on demand: cut every tie to the starter, then serve and say so."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.ownership import Ownership

READY_FD = 3
TAKE_OVER_SECONDS = 20.0
"""How long to wait for a runtime that is ending to give up its lock."""

_PAUSE = 0.02


def main() -> None:
    """Serve until told to stop; called with ``--ceiling ROLE``.

    Descriptor 3 is the starter's pipe: one line of JSON goes there, ``{pid}`` or ``{error}``.
    """
    _detach()
    from ade_runtime.contracts import AdeError

    try:
        sys.exit(_serve())
    except AdeError as problem:
        _report({"error": problem.envelope()})
        sys.exit(int(problem.exit))


def _detach() -> None:
    with contextlib.suppress(OSError):
        os.setsid()
    os.closerange(READY_FD + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    os.set_inheritable(READY_FD, False)
    os.chdir("/")


def _serve() -> int:
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.lifecycle import serve
    from ade_runtime.services import Settings

    paths = Paths.from_environment(os.environ)
    ownership = take_over(paths)
    if ownership is None:
        _report({"pid": 0})
        return 0
    return serve(
        paths,
        Settings(ceiling=sys.argv[2], listening=True),
        ownership,
        ready=lambda: _report({"pid": os.getpid()}),
        log_file=True,
    )


def take_over(paths: Paths) -> Ownership | None:
    """The ownership, once a runtime that is ending has given it up; ``None`` when one is alive and listening after all."""
    from ade_generated import errors
    from ade_runtime.server.ownership import Ownership, answers

    deadline = time.monotonic() + TAKE_OVER_SECONDS
    while True:
        try:
            return Ownership.acquire(paths)
        except errors.RuntimeAlreadyRunning:
            if answers(paths.socket):
                return None
            if time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE)


def _report(document: dict[str, object]) -> None:
    import orjson

    with contextlib.suppress(OSError):
        os.write(READY_FD, orjson.dumps(document) + b"\n")
        os.close(READY_FD)
