"""Keeping the children of children: what starts an agent stays above everything the agent starts."""

from __future__ import annotations

import ctypes
import os
import sys

_PR_SET_CHILD_SUBREAPER = 36


def keep_orphans() -> bool:
    """Make this process the parent of every descendant that loses its own, instead of the first process of the machine.

    A program that forks twice and calls ``setsid`` then still descends from this one, which must collect it with
    ``waitpid``. Gives whether the system can do that: Linux can.
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return True
