"""Unix sockets without the module ``socket``, which loads ``enum`` and ``selectors``."""

from __future__ import annotations

import os
import sys

from ade_runtime.client.wire import Socket

TYPE_CHECKING = False  # typing itself costs more than this module
if TYPE_CHECKING:
    from typing import Any

    raw: Any
try:
    import _socket as raw
except ImportError:
    import socket as raw

BACKLOG = 32


def listen(path: str) -> Socket:
    """A socket at ``path`` that only its owner can use."""
    listener: Socket = raw.socket(raw.AF_UNIX, raw.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        listener.bind(os.fsencode(path))
    finally:
        os.umask(mask)
    listener.listen(BACKLOG)
    listener.setblocking(False)
    return listener


def accept(listener: Any) -> Socket | None:
    """The next connection, ``None`` when it has gone again."""
    try:
        if hasattr(listener, "_accept"):
            descriptor, _address = listener._accept()
            found: Socket = raw.socket(raw.AF_UNIX, raw.SOCK_STREAM, 0, descriptor)
            return found
        connection: Socket = listener.accept()[0]
        return connection
    except OSError:
        return None


def peer_user(connection: Socket) -> int:
    """The user at the other end, as the kernel tells it; -1 where it does not."""
    try:
        if sys.platform == "darwin":
            told = connection.getsockopt(0, 1, 76)
            return int.from_bytes(told[4:8], sys.byteorder)
        told = connection.getsockopt(raw.SOL_SOCKET, 17, 12)  # SO_PEERCRED: pid, uid, gid
        return int.from_bytes(told[4:8], sys.byteorder)
    except OSError:
        return -1
