"""Folders and private files of this ADE_HOME: whose they are and who may read them."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from ade_runtime.machine.doctor.rows import Place, Row

SPACE_NEEDED = 64 * 1024 * 1024
"""Free bytes below which a database may soon fail to grow."""


def check(place: Place) -> Iterator[Row]:
    paths = place.paths
    yield _folder("home", paths.home)
    yield _folder("socket folder", paths.socket.parent)
    for name, file in (
        ("database file", paths.database),
        ("lock file", paths.owner_lock),
        ("log", paths.log),
    ):
        yield from _private_file(name, file)
    yield from _space(paths.home)


def _folder(name: str, folder: Path) -> Row:
    try:
        status = folder.stat()
    except FileNotFoundError:
        return Row(name, "ok", f"{folder} does not exist yet; the first command makes it")
    except NotADirectoryError:
        return Row(
            name, "fail", f"{folder} lies in something that is no folder", "Move that away, or set ADE_HOME."
        )
    mode = stat.S_IMODE(status.st_mode)
    if not stat.S_ISDIR(status.st_mode):
        return Row(name, "fail", f"{folder} is no folder", "Move it away, or set ADE_HOME to another folder.")
    if status.st_uid != os.getuid():
        found = f"{folder} belongs to user {status.st_uid}"
        return Row(name, "fail", found, "Set ADE_HOME to a folder of your own.")
    if mode & 0o077:
        return _open_to_others(name, folder, mode, 0o700)
    if not os.access(folder, os.W_OK | os.X_OK):
        step = "Check mounts and permissions, or set ADE_HOME."
        return Row(name, "fail", f"{folder} cannot be written", step)
    return Row(name, "ok", f"{folder} (mode {mode:04o})")


def _private_file(name: str, file: Path) -> Iterator[Row]:
    """A row only where the file is open to others: it holds what agents did, or decides who serves."""
    try:
        status = file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid() and mode & 0o077:
        yield _open_to_others(name, file, mode, 0o600)


def _open_to_others(name: str, path: Path, mode: int, wanted: int) -> Row:
    return Row(
        name,
        "warn",
        f"{path} is open to others (mode {mode:04o})",
        f"chmod {wanted:o} {shlex.quote(str(path))}, or `ade doctor --fix`",
        fix=lambda: path.chmod(wanted),
    )


def _space(home: Path) -> Iterator[Row]:
    folder = next(one for one in (home, *home.parents) if one.exists())
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize
    if status.f_flag & os.ST_RDONLY:
        yield Row("disk", "fail", f"{folder} is on a read-only file system", "Set ADE_HOME to another place.")
    elif free < SPACE_NEEDED:
        yield Row("disk", "fail", f"{free // 1024} KiB are free at {folder}", "Make room, or move ADE_HOME.")
