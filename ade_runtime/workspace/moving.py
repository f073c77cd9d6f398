"""Renaming within a checkout without ever replacing anything."""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from functools import cache
from typing import Any

from ade_runtime.workspace.opening import Place
from ade_runtime.workspace.problems import INTO_ITSELF, Exists, Failed, Missing

_LINUX_NOREPLACE = 1
_DARWIN_EXCL = 4
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


def move(source: Place, target: Place, text: str, to: str) -> None:
    """Have what is at ``source`` be at ``target``; raises :class:`Exists` where anything is there, however late it came."""
    if target.names[: len(source.names)] == source.names and len(target.names) > len(source.names):
        raise Failed(to, INTO_ITSELF)
    code = _noreplace(source, target)
    if code in _UNSUPPORTED:
        code = _by_parts(source, target)
    if code == errno.EEXIST:
        raise Exists(to)
    if code == errno.ENOENT:
        raise Missing(text)
    if code:
        raise Failed(to, os.strerror(code))


def _noreplace(source: Place, target: Place) -> int:
    """The system's own rename that replaces nothing; gives the error number, 0 for done."""
    call = _rename()
    if call is None:
        return errno.ENOSYS
    function, flag = call
    ctypes.set_errno(0)
    done = function(source.folder, source.name, target.folder, target.name, flag)
    return 0 if done == 0 else ctypes.get_errno()


@cache
def _rename() -> tuple[Any, int] | None:
    name, flag = (
        ("renameatx_np", _DARWIN_EXCL) if sys.platform == "darwin" else ("renameat2", _LINUX_NOREPLACE)
    )
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError):
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    return function, flag


def _by_parts(source: Place, target: Place) -> int:
    """For file systems without it: a second name first, which fails where one exists, then the first one goes. A folder cannot
    have two names; one is moved onto a new, empty folder, which fails once anything is in that."""
    try:
        if source.status is not None and stat.S_ISDIR(source.status.st_mode):
            _move_folder(source, target)
        else:
            os.link(
                source.name,
                target.name,
                src_dir_fd=source.folder,
                dst_dir_fd=target.folder,
                follow_symlinks=False,
            )
            os.unlink(source.name, dir_fd=source.folder)
    except OSError as error:
        return error.errno or errno.EIO
    return 0


def _move_folder(source: Place, target: Place) -> None:
    os.mkdir(target.name, dir_fd=target.folder)
    try:
        os.rename(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)
    except OSError:
        os.rmdir(target.name, dir_fd=target.folder)
        raise
