"""JSON and the socket for the thin client, below the standard library's own modules.

``json`` and ``socket`` import ``re`` and ``enum``, which cost more than the whole call; their C parts do not. Where an
interpreter has no C parts the ordinary modules take over.
"""

import os

try:
    from _json import encode_basestring_ascii as quote
    from _json import make_scanner as _make_scanner

    class _Settings:
        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float

    _scan = _make_scanner(_Settings())  # type: ignore[arg-type]
except ImportError:
    import json

    quote = json.dumps

    def _scan(text: str, start: int) -> "tuple[object, int]":  # type: ignore[misc]
        return json.JSONDecoder().raw_decode(text, start)


try:
    import _socket as sockets
except ImportError:
    import socket as sockets  # type: ignore[no-redef]

Socket = sockets.socket
SHUT_WR = sockets.SHUT_WR
DONT_WAIT = sockets.MSG_DONTWAIT
SEND_TIMEOUT = 10


def decode(line: bytes) -> "dict[str, object]":
    """The document in one line of JSON; raises ``ValueError`` or ``StopIteration`` for what is none."""
    document = _scan(line.decode(), 0)[0]
    return document if isinstance(document, dict) else {}


def encode(value: object) -> str:
    """JSON text of texts, booleans, whole numbers, lists and dicts of these."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join([quote(name) + ":" + encode(item) for name, item in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([encode(item) for item in value]) + "]"
    raise TypeError(type(value).__name__)


def connect(path: str) -> "Socket":
    """A connection to ``path``; raises ``OSError``. Connecting and sending are bounded, waiting for an answer is not."""
    connection = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    try:
        connection.setsockopt(
            sockets.SOL_SOCKET, sockets.SO_SNDTIMEO, SEND_TIMEOUT.to_bytes(8, "little") + bytes(8)
        )
        connection.connect(os.fsencode(path))
    except BaseException:
        connection.close()
        raise
    return connection


class Lines:
    """Lines of one connection, as they come."""

    def __init__(self, connection: "Socket") -> None:
        self._connection = connection
        self._buffer = b""

    def next(self) -> bytes:
        """The next line without its newline; empty when the other end closed."""
        parts = [self._buffer]
        while b"\n" not in parts[-1]:
            data = self._connection.recv(65536)
            if not data:
                return b""
            parts.append(data)
        line, _, self._buffer = b"".join(parts).partition(b"\n")
        return line
