"""``ade serve``: starting the machine runtime on purpose, in the foreground or detached, and stopping it."""

from __future__ import annotations

import contextlib
import os
import sys

import orjson

from ade_generated import errors
from ade_runtime.cli.local_options import COMMON, read_options
from ade_runtime.client.address import ade_home
from ade_runtime.client.local import show_error, show_unavailable, usage
from ade_runtime.client.outside import require_outside
from ade_runtime.client.starts import clear
from ade_runtime.client.stdio import run_stdio
from ade_runtime.contracts import JsonObject
from ade_runtime.machine.paths import Paths
from ade_runtime.mock.home import mark
from ade_runtime.server.lifecycle import idle_exit

SERVE_USAGE = """Usage: ade serve [--foreground] [--mock] [--idle-exit TIME]
       ade serve --stdio

Start the machine runtime of this ADE_HOME; any other ade command starts it by itself when it is needed.

  --foreground      Serve in this process, log to standard error, end with Ctrl-C.
  --idle-exit TIME  End after this time with nothing to do and nobody connected (30m, 8h); default never.
  --mock            Answer from the examples of the specs and do nothing, for people who build clients. It needs an
                    ADE_HOME of its own, which is one for made-up answers from then on, whoever starts its runtime.
                    ADE_MOCK=example:TITLE or ADE_MOCK=error:CODE before a command chooses its answer; over the socket
                    the parameter mock of ade/actions/call does.
  --stdio           Be one connection to the runtime on standard input and output, starting it where none runs:
                    JSON-RPC for `ssh MACHINE ade serve --stdio`, which `ade --host MACHINE …` uses.

The environment variable ADE_DEFAULT_ROLE sets the highest role the runtime grants (default cto), ADE_IDLE_EXIT is another
way to say --idle-exit. Exit codes: 0 done, 5 a runtime already serves this ADE_HOME, 7 it could not be started.
"""
STOP_USAGE = """Usage: ade runtime stop

End the runtime once its calls in flight are done. The next command that needs one starts a new one.
"""
RESTART_USAGE = """Usage: ade runtime restart

End the runtime once its calls in flight are done and start one of this version, with the same highest role.
"""


def run_serve(args: list[str]) -> int:
    """Perform ``ade serve`` and give its exit code."""
    given = read_options(args, "serve", flags=("--foreground", "--mock", "--stdio"), values=("--idle-exit",))
    if given.help:
        sys.stdout.write(SERVE_USAGE)
        return 0
    if given.words:
        raise usage(f"unexpected argument {given.words[0]!r}", "serve")
    if "--stdio" in given.flags:
        if given.values or given.flags & {"--foreground", "--mock"}:
            raise usage("--stdio goes with no other option", "serve")
        return run_stdio()
    require_outside("ade serve")
    if "--idle-exit" in given.values:
        os.environ["ADE_IDLE_EXIT"] = given.values["--idle-exit"]
    idle_exit(os.environ)  # refused here, where it was typed
    if "--mock" in given.flags:
        mark(Paths.from_environment(os.environ), os.environ)
    clear(ade_home(dict(os.environ)))
    return _foreground() if "--foreground" in given.flags else _detached(_ceiling())


def run_stop(args: list[str]) -> int:
    """Perform ``ade runtime stop`` and give its exit code."""
    if _helped(args, STOP_USAGE, "runtime stop"):
        return 0
    paths = Paths.from_environment(os.environ)
    stopped, failed = _stop(paths)
    if failed is None:
        _print({"stopped": stopped}, "The runtime has stopped." if stopped else "No runtime is running.")
    return failed or 0


def run_restart(args: list[str]) -> int:
    """Perform ``ade runtime restart`` and give its exit code. It never grants more than the runtime it replaces."""
    if _helped(args, RESTART_USAGE, "runtime restart"):
        return 0
    require_outside("ade runtime restart")
    paths = Paths.from_environment(os.environ)
    info = ask(paths, "runtime/info")
    ceiling = str(info.get("result", {}).get("default_role") or _ceiling()) if info else _ceiling()
    _, failed = _stop(paths)
    clear(str(paths.home))
    return _detached(ceiling) if failed is None else failed


def _helped(args: list[str], text: str, command: str) -> bool:
    """Print the usage where it is asked for; raise on words the command does not know."""
    if "-h" in args or "--help" in args:
        sys.stdout.write(text)
        return True
    unknown = [word for word in args if word not in COMMON]
    if unknown:
        raise usage(f"unexpected argument {unknown[0]!r}", command)
    return False


