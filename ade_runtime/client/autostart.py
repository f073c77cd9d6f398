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
from ade_runtime.client.wire import Lines, connect, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READY_SECONDS = 60.0
_READY_FD = 3


def start(path: str, environ: "dict[str, str]") -> "int | None":
    """Make sure that a runtime listens at ``path``; ``None`` when one does, the exit code once a failure was shown.

    Commands that come at the same time wait for each other at a lock: the first starts the runtime, the others find it.
    """
    return _in_turn(environ, lambda home: None if _listening(path) else _start(home, environ))


def replace(path: str, environ: "dict[str, str]", request: "dict[str, object]") -> "int | bool":
    """Ask the runtime at ``path``, which runs older code, to make room, and start one of this build once it has.

    ``request`` holds what the server judges by: ``build``, ``protocol`` and ``session_token``. Gives whether it made room, or
    the exit code once a failure was shown. The lock is held from asking to starting, so that no command of older code
    starts its own in between. From inside a sandbox in which a new one would end with the command, the older one is left as
    it is.
    """
    from ade_runtime.machine.confinement import ends_with_its_command

    if ends_with_its_command():
        return False
    made: list[bool] = []

    def turn(home: str) -> "int | None":
        answer = _ask_to_go(path, request)
        if isinstance(answer, int):
            return answer
        made.append(answer is None or answer.get("replaced") is True)
        managed = answer is not None and answer.get("managed") is True
        return _start(home, environ) if made[0] and not managed else None

    failed = _in_turn(environ, turn)
    return failed if failed is not None else made[0]


def _in_turn(environ: "dict[str, str]", work: "Callable[[str], int | None]") -> "int | None":
    """Do ``work`` while no other command starts or replaces a runtime. Most that come here only find that one has been started
    meanwhile, so nothing is loaded for them."""
    home = ade_home(environ)
    if _foreign(home):
        return _show_home(environ)
    try:
        os.makedirs(home + "/logs", mode=0o700, exist_ok=True)  # noqa: PTH103
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        lock = os.open(home + "/start.lock", flags, 0o600)
    except OSError as problem:
        return _show_home(environ, problem)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return work(home)
    finally:
        os.close(lock)


def _show_home(environ: "dict[str, str]", problem: "OSError | None" = None) -> int:
    from ade_runtime.client.sandboxed import cannot_start
    from ade_runtime.client.trouble import show_home

    refused = cannot_start(environ)
    return show_home(environ, problem) if refused is None else refused


def _foreign(home: str) -> bool:
    """Whether the folder is somebody else's, or others may write there: then nothing is written there."""
    try:
        status = os.stat(home)  # noqa: PTH116
    except OSError:
        return False
    return status.st_uid != os.getuid() or bool(status.st_mode & 0o022)


def _start(home: str, environ: "dict[str, str]") -> "int | None":
    from ade_runtime.client.local import show_error, show_unavailable
    from ade_runtime.client.sandboxed import cannot_start
    from ade_runtime.client.starts import WINDOW_SECONDS, admit, clear
    from ade_runtime.client.trouble import show_crash_loop

    refused = cannot_start(environ)
    if refused is not None:
        return refused
    count = admit(home)
    if count is not None:
        return show_crash_loop(count, WINDOW_SECONDS, home)
    try:
        report = spawn(home, environ, ceiling=_ceiling_before(home))
    except OSError as problem:
        return _show_home(environ, problem)
    if report is None:
        return show_unavailable(f"it was not ready after {READY_SECONDS:g} s", environ)
    if not report:
        return show_unavailable("it ended while starting", environ)
    error = report.get("error")
    if not isinstance(error, dict):
        return None
    clear(home)
    return show_error(error)


def _ask_to_go(path: str, request: "dict[str, object]") -> "dict[str, object] | int | None":
    """The answer of ``runtime/replace``; ``None`` where the runtime is gone already, the exit code of a refusal."""
    from ade_runtime.client.local import show_error

    message = {"jsonrpc": "2.0", "id": 1, "method": "runtime/replace", "params": request}
    try:
        connection = connect(path)
    except OSError:
        return None
    try:
        connection.sendall((encode(message) + "\n").encode())
        answer = decode(Lines(connection).next() or b"{}")
    except OSError:
        return None
    finally:
        connection.close()
    error = answer.get("error")
    if isinstance(error, dict):
        data = error.get("data")
        return show_error(data if isinstance(data, dict) else {"code": "internal_error", **error})
    result = answer.get("result")
    return result if isinstance(result, dict) else None


def _ceiling_before(home: str) -> str:
    """The ceiling of the last runtime, which its owner may have chosen: only ``ade serve`` grants more than that again."""
    try:
        with open(home + "/ade.lock", encoding="utf-8") as file:  # noqa: PTH123
            told = decode(file.read(4096).encode()).get("ceiling")
    except (OSError, ValueError, AttributeError, StopIteration):
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
