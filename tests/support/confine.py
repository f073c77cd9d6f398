"""Runs a program as a sandbox does: ``confine.py sockets|privileges PROGRAM ARGUMENT…``, Linux only.

No privilege can be gained any more; with ``sockets``, ``connect`` and ``sendto`` answer EPERM, too (a real seccomp filter, as
Codex's has it).
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from typing import Any

NUMBERS = {"x86_64": (42, 44), "aarch64": (203, 206)}
"""Of ``connect`` and ``sendto``."""

NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7FFF0000, 0x00050001


class _Step(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("jt", ctypes.c_ubyte),
        ("jf", ctypes.c_ubyte),
        ("k", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.POINTER(_Step)))


def forbid_privileges() -> None:
    """For this process and all it starts."""
    _prctl(NO_NEW_PRIVS, 1, 0, 0, 0)


def forbid_sockets() -> None:
    """For this process and all it starts."""
    connect, sendto = NUMBERS[platform.machine()]
    steps = [
        (LOAD, 0, 0, 0),
        (JUMP_EQUAL, 1, 0, connect),
        (JUMP_EQUAL, 0, 1, sendto),
        (RETURN, 0, 0, EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    program = _Program(len(steps), (_Step * len(steps))(*steps))
    _prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0)


def _prctl(*arguments: Any) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


if __name__ == "__main__":
    forbid_privileges()
    if sys.argv[1] == "sockets":
        forbid_sockets()
    os.execv(sys.argv[2], sys.argv[2:])
