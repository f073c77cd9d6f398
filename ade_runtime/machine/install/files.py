"""Reading and replacing files of a home folder without losing anything on the way."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

READ_LIMIT = 8 * 1024 * 1024
"""Largest file that is changed; an rc file is never this long."""


class UnusableFileError(Exception):
    """A file cannot be read or changed; the text says why, fit to follow the file's name."""


def read(path: Path) -> bytes | None:
    """The bytes of a regular file, through symlinks; ``None`` where there is none (a dangling symlink too)."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UnusableFileError("is no ordinary file")
        if status.st_size > READ_LIMIT:
            raise UnusableFileError(f"is larger than {READ_LIMIT} bytes")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise UnusableFileError(f"cannot be read: {problem.strerror}") from None


def write(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put ``data`` in the place of the file, whole or not at all. A symlink stays; what it points to is replaced.

    Without ``mode`` an existing file keeps what it has beside its content; with it the file gets that mode less the umask.
    One with several names (hard links) is written in place so that it stays one file.
    """
    real = Path(os.path.realpath(path))
    try:
        status = real.stat() if real.exists() else None
        if status is not None and status.st_nlink > 1:
            real.write_bytes(data)
            return
        _replace(real, data, status, mode)
    except OSError as problem:
        raise UnusableFileError(f"cannot be written: {problem.strerror}") from None


def remove(path: Path) -> None:
    """Remove the file; a symlink to it stays."""
    try:
        Path(os.path.realpath(path)).unlink(missing_ok=True)
    except OSError as problem:
        raise UnusableFileError(f"cannot be removed: {problem.strerror}") from None


def check_writable(path: Path) -> None:
    """Raise unless the file could be replaced or created, without trying."""
    real = Path(os.path.realpath(path))
    if path.is_symlink() and not real.parent.is_dir():
        raise UnusableFileError(f"is a symlink into {real.parent}, which does not exist")
    folder = next(one for one in real.parents if one.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise UnusableFileError(f"cannot be written: {folder} is closed to you")
    if real.exists() and not os.access(real, os.W_OK):
        raise UnusableFileError("is read-only")


def make_folders(folder: Path) -> list[Path]:
    """Create a folder and what is missing above it; gives those that were created, the innermost last."""
    created = missing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UnusableFileError(f"cannot be written: {problem.strerror}") from None
    return created


def missing(folder: Path) -> list[Path]:
    """The folder and those above it that do not exist, outer ones first."""
    return [one for one in (folder, *folder.parents) if not one.exists()][::-1]


def _replace(real: Path, data: bytes, status: os.stat_result | None, mode: int | None) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{real.name}.", dir=real.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if status is None or mode is not None:
            temporary.chmod((0o644 if mode is None else mode) & ~_umask())
        else:
            shutil.copystat(real, temporary)
            os.utime(temporary)
            if (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                os.chown(temporary, status.st_uid, status.st_gid)
        temporary.replace(real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
