"""The first steps of a runtime started on demand: cut every tie to the starter, then serve and say so."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_generated import errors
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.ownership import Ownership

READY_FD = 3
TAKE_OVER_SECONDS = 45.0
"""How long to wait for a runtime that is ending to give up its lock; less than its starter waits for this one."""

ENOUGH_FILES = 2**20
_PAUSE = 0.02


def main() -> None:
    """Serve until told to stop; called with ``--ceiling ROLE``.

    Descriptor 3 is the starter's pipe: one line of JSON goes there, ``{pid}`` or ``{error}``.
    """
    gc.disable()  # loading makes much and drops nothing; the runtime turns it on once all is loaded
    _detach()
    from ade_runtime.client import starts
    from ade_runtime.client.address import ade_home
    from ade_runtime.contracts import AdeError

    home = ade_home(os.environ)
    try:
        sys.exit(_serve())
    except AdeError as problem:
        starts.clear(home)  # a refusal is no crash
        _report({"error": problem.envelope()})
        sys.exit(int(problem.exit))


def _detach() -> None:
    with contextlib.suppress(OSError):
        os.setsid()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    os.closerange(READY_FD + 1, limit if limit > 0 else ENOUGH_FILES)
    os.set_inheritable(READY_FD, False)
    os.chdir("/")


def _serve() -> int:
    from ade_runtime.client import starts
    from ade_runtime.machine.paths import Paths
    from ade_runtime.server.lifecycle import idle_exit, serve
    from ade_runtime.services import Settings

    paths = Paths.from_environment(os.environ)
    ownership = take_over(paths)
    if ownership is None:
        starts.clear(str(paths.home))
        _report({"pid": 0})
        return 0
    return serve(
        paths,
        Settings(ceiling=sys.argv[2], listening=True, idle_exit=idle_exit(os.environ)),
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
                raise still_ending(paths) from None
        time.sleep(_PAUSE)


def still_ending(paths: Paths) -> errors.RuntimeUnavailable:
    """The runtime before this one takes longer to finish its calls than this one may wait."""
    from ade_generated import errors
    from ade_runtime.server.ownership import holder

    pid = (holder(paths) or {}).get("pid", "unknown")
    reason = f"the one before it (pid {pid}) still finishes its calls"
    hint = "Call again later; it is replaced as soon as they are done."
    return errors.RuntimeUnavailable(reason=reason, log=str(paths.log), hint=hint)


def _report(document: dict[str, object]) -> None:
    import orjson

    with contextlib.suppress(OSError):
        os.write(READY_FD, orjson.dumps(document) + b"\n")
        os.close(READY_FD)
