"""What ``git blame --porcelain`` says of lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import read_path, show_path, show_text

TIMEOUT = 45.0
_HEAD = re.compile(rb"([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?")
_LATEST = 253402300799


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line comes from; ``commit`` is ``None`` for one that is not committed."""

    line: int
    commit: str | None
    author: str | None
    time: datetime | None
    summary: str | None
    original_line: int
    original_path: str


async def blame(
    git: Git, path: bytes, data: bytes, start: int, count: int, *, ignore_whitespace: bool
) -> list[Origin]:
    """Origins of the lines from ``start`` on. ``data`` is what the file holds, so that git need not open it."""
    options = ["-w"] if ignore_whitespace else []
    result = await git.read(
        "blame", "--porcelain", *options, f"-L{start},{start + count - 1}", "--contents", "-", "--", path,
        stdin=data, timeout=TIMEOUT,
    )  # fmt: skip
    return parse(result.stdout, path)


def parse(output: bytes, path: bytes) -> list[Origin]:
    """The lines of the porcelain format, in order. What it says of a commit, it says once."""
    known: dict[bytes, dict[bytes, bytes]] = {}
    origins: list[Origin] = []
    commit, original, final = b"", 0, 0
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            origins.append(_origin(commit, original, final, known[commit], path))
            continue
        head = _HEAD.fullmatch(line)
        if head is not None:
            commit, original, final = head[1], int(head[2]), int(head[3])
            known.setdefault(commit, {})
        elif commit:
            name, _, value = line.partition(b" ")
            known[commit][name] = value
    return origins


def _origin(commit: bytes, original: int, final: int, facts: dict[bytes, bytes], path: bytes) -> Origin:
    written = facts.get(b"filename")
    shown = show_path(read_path(show_text(written))) if written is not None else show_path(path)
    if not commit.strip(b"0"):
        return Origin(final, None, None, None, None, original, show_path(path))
    seconds = facts.get(b"author-time", b"0")
    moment = min(int(seconds), _LATEST) if seconds.isdigit() else 0
    return Origin(
        line=final,
        commit=commit.decode(),
        author=show_text(facts.get(b"author", b"")),
        time=datetime.fromtimestamp(moment, UTC),
        summary=show_text(facts.get(b"summary", b"")),
        original_line=original,
        original_path=shown,
    )
