"""Starting the machine runtime from a command, once however many commands want it, and knowing when it is ready.

The child is a process of its own: new session, none of the caller's descriptors, standard output and error in its log. It
reports readiness or its failure through a pipe, so nothing here waits by sleeping.
"""

import errno
import fcntl
import os
import select
import sys

from ade_runtime.client.address import ade_home
from ade_runtime.client.environment import runtime_environment
from ade_runtime.client.wire import connect, decode

READY_SECONDS = 60.0
_READY_FD = 3


def start(path: str, environ: "dict[str, str]") -> "int | None":
    """Make sure that a runtime listens at ``path``; ``None`` when one does, the exit code once a failure was shown.

    Commands that come at the same time wait for each other at a lock: the first starts the runtime, the others find it.
    """
    from ade_runtime.client.local import show_error, show_unavailable
    from ade_runtime.client.sandboxed import cannot_start

    refused = cannot_start(environ)
    if refused is not None:
        return refused
    home = ade_home(environ)
    try:
        os.makedirs(home + "/logs", mode=0o700, exist_ok=True)  # noqa: PTH103
        lock = os.open(home + "/start.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as problem:
        return show_unavailable(f"{home} cannot be used ({problem.strerror})", environ)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _listening(path):
            return None
        report = spawn(home, environ, ceiling=_ceiling_before(home))
    finally:
        os.close(lock)
    if report is None:
        return show_unavailable(f"it was not ready after {READY_SECONDS:g} s", environ)
    if not report:
        return show_unavailable("it ended while starting", environ)
    error = report.get("error")
    return show_error(error) if isinstance(error, dict) else None


def _ceiling_before(home: str) -> str:
    """The ceiling of the last runtime, which its owner may have chosen: only ``ade serve`` grants more than that again."""
    try:
        with open(home + "/ade.lock", encoding="utf-8") as file:  # noqa: PTH123
            told = decode(file.read(4096).encode()).get("ceiling")
    except (OSError, ValueError, AttributeError):
        return "cto"
    if told in (None, "cto"):
        return "cto"
    from ade_generated.roles import ROLES

    return str(told) if told in ROLES else "cto"


def _listening(path: str) -> bool:
    try:
        connect(path).close()
    except OSError as problem:
        return problem.errno not in (errno.ENOENT, errno.ECONNREFUSED)
    return True


def spawn(home: str, environ: "dict[str, str]", *, ceiling: str = "cto") -> "dict[str, object] | None":
    """Start a detached runtime that grants roles up to ``ceiling``.

    Gives its report: ``{pid}`` (0 when another one was there first) or ``{error}``; empty when it died, ``None`` when it is
    late.
    """
    reading, writing = os.pipe()
    ready = fcntl.fcntl(writing, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(writing)
    log = os.open(home + "/logs/runtime.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    argv = [sys.executable, "-I", "-m", "ade_runtime.server", "--ceiling", ceiling]
    actions: list[tuple[object, ...]] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, log, 1),
        (os.POSIX_SPAWN_DUP2, log, 2),
        (os.POSIX_SPAWN_DUP2, ready, _READY_FD),
    ]
    try:
        os.posix_spawn(sys.executable, argv, runtime_environment(environ), file_actions=actions)
    finally:
        os.close(ready)
        os.close(log)
    try:
        return _report(reading)
    finally:
        os.close(reading)


def _report(reading: int) -> "dict[str, object] | None":
    text = b""
    while not text.endswith(b"\n"):
        if not select.select([reading], [], [], READY_SECONDS)[0]:
            return None
        data = os.read(reading, 65536)
        if not data:
            return {}
        text += data
    return decode(text)