def _foreground() -> int:
    from ade_runtime.server.lifecycle import serve
    from ade_runtime.server.ownership import Ownership
    from ade_runtime.services import Settings

    settings = Settings(ceiling=_ceiling(), listening=True, idle_exit=idle_exit(os.environ))
    paths = Paths.from_environment(os.environ)
    ownership = Ownership.acquire(paths)
    for name in ("ADE_DEFAULT_ROLE", "ADE_SESSION_TOKEN"):
        os.environ.pop(name, None)
    return serve(
        paths,
        settings,
        ownership,
        ready=lambda: _print_started(os.getpid(), str(paths.socket)),
        log_file=False,
    )


def _detached(ceiling: str) -> int:
    from ade_runtime.client.autostart import spawn
    from ade_runtime.server.ownership import already_running, answers, check_place, holder

    paths = Paths.from_environment(os.environ)
    paths.make_folders()
    check_place(paths.socket)
    described = holder(paths)
    if described is not None:
        raise already_running(paths, described)
    if answers(paths.socket):  # a service manager listens there, and starts its own
        info = (ask(paths, "runtime/info") or {}).get("result", {})
        if info.get("home") != str(paths.home):
            raise already_running(paths, {"pid": info.get("pid"), "socket": str(paths.socket)})
        _print_started(int(info.get("pid", 0)), str(paths.socket))
        return 0
    environ = dict(os.environ)
    report = spawn(ade_home(environ), environ, ceiling=ceiling)
    if not report:
        return show_unavailable("it ended while starting or was not ready in time", environ)
    error = report.get("error")
    if isinstance(error, dict):
        return show_error(error)
    if report.get("pid") == 0:
        raise already_running(paths)
    _print_started(int(str(report["pid"])), str(paths.socket))
    return 0


def ask(paths: Paths, method: str) -> JsonObject | None:
    """The whole answer of a running runtime to one request without parameters; ``None`` when none listens."""
    from ade_runtime.client.wire import Lines, connect, encode

    try:
        connection = connect(str(paths.socket))
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except PermissionError as problem:
        from ade_runtime.client.sandboxed import refusal

        without = "it carries single commands"
        raise refusal(problem, str(paths.socket), dict(os.environ), without) from None
    with contextlib.closing(connection):
        connection.sendall((encode({"jsonrpc": "2.0", "id": 1, "method": method}) + "\n").encode())
        answer: JsonObject = orjson.loads(Lines(connection).next() or b"{}")
    return answer


def end_runtime(paths: Paths) -> bool:
    """End a runtime that runs, once its calls in flight are done; whether there was one. Raises where it refuses."""
    stopped, failed = _stop(paths)
    if failed is not None:
        raise errors.RuntimeUnavailable(reason="the running one does not end", log=str(paths.log))
    return stopped


def _stop(paths: Paths) -> tuple[bool, int | None]:
    """Ask the runtime to end and wait until it has: whether there was one, and the exit code of its refusal."""
    from ade_runtime.server.ownership import holder

    # without a holder nobody is asked: where a service manager listens, asking would start a runtime
    answer = None if holder(paths) is None else ask(paths, "shutdown")
    if answer is None:
        return False, None
    if "error" in answer:
        return True, show_error(answer["error"].get("data") or answer["error"])
    _wait_for_lock(paths.owner_lock)
    return True, None


def _wait_for_lock(path: os.PathLike[str]) -> None:
    """Return once the old process has given up its lock, so that a runtime started next finds it free."""
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    finally:
        os.close(descriptor)


def _ceiling() -> str:
    from ade_generated.roles import ROLES

    role = os.environ.get("ADE_DEFAULT_ROLE") or "cto"
    if role not in ROLES:
        raise usage(f"ADE_DEFAULT_ROLE names no role: {role!r}; roles: {', '.join(ROLES)}", "serve")
    return role


def _print_started(pid: int, socket: str) -> None:
    _print({"pid": pid, "socket": socket}, f"The runtime serves at {socket} (pid {pid}).")


def _print(document: JsonObject, text: str) -> None:
    as_text = "--text" in sys.argv or ("--json" not in sys.argv and sys.stdout.isatty())
    sys.stdout.write((text if as_text else orjson.dumps(document).decode()) + "\n")
    sys.stdout.flush()
