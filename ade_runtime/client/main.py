"""The ``ade`` command: hands a line to the machine runtime and prints what comes back.

Every command pays for what this module imports, so it uses the interpreter's built-in modules and loads the rest where it
is rarely needed. What a command does without
a runtime (``serve``, ``doctor``, ``--headless`` …) is in :mod:`ade_runtime.client.local`.
"""

import errno
import os
import sys

from ade_runtime.client.address import resolved_socket, wanted_socket
from ade_runtime.client.build import PROTOCOL, stamp
from ade_runtime.client.environment import caller_environment
from ade_runtime.client.wire import SHUT_WR, Lines, Socket, connect, decode, encode

LOCAL = (
    "serve",
    "doctor",
    "inbox",
    "install",
    "uninstall",
    "service",
    "storage",
    "guidance",
    "completion",
    "--version",
)
INTERRUPTED = 130
UNAVAILABLE = 7
START_TRIES = 5


class Gone(Exception):
    """The runtime ended before it began with the request, so asking again is safe."""


def main() -> None:
    """Entry point of the console script. Leaves without the interpreter's own clean-up: there is nothing to clean."""
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        code = 1
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = code or 1
    os._exit(code)


def run(argv: "list[str]") -> int:
    """Perform one command line and give its exit code."""
    words = argv[: argv.index("--")] if "--" in argv else argv
    if argv and argv[0] == "__complete":
        return _complete(argv[1:], _address(()))
    if any(word == "--host" or word.startswith("--host=") for word in words):
        from ade_runtime.client.host import run_on_host

        return run_on_host(argv, os.environ)
    if argv and (argv[0] in LOCAL or (argv[0] == "runtime" and argv[1:2] in (["stop"], ["restart"]))):
        from ade_runtime.client.local import run_word

        return run_word(argv)
    if _serves_mcp(argv):
        from ade_runtime.client.mcp import run_mcp

        return run_mcp(argv[1:], _address(words))
    if "--headless" in words:
        from ade_runtime.client.headless import run_headless

        return run_headless(argv)
    return _ask(argv, _address(words))


def _serves_mcp(argv: "list[str]") -> bool:
    """Whether the line is ``ade mcp``, which speaks the protocol on standard input and output, not a command of that group."""
    if argv[:1] != ["mcp"] or argv[1:2] in (["--help"], ["--json"], ["--text"]):
        return False
    return len(argv) == 1 or argv[1] == "serve" or argv[1].startswith("--")


def _address(words: "tuple[str, ...] | list[str]") -> "dict[str, str]":
    """The environment as this command means it: ``--socket`` on the line wins over the variable."""
    environ = dict(os.environ)
    for position, word in enumerate(words):
        if word.startswith("--socket="):
            environ["ADE_RPC_SOCKET_PATH"] = word[9:]
        elif word == "--socket" and position + 1 < len(words):
            environ["ADE_RPC_SOCKET_PATH"] = words[position + 1]
    return environ


def line_params(argv: "list[str]", environ: "dict[str, str]") -> "dict[str, object]":
    out, err = os.isatty(1), os.isatty(2)
    try:
        cwd = os.getcwd()  # noqa: PTH109
    except OSError:
        cwd = environ.get("PWD") or "/"
    width = 80
    if out:
        try:
            width = os.get_terminal_size(1).columns or width
        except OSError:
            width = 80
    return {
        "argv": argv,
        "cwd": cwd,
        "width": width,
        "terminal_out": out,
        "terminal_err": err,
        "env": caller_environment(environ),
        "build": stamp(),
        "protocol": PROTOCOL,
    }


def _ask(argv: "list[str]", environ: "dict[str, str]") -> int:
    params = line_params(argv, environ)
    read: dict[str, str] = {}
    for _ in range(START_TRIES):
        answer = _exchange("cli/run", params, environ)
        if isinstance(answer, int):
            return answer
        needed = answer.get("need")
        if not isinstance(needed, list):
            return _finish(answer, argv)
        from ade_runtime.client.local import read_texts

        texts = read_texts(needed)
        if isinstance(texts, int):
            return texts
        read.update(texts)
        params["texts"] = read
    return _unavailable("it kept asking for more", environ)


def _exchange(
    method: str, params: "dict[str, object]", environ: "dict[str, str]"
) -> "dict[str, object] | int":
    """The result of one request, starting a runtime where none answers; or the exit code once an error was shown."""
    path = resolved_socket(wanted_socket(environ))
    died = False
    for _ in range(START_TRIES):
        try:
            connection = reach(path, environ)
        except OSError as problem:
            return _refused(problem, path, method, params, environ)
        if isinstance(connection, int):
            return connection
        try:
            answer = _request(connection, method, params)
        except Gone:
            continue
        except OSError as problem:
            if died or not _may_repeat(method, params):
                return _broken(problem, environ)
            died = True
            continue
        finally:
            connection.close()
        if not answer.get("stale"):
            return answer
        failed = replace_older(path, params, environ)
        if failed is not None:
            return failed
    return _unavailable("it ended again and again", environ)


def reach(path: str, environ: "dict[str, str]") -> "Socket | int":
    """A connection to the runtime at ``path``, started where none listens; or the exit code once an error was shown.

    Raises ``OSError`` where connecting is not possible at all: then nothing is started or tried again.
    """
    for _ in range(START_TRIES):
        try:
            return _connect(path)
        except OSError as problem:
            if problem.errno not in (errno.ENOENT, errno.ECONNREFUSED):
                raise
        from ade_runtime.client.autostart import start

        failed = start(path, environ)
        if failed is not None:
            return failed
    return _unavailable("it ended again and again", environ)


