"""The client's side of the spool: a request put into the lane's ``.ade/spool`` where a sandbox forbids the socket.

Only built-in modules, like the rest of the thin client. The request is locked by this process for as long as it waits: the
runtime learns from the kernel whose it is, and stops working once the lock is gone.
"""

import errno
import os
import time

from ade_runtime.client.address import ade_home
from ade_runtime.client.environment import CALLER_TOKENS
from ade_runtime.client.wire import decode, encode
from ade_runtime.spool import folder as files
from ade_runtime.spool.layout import ANSWER_LIMIT, ANSWER_SECONDS, PICKUP_SECONDS, REQUEST_LIMIT, tag_of

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
_CHECK_SECONDS = 1.0
_LINE = b"/.ade/"
_TOKEN = "ADE_SESSION_TOKEN"


class NoSpoolError(Exception):
    """There is no way in through a spool from here; the text says why."""


class EndedError(Exception):
    """The runtime took the request and ended before it answered."""


def ask(method: str, params: "dict[str, object]", environ: "dict[str, str]") -> "dict[str, object]":
    """The answer of the runtime, as at the socket: an object with ``result`` or ``error``.

    Raises :class:`NoSpoolError` while nothing has been asked, and :class:`EndedError` once it may have been performed.
    """
    root = worktree(str(params.get("cwd")))
    if served(environ) is False:
        raise NoSpoolError(
            f"no runtime serves {ade_home(environ)}; start one outside of the sandbox with `ade serve`"
        )
    request = request_text(method, params)
    try:
        folder = files.open_folder(root, make=True)
    except OSError as problem:
        raise NoSpoolError(f"{root}/.ade/spool cannot be used ({problem.strerror or problem})") from None
    identifier = tag_of(ade_home(environ)) + os.urandom(12).hex()
    try:
        return _exchange(folder, identifier, request, environ)
    finally:
        for kind in ("new", "request", "answer"):
            files.remove(folder, f"{identifier}.{kind}")
        os.close(folder)


def worktree(cwd: str) -> str:
    """The root of the worktree around ``cwd``, of a project that ADE knows; raises :class:`NoSpoolError` outside of one."""
    root = os.path.realpath(cwd)
    while not os.path.lexists(root + "/.git"):
        if root in ("/", ""):
            raise NoSpoolError(f"{cwd} is in no lane and in no project")
        root = os.path.dirname(root)  # noqa: PTH120
    if not _known(root):
        raise NoSpoolError(
            f"{root} is no project of ADE; add it outside of the sandbox with `ade project add {root}`"
        )
    return root


def served(environ: "dict[str, str]") -> "bool | None":
    """Whether a runtime holds the lock of the ADE_HOME, ``None`` where that cannot be seen from here."""
    import fcntl

    try:
        lock = os.open(ade_home(environ) + "/ade.lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False if os.path.isdir(ade_home(environ)) else None  # noqa: PTH112
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError as problem:
        return True if problem.errno == errno.EWOULDBLOCK else None
    finally:
        os.close(lock)


def _known(root: str) -> bool:
    """Whether git ignores ``.ade`` here, which is so from the moment a project is registered."""
    try:
        git_dir = _git_dir(root)
        with open(git_dir + "/info/exclude", "rb") as file:  # noqa: PTH123
            return _LINE in [line.strip() for line in file.read(65536).splitlines()]
    except (OSError, ValueError):
        return False


def _git_dir(root: str) -> str:
    """Git's folder that all worktrees of the repository share."""
    found = root + "/.git"
    if os.path.isdir(found):  # noqa: PTH112
        return found
    with open(found, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
        own = os.path.join(root, file.read(4096).split("gitdir:", 1)[1].strip())  # noqa: PTH118
    try:
        with open(own + "/commondir", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            return os.path.join(own, file.read(4096).strip())  # noqa: PTH118
    except FileNotFoundError:
        return own
    except IndexError:
        raise ValueError(found) from None


def request_text(method: str, params: "dict[str, object]") -> bytes:
    """The request's text without tokens: the runtime finds out by itself which session asks, and the file can be read by
    whoever can read the lane."""
    given = params.get("env")
    hidden = CALLER_TOKENS | {_TOKEN}
    env = (
        {name: value for name, value in given.items() if name not in hidden}
        if isinstance(given, dict)
        else {}
    )
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "env": env}}
    text = encode(message).encode()
    if len(text) > REQUEST_LIMIT:
        raise NoSpoolError(f"the command and its texts have more than {REQUEST_LIMIT} bytes")
    return text


def _exchange(folder: int, identifier: str, request: bytes, environ: "dict[str, str]") -> "dict[str, object]":
    import fcntl

    try:
        file = files.create_file(folder, identifier + ".new")
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        files.write_all(file, request)
        os.rename(identifier + ".new", identifier + ".request", src_dir_fd=folder, dst_dir_fd=folder)
    except OSError as problem:
        raise NoSpoolError(f"no request can be put into the spool ({problem.strerror or problem})") from None
    try:
        _wait_until_taken(folder, identifier + ".request")
        return _wait_for_answer(folder, identifier, environ)
    finally:
        os.close(file)


def _wait_until_taken(folder: int, name: str) -> None:
    deadline, pause = time.monotonic() + PICKUP_SECONDS, _FIRST_PAUSE
    while _exists(folder, name):
        if time.monotonic() > deadline:
            try:  # whoever renames or removes it first has it: it is either taken or was never asked
                os.unlink(name, dir_fd=folder)
            except FileNotFoundError:
                return
            raise NoSpoolError(f"no runtime took the request from the spool within {PICKUP_SECONDS:g} s")
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)


def _wait_for_answer(folder: int, identifier: str, environ: "dict[str, str]") -> "dict[str, object]":
    deadline, pause = time.monotonic() + ANSWER_SECONDS, _FIRST_PAUSE
    alone_since, check = None, 0.0
    while True:
        answer = _read(folder, identifier + ".answer")
        if answer is not None:
            return answer
        now = time.monotonic()
        if now > check:
            check = now + _CHECK_SECONDS
            gone = not _exists(folder, identifier + ".taken") or served(environ) is False
            alone_since = (alone_since or now) if gone else None
        if now > deadline or (alone_since is not None and now - alone_since > PICKUP_SECONDS):
            raise EndedError
        time.sleep(pause)
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _read(folder: int, name: str) -> "dict[str, object] | None":
    try:
        file = files.open_file(folder, name, ANSWER_LIMIT)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise NoSpoolError(f"the answer in the spool cannot be trusted ({problem})") from None
    try:
        return decode(files.read_all(file, ANSWER_LIMIT))
    finally:
        os.close(file)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return False
    return True
