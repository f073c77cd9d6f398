"""Reading the hunks of a unified diff."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ade_runtime.integrations.git.text import read_path

_HEADER = re.compile(rb"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@ ?(.*)")


@dataclass(frozen=True, slots=True)
class Hunk:
    """Starts and counts of lines as git prints them (a side without lines starts at the line before).
    ``line`` is the 1-based line of the patch that holds the header."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    heading: bytes
    line: int

    @property
    def old_from(self) -> int:
        """0-based index of the first old line, or the place of insertion."""
        return self.old_start - (1 if self.old_lines else 0)

    @property
    def new_from(self) -> int:
        """0-based index of the first new line, or the place of the removal."""
        return self.new_start - (1 if self.new_lines else 0)

    @property
    def old_to(self) -> int:
        return self.old_from + self.old_lines

    @property
    def new_to(self) -> int:
        return self.new_from + self.new_lines


def read_hunks(patch: bytes) -> list[Hunk]:
    """The hunks of one file's part of a patch."""
    return [
        hunk for number, line in enumerate(patch.split(b"\n"), 1) if (hunk := _hunk(line, number)) is not None
    ]


def by_file(patch: bytes, starts: list[int]) -> Iterator[bytes]:
    """The parts of a patch that begin at ``starts``."""
    for number, start in enumerate(starts, 1):
        yield patch[start : starts[number] if number < len(starts) else len(patch)]


def section_path(part: bytes) -> bytes:
    """The path that one file's part of a patch is about, the new one where it was renamed."""
    names: dict[bytes, bytes] = {}
    for line in part.split(b"\n"):
        if line.startswith(b"@@ "):
            break
        for mark in (b"--- ", b"+++ ", b"rename to "):
            if line.startswith(mark):
                names.setdefault(mark, _unquoted(line[len(mark) :].rstrip(b"\t")))
    new, old = names.get(b"+++ "), names.get(b"--- ")
    if new is not None and new != b"/dev/null":
        return new[2:]
    if old is not None and old != b"/dev/null":
        return old[2:]
    return names.get(b"rename to ") or _twin(part.split(b"\n", 1)[0])


def _twin(header: bytes) -> bytes:
    """The path in ``diff --git a/X b/X``, where both names are the same and so equally long."""
    both = header.removeprefix(b"diff --git ")
    return _unquoted(both[: (len(both) - 1) // 2])[2:]


def _unquoted(name: bytes) -> bytes:
    return read_path(name.decode("latin-1")) if name.startswith(b'"') and name.isascii() else name


def _hunk(line: bytes, number: int) -> Hunk | None:
    match = _HEADER.fullmatch(line) if line.startswith(b"@@ -") else None
    if match is None:
        return None
    old_start, old_lines, new_start, new_lines, heading = match.groups()
    return Hunk(
        int(old_start),
        1 if old_lines is None else int(old_lines),
        int(new_start),
        1 if new_lines is None else int(new_lines),
        heading,
        number,
    )
