"""Copying a file to a place below a folder, whole or not at all, and never through a link that leads out."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ade_runtime.machine.beneath import Barred

CHUNK = 1 << 20


class PlaceError(Exception):
    """``kind`` is outside (not a place below the folder), exists, or failed; ``reason`` says more."""

    def __init__(self, kind: Literal["outside", "exists", "failed"], reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def place_file(
    source: Path, root: Path, path: str, *, overwrite: bool, make: bool = False, barred: Barred | None = None
) -> None:
    """Copy ``source`` to ``path`` below ``root``, whose folders must exist, or are made with ``make``; what ``barred`` names
    is no place. Raises :class:`PlaceError`.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or not parts or ".." in parts or "\0" in path:
        raise PlaceError("outside", "it leads out of the folder")
    if ".git" in parts:
        raise PlaceError("outside", "it lies in git's own folder")
    if barred is not None:
        for depth, part in enumerate(parts):
            if (reason := barred(tuple(parts[:depth]), part)) is not None:
                raise PlaceError("outside", f"it {reason}")
    try:
        folder = _open_folder(root, parts[:-1], make)
        try:
            _copy(source, folder, parts[-1], overwrite)
        finally:
            os.close(folder)
    except OSError as problem:
        raise PlaceError("failed", problem.strerror or str(problem)) from problem


def _open_folder(root: Path, parts: list[str], make: bool) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    here = os.open(root, flags)
    for part in parts:
        try:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=here)
            inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=here)
        except OSError as problem:
            if problem.errno in (errno.ELOOP, errno.ENOTDIR) and _is_link(part, here):
                raise PlaceError("outside", f"{part} is a symbolic link") from problem
            raise
        finally:
            os.close(here)
        here = inner
    return here


def _is_link(name: str, folder: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _copy(source: Path, folder: int, name: str, overwrite: bool) -> None:
    with contextlib.suppress(FileNotFoundError):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not overwrite:
            raise PlaceError("exists", "it exists")
        if not stat.S_ISREG(status.st_mode):
            raise PlaceError("failed", "something that is no regular file has that name")
    draft = f".{name[:100]}.ade-{os.urandom(4).hex()}"
    out = os.open(
        draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644, dir_fd=folder
    )
    try:
        with os.fdopen(out, "wb") as target, source.open("rb") as content:
            while data := content.read(CHUNK):
                target.write(data)
            target.flush()
            os.fsync(target.fileno())
        if overwrite:
            os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
            return
        try:
            os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except FileExistsError:
            raise PlaceError("exists", "it exists") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
