"""A strict reader of the part of systemd's unit syntax that is written here, made from systemd.syntax(7): it refuses whatever
systemd would warn about, so that what it reads back is what systemd reads."""

from __future__ import annotations

import re

SECTIONS = {
    "Unit": {"Description", "Requires", "After"},
    "Socket": {"ListenStream", "SocketMode", "DirectoryMode", "Backlog", "RemoveOnStop"},
    "Service": {
        *("Type", "ExecStart", "Environment", "WorkingDirectory", "UMask", "KillMode", "TimeoutStopSec"),
        *("Restart", "RestartSec"),
    },
    "Install": {"WantedBy"},
}
_ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "s": " "}


def read(data: bytes) -> dict[str, list[str]]:
    """``Section.Key`` → its raw values, in order."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in data.decode("utf-8").splitlines():
        assert not line.endswith("\\"), f"a line goes on: {line!r}"
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.removeprefix("[").removesuffix("]")
            assert section in SECTIONS, section
            continue
        key, equals, value = line.partition("=")
        assert equals and key in SECTIONS[section], line
        found.setdefault(f"{section}.{key}", []).append(value.strip())
    return found


def words(value: str) -> list[str]:
    """A value of quoted words with escapes and specifiers resolved."""
    out = []
    rest = value
    while rest:
        found = re.match(r'"((?:[^"\\]|\\.)*)"(?: |$)', rest)
        assert found, f"not a quoted word: {rest!r}"
        out.append(_unescape(found[1]))
        rest = rest[found.end() :]
    return out


def specifiers(text: str) -> str:
    """``%%`` resolved; any other specifier was not meant."""
    assert "%" not in text.replace("%%", ""), text
    return text.replace("%%", "%")


def _unescape(text: str) -> str:
    data = b""
    position = 0
    while position < len(text):
        char = text[position]
        if char != "\\":
            data += char.encode()
            position += 1
        elif text[position + 1] == "x":
            data += bytes([int(text[position + 2 : position + 4], 16)])
            position += 4
        else:
            data += _ESCAPES[text[position + 1]].encode()
            position += 2
    return specifiers(data.decode("utf-8", "surrogateescape"))
