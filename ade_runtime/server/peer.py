"""Who is at the other end of a Unix socket, as the kernel tells it."""

from __future__ import annotations

import socket
import struct
import sys

_SOL_LOCAL = 0
_LOCAL_PEERCRED = 1


def peer_uid(connection: socket.socket) -> int:
    """User id of the process that connected."""
    if sys.platform == "darwin":
        raw = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76)
        _version, uid = struct.unpack_from("II", raw)
        return int(uid)
    raw = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    _pid, uid, _gid = struct.unpack("iII", raw)
    return int(uid)
