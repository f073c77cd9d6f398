"""Cursors of lists that are sorted by path: where to go on, whatever was added or removed meanwhile."""

from __future__ import annotations

import base64
import binascii

from ade_generated import errors


def cursor_after(path: bytes) -> str:
    return base64.urlsafe_b64encode(b"p:" + path).decode().rstrip("=")


def path_of(cursor: str | None) -> bytes:
    """The path that the last page ended with, empty for the first page; raises ``invalid_cursor``."""
    if cursor is None:
        return b""
    try:
        data = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data.startswith(b"p:"):
        raise errors.InvalidCursor(cursor=cursor)
    return data[2:]
