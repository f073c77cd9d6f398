"""Who may listen for an ADE_HOME: the holder of an exclusive lock, for as long as its process lives.

The lock is the kernel's, so it is gone with its process however that ended. Only the holder removes a socket it finds, and
only after nobody answered there.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shlex
import socket
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import orjson

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import JsonObject
from ade_runtime.machine.paths import Paths, private_folder, unusable

BACKLOG = 4096
LOCK_TRIES = 10
LOCK_PAUSE = 0.005


class Ownership:
    """The held lock and, once bound, the socket."""

    def __init__(self, paths: Paths, descriptors: list[int]) -> None:
        self._paths = paths
        self._descriptors = descriptors
        self._bound: tuple[int, int] | None = None
        self.inherited = False
        """Whether a service manager listens on the socket too: it then stays when this process ends."""

    @classmethod
    def acquire(cls, paths: Paths) -> Ownership:
        """Take the lock at once or raise ``runtime_already_running``, naming the holder."""
        paths.make_folders()
        held = cls(paths, [_lock(paths.owner_lock, paths)])
        if paths.socket.parent.parent != paths.home:
            try:  # a socket outside this ADE_HOME may be wanted by the runtime of another one
                held._descriptors.append(_lock(paths.socket.with_name(paths.socket.name + ".lock"), paths))
            except BaseException:
                held.release()
                raise
        held._describe()
        return held

    def bind(self) -> socket.socket:
        """Bind and listen at the socket's path, mode 0600, removing a dead socket there first."""
        path = self._paths.socket
        private_folder(path.parent)
        self._clear(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listener.setblocking(False)
            mask = os.umask(0o177)
            try:
                listener.bind(str(path))
            finally:
                os.umask(mask)
            listener.listen(BACKLOG)
            status = path.lstat()
        except OSError as problem:
            listener.close()
            raise unusable(path, problem) from problem
        self._bound = (status.st_dev, status.st_ino)
        self._point()
        return listener

    def adopt(self, listener: socket.socket) -> None:
        """Serve on a socket that a service manager listens on already, at the path this ADE_HOME wants.

        Raises ``home_unusable`` where it is another one: answering there would serve somebody else's clients.
        """
        path = self._paths.socket
        wrong = "the service manager handed over no listening socket of this ADE_HOME; `ade service install` puts it right"
        try:
            told = (listener.family, listener.type, listener.getsockname())
            listens = listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            status = path.lstat()
        except OSError as problem:
            raise errors.HomeUnusable(path=str(path), reason=wrong) from problem
        if told != (socket.AF_UNIX, socket.SOCK_STREAM, str(path)) or not listens:
            raise errors.HomeUnusable(path=str(path), reason=wrong)
        listener.setblocking(False)
        self.inherited = True
        self._bound = (status.st_dev, status.st_ino)
        self._point()

    def holds_lock(self) -> bool:
        """Whether the lock file is still the one this process locked: another one is another runtime's."""
        try:
            lock = self._paths.owner_lock.stat()
            mine = os.fstat(self._descriptors[0])
        except (OSError, IndexError):
            return False
        return (lock.st_dev, lock.st_ino) == (mine.st_dev, mine.st_ino)

    def holds_socket(self) -> bool:
        """Whether the socket at its path is still the one bound here."""
        try:
            bound = self._paths.socket.lstat()
        except OSError:
            return False
        return (bound.st_dev, bound.st_ino) == self._bound

    def unlink(self) -> None:
        """Remove the socket, if it is still the one bound here and nobody else listens on it."""
        if self.inherited:
            return
        try:
            status = self._paths.socket.lstat()
            if (status.st_dev, status.st_ino) == self._bound:
                self._paths.socket.unlink()
        except OSError:
            pass

    def release(self) -> None:
        """Give the lock up; the lock file stays."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors = []

    def describe(self, ceiling: str) -> None:
        """Say in the lock file which role this runtime grants at most: commands beside it grant no more."""
        self._describe({"ceiling": ceiling})

    def _describe(self, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """Write pid and socket into the lock file, for messages and the doctor.

        What stood there is written over, which needs no room; where there is none at all, a runtime still reads.
        """
        text = orjson.dumps({"pid": os.getpid(), "socket": str(self._paths.socket), **more})
        try:
            os.pwrite(self._descriptors[0], text, 0)
            os.ftruncate(self._descriptors[0], len(text))
        except OSError:
            os.ftruncate(self._descriptors[0], 0)

    def _point(self) -> None:
        """Where the configured path was too long, leave a note there that says which path is used."""
        wanted = self._paths.socket_wanted
        if wanted != self._paths.socket and len(wanted.name) < 200:
            wanted.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            wanted.with_name(wanted.name + ".path").write_text(f"{self._paths.socket}\n", encoding="utf-8")

    def _clear(self, path: Path) -> None:
        if not check_place(path):
            return
        if answers(path):
            raise already_running(self._paths)
        path.unlink()


def check_place(path: Path) -> bool:
    """Whether a socket is at ``path``. Raises ``home_unusable`` for anything else: it may be precious, so it is left alone."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    except OSError as problem:
        raise unusable(path, problem) from problem
    if stat.S_ISSOCK(mode):
        return True
    kind = "a symbolic link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "a file"
    away = f"mv {shlex.quote(str(path))} {shlex.quote(str(path) + '.old')}"
    hint = f"Look what it is, then move it away: {away}"
    raise errors.HomeUnusable(path=str(path), reason=f"{kind} is where the socket belongs", hint=hint)


def answers(path: Path) -> bool:
    """Whether a process listens at ``path``. Raises ``home_unusable`` when that cannot be told."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)  # a full backlog answers EAGAIN instead of holding this process
        code = probe.connect_ex(str(path))
    if code in (0, errno.EAGAIN):
        return True
    if code in (errno.ECONNREFUSED, errno.ENOENT):
        return False
    raise unusable(path, OSError(code, os.strerror(code)))


def holder(paths: Paths) -> JsonObject | None:
    """``{pid, socket}`` of the process that holds the lock, ``None`` when it is free."""
    try:
        descriptor = _open_held(paths.owner_lock)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _described(descriptor)
    finally:
        os.close(descriptor)


def _open_held(path: Path) -> int:
    """A lock file to look at. In a sandbox it may only be read, which local file systems let be locked all the same."""
    try:
        return os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as problem:
        if problem.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
            raise
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def ceiling_beside(paths: Paths) -> str:
    """The highest role that a command in a process of its own grants: that of the runtime it runs beside, else ``cto``."""
    described = holder(paths)
    if described is None:
        return "cto"
    told = str(described.get("ceiling"))
    return told if told in ROLES else "agent"  # it has only just begun and has not said so yet


def already_running(paths: Paths, described: JsonObject | None = None) -> errors.RuntimeAlreadyRunning:
    """The refusal of a second runtime, with ``pid`` and ``socket`` in its details."""
    known = described or holder(paths) or {}
    pid, where = int(known.get("pid", 0)), str(known.get("socket", paths.socket))
    return errors.RuntimeAlreadyRunning(pid=pid, socket=where, details={"pid": pid, "socket": where})


def _lock(path: Path, paths: Paths) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as problem:
        raise unusable(path, problem) from problem
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:  # a doctor that looks whether the lock is free holds it for microseconds
            time.sleep(LOCK_PAUSE)
    described = _described(descriptor)
    os.close(descriptor)
    raise already_running(paths, described)


def _described(descriptor: int) -> JsonObject:
    try:
        found = orjson.loads(os.pread(descriptor, 4096, 0))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
