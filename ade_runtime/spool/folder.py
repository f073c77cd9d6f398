"""Opening a spool folder and its files by descriptors, one step at a time, following no symlink anywhere.

Built-in modules only: the thin client uses this, too. Whoever can write in a worktree can put anything at any name in it,
so nothing is reached through a path of several parts, and what was opened is looked at before it is used.
"""

import os
import stat

from ade_runtime.spool.layout import FOLDER

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class NotTrusted(OSError):
    """What is there is not what a spool consists of; the text says why."""


def open_folder(root: str, *, make: bool) -> int:
    """A descriptor of the spool folder below ``root``, an absolute path without symlinks. ``make`` creates it (mode 0700).

    Raises ``OSError``: :class:`NotTrusted` for a folder of another user or one that others may write.
    """
    folder = os.open("/", DIRECTORY)
    try:
        for name in [part for part in root.split("/") if part]:
            folder = _step(folder, name)
        for name in FOLDER:
            if make:
                _make(folder, name)
            folder = _step(folder, name)
            _check_owner(folder)
        if os.fstat(folder).st_mode & 0o022:
            raise NotTrusted("others may write in the folder")
    except BaseException:
        os.close(folder)
        raise
    return folder


def open_file(folder: int, name: str, limit: int) -> int:
    """A descriptor for reading a private, regular file of this user's with one name and at most ``limit`` bytes."""
    file = os.open(name, _READ, dir_fd=folder)
    status = os.fstat(file)
    problem = None
    if not stat.S_ISREG(status.st_mode):
        problem = "it is no regular file"
    elif status.st_uid != os.getuid():
        problem = "it belongs to somebody else"
    elif status.st_nlink != 1:
        problem = "it has other names"
    elif status.st_mode & 0o077:
        problem = "it is open to others"
    elif status.st_size > limit:
        problem = f"it holds more than {limit} bytes"
    if problem is not None:
        os.close(file)
        raise NotTrusted(problem)
    return file


def create_file(folder: int, name: str) -> int:
    """A descriptor of a new file (mode 0600) for reading and writing; what has that name already is an error."""
    return os.open(name, _CREATE, 0o600, dir_fd=folder)


def read_all(file: int, limit: int) -> bytes:
    """The content from the beginning, at most ``limit`` bytes."""
    parts, at = [], 0
    while at < limit:
        part = os.pread(file, min(65536, limit - at), at)
        if not part:
            break
        parts.append(part)
        at += len(part)
    return b"".join(parts)


def write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def remove(folder: int, name: str) -> None:
    """Remove a file, if it is still there."""
    try:
        os.unlink(name, dir_fd=folder)
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        return


def _step(folder: int, name: str) -> int:
    """A descriptor of a folder in ``folder``, in whose place it comes; on failure ``folder`` stays open."""
    inner = os.open(name, DIRECTORY, dir_fd=folder)
    os.close(folder)
    return inner


def _make(folder: int, name: str) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return


def _check_owner(folder: int) -> None:
    if os.fstat(folder).st_uid != os.getuid():
        raise NotTrusted("the folder belongs to somebody else")
