"""Putting a whole file in place in one step: readers see the old one or the new one, and a crash leaves one of the two."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from contextlib import AbstractContextManager
from pathlib import Path

from ade_runtime.machine.temporary import named_draft
from ade_runtime.workspace.opening import Place
from ade_runtime.workspace.problems import Exists, Failed

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
DRAFT = b".ade-draft-"
PERMISSIONS = 0o777


def replace(place: Place, data: bytes, text: str) -> None:
    """Have the file at ``place`` hold ``data``, made if nothing was there. An old file's mode stays, and its owner where the
    system allows; a new one gets what the umask leaves."""
    draft = _new_name()
    with _named(place, draft):
        _fill(place, draft, data, text)
        try:
            os.replace(draft, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder)
        except OSError as error:
            _drop(place, draft)
            raise Failed(text, error.strerror or "unknown reason") from None
    _settle(place)


def create(place: Place, data: bytes, text: str, *, executable: bool = False) -> None:
    """A new file with ``data``; raises :class:`Exists` where anything is, however late it came there."""
    draft = _new_name()
    with _named(place, draft):
        _fill(place, draft, data, text, executable=executable)
        try:
            os.link(
                draft, place.name, src_dir_fd=place.folder, dst_dir_fd=place.folder, follow_symlinks=False
            )
        except FileExistsError:
            raise Exists(text) from None
        except OSError as error:
            raise Failed(text, error.strerror or "unknown reason") from None
        finally:
            _drop(place, draft)
    _settle(place)


def _new_name() -> bytes:
    return DRAFT + secrets.token_hex(8).encode()


def _named(place: Place, draft: bytes) -> AbstractContextManager[None]:
    """Have the draft removed should this process be killed meanwhile, where the system tells what an open folder is called."""
    try:
        folder = Path(os.readlink(f"/proc/self/fd/{place.folder}"))  # noqa: PTH115 - a link of the kernel's
    except OSError:
        return contextlib.nullcontext()
    return named_draft(folder / os.fsdecode(draft))


def _fill(place: Place, name: bytes, data: bytes, text: str, *, executable: bool = False) -> None:
    """Make the draft beside the place, on disk to the last byte."""
    try:
        fd = os.open(name, _NEW, 0o777 if executable else 0o666, dir_fd=place.folder)
    except OSError as error:
        raise Failed(text, error.strerror or "unknown reason") from None
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            if place.status is not None:
                _dress(fd, place.status)
            os.fsync(fd)
    except OSError as error:
        _drop(place, name)
        raise Failed(text, error.strerror or "unknown reason") from None
    except BaseException:
        _drop(place, name)
        raise


def _dress(fd: int, old: os.stat_result) -> None:
    """Owner first, since changing it may take bits of the mode away."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(fd, old.st_uid, old.st_gid)
    os.fchmod(fd, stat.S_IMODE(old.st_mode) & PERMISSIONS)


def _drop(place: Place, name: bytes) -> None:
    with contextlib.suppress(OSError):
        os.unlink(name, dir_fd=place.folder)


def _settle(place: Place) -> None:
    """Have the folder's own change on disk; a folder that was opened as a mere step is opened anew for that."""
    with contextlib.suppress(OSError):
        fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=place.folder)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