def _connect(path: str) -> "Socket":
    """A connection; what a link leads to is nobody's runtime."""
    try:
        link = os.lstat(path).st_mode & 0o170000 == 0o120000
    except OSError:
        link = False
    if link:
        raise OSError(errno.ELOOP, "a symbolic link is where the socket belongs")
    return connect(path)


def replace_older(path: str, params: "dict[str, object]", environ: "dict[str, str]") -> "int | None":
    """Have a runtime of older code than ``params`` say make room; gives the exit code once a failure was shown.

    One that is busy goes on and serves this command, too.
    """
    from ade_runtime.client.autostart import replace

    request = {name: params[name] for name in ("build", "protocol")}
    request["session_token"] = environ.get("ADE_SESSION_TOKEN") or None
    done = replace(path, environ, request)
    if done is False:
        params.pop("build", None)
    return None if isinstance(done, bool) else done


def _may_repeat(method: str, params: "dict[str, object]") -> bool:
    from ade_runtime.client.trouble import may_repeat

    return method == "cli/complete" or may_repeat(params)


def _broken(problem: OSError, environ: "dict[str, str]") -> int:
    text = problem.strerror or str(problem)
    return _unavailable(f"the connection broke before there was an answer ({text})", environ)


def _request(connection: "Socket", method: str, params: "dict[str, object]") -> "dict[str, object]":
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    lines = Lines(connection)
    try:
        _send(connection, message)
        return _answer(lines)
    except KeyboardInterrupt:
        return _interrupted(connection, lines)


def _interrupted(connection: "Socket", lines: Lines) -> "dict[str, object]":
    """Cancel the call and give its answer; nothing is asked again after an interruption.

    The request may have gone out whole, in part or not at all: the newline ends a part, and closing the sending side makes
    the runtime hang up once nothing is left to answer.
    """
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1}}
    try:
        connection.sendall(("\n" + encode(cancel) + "\n").encode())
        connection.shutdown(SHUT_WR)
        answer = _answer(lines)
    except (OSError, Gone):
        raise KeyboardInterrupt from None
    answer["exit"] = INTERRUPTED
    return answer


def _send(connection: "Socket", message: "dict[str, object]") -> None:
    try:
        connection.sendall((encode(message) + "\n").encode())
    except OSError as problem:
        if problem.errno in (errno.EPIPE, errno.ECONNRESET):
            raise Gone from None
        raise


def _answer(lines: Lines) -> "dict[str, object]":
    """Read up to the answer, showing progress on the way."""
    shown = False
    while True:
        line = lines.next()
        if not line:
            raise OSError(errno.ECONNRESET, "the runtime ended before it answered")
        message = decode(line)
        if message.get("method") == "runtime/closing":
            raise Gone
        if message.get("method") == "$/progress":
            shown = show_progress(message["params"], shown)
            continue
        if shown:
            _write(2, "\r\x1b[K")
        result = message.get("result")
        if isinstance(result, dict):
            return result
        return _failure(message.get("error"))


def _failure(error: object) -> "dict[str, object]":
    """An error of the method itself, as an answer to print."""
    if not isinstance(error, dict):
        raise OSError(errno.EPROTO, "the answer is not understood")
    data = error.get("data")
    if isinstance(data, dict) and data.get("code") == "shutting_down":
        raise Gone
    from ade_runtime.client.local import show_error

    return {"exit": show_error(data if isinstance(data, dict) else {"code": "internal_error", **error})}


def show_progress(params: object, shown: bool) -> bool:
    if not isinstance(params, dict):
        return shown
    fraction = params.get("fraction")
    part = f"{fraction:4.0%} " if isinstance(fraction, int | float) else ""
    text = "".join(char if char.isprintable() else " " for char in str(params.get("message")))
    _write(2, f"\r\x1b[K{part}{text}"[:200])
    return True


def _finish(answer: "dict[str, object]", argv: "list[str]") -> int:
    code = answer.get("exit", 0)
    if "local" in answer or "jq" in answer:
        from ade_runtime.client.local import finish

        return finish(answer, argv)
    _write(1, str(answer.get("stdout", "")))
    _write(2, str(answer.get("stderr", "")))
    return code if isinstance(code, int) else 1


def _write(descriptor: int, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(descriptor, data) :]


def _complete(words: "list[str]", environ: "dict[str, str]") -> int:
    """``__complete SHELL WORDS…``: what a completion script asks. It never shows an error."""
    params = line_params(words[1:], environ)
    params["shell"] = words[0] if words else "bash"
    answer = _exchange("cli/complete", params, environ)
    if isinstance(answer, int):
        return answer
    _write(1, str(answer.get("lines", "")))
    return 0


def _refused(
    problem: OSError, path: str, method: str, params: "dict[str, object]", environ: "dict[str, str]"
) -> "dict[str, object] | int":
    if problem.errno in (errno.EPERM, errno.EACCES):
        from ade_runtime.client.sandboxed import ask

        return ask(problem, path, method, params, environ)
    from ade_runtime.client.trouble import unreachable

    return unreachable(problem, path, environ)


def _unavailable(reason: str, environ: "dict[str, str]") -> int:
    from ade_runtime.client.local import show_unavailable

    return show_unavailable(reason, environ)
