"""Tokens that can be found again however they were written down."""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote, quote_plus


def forms(token: str) -> tuple[bytes, ...]:
    """A token as it is, as it stands in a URL and in hexadecimal, and what base64 makes of it wherever in a text it stands."""
    raw = token.encode()
    found = {raw, raw.hex().encode()}
    found |= {quote(token, safe="").encode(), quote_plus(token).encode(), quote(token).encode()}
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw)
        # the characters at both ends also hold bits of what stands beside the token
        inner = coded.rstrip(b"=")[4 if before else 0 : -2]
        found |= {inner, inner.translate(bytes.maketrans(b"+/", b"-_"))}
    return tuple(sorted(found))


def told(data: bytes, tokens: Iterable[str]) -> list[bytes]:
    """The forms of tokens that are in what was written."""
    return [form for token in tokens for form in forms(token) if form in data]


def files_with(folder: Path, tokens: Iterable[str]) -> dict[Path, list[bytes]]:
    """The files below a folder that hold tokens; of a database also what its rows say."""
    tokens, found = list(tokens), {}
    for path in folder.rglob("*"):
        if not path.is_file() or path.is_symlink():
            continue
        held = told(path.read_bytes(), tokens)
        if path.suffix == ".db":
            with sqlite3.connect(path) as db:
                held += told("\n".join(db.iterdump()).encode(), tokens)
            db.close()
        if held:
            found[path] = held
    return found
