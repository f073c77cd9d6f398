"""Searches files in a process of its own, so that no large checkout and no endless pattern can hold up the runtime.

Started as ``python -I -m``, with other seconds than :data:`SECONDS` if wanted; reads one line of JSON (:class:`Job`) and
NUL-separated paths from standard input. Writes a line of JSON for each file with matches, and one at the end. It ends itself
when its time is over, wherever it is by then.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from dataclasses import dataclass
from typing import Any

from ade_runtime.workspace.descent import Descent
from ade_runtime.workspace.pattern import compiled
from ade_runtime.workspace.reading import read_at
from ade_runtime.workspace.text import MARKS, SNIFFED, decode

LARGEST = 16 * 1024 * 1024
"""Bytes of a file that is searched."""
MOST_MATCHES = 10_000
SHOWN = 300
"""Characters shown of a line."""
SECONDS = 20.0
"""Time for all files; a single file may take as long again before the process is ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """``identity`` is device and inode of the root. Matches up to ``after`` (path in hex, line) are counted and not given."""

    root: str
    identity: tuple[int, int]
    python: str
    ignore_case: bool
    literal: str | None
    context: int
    after: tuple[str, int] | None
    limit: int


@dataclass(slots=True)
class Tally:
    matches: int = 0
    given: int = 0
    stopped: str | None = None
    more: bool = False


def main() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 1.5 * (float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
    head, _, rest = sys.stdin.buffer.read().partition(b"\n")
    raw = json.loads(head)
    raw["identity"] = tuple(raw["identity"])
    raw["after"] = None if raw["after"] is None else tuple(raw["after"])
    search(Job(**raw), rest.split(b"\0") if rest else [])


def search(job: Job, paths: list[bytes]) -> None:
    root = os.open(job.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    status = os.fstat(root)
    tally = Tally()
    if (status.st_dev, status.st_ino) == job.identity:
        _search_all(job, paths, root, tally)
    else:
        tally.stopped = "moved"
    _write({"done": True, "matches": tally.matches, "stopped": tally.stopped, "more": tally.more})


def _search_all(job: Job, paths: list[bytes], root: int, tally: Tally) -> None:
    expression = compiled(job.python, ignore_case=job.ignore_case)
    end = time.monotonic() + SECONDS
    with Descent(root) as descent:
        for path in paths:
            if time.monotonic() > end:
                tally.stopped = "time"
                return
            if tally.matches >= MOST_MATCHES:
                tally.stopped = "matches"
                return
            fd = descent.open(path)
            if fd is None:
                continue
            try:
                _search_file(job, expression, fd, path, tally)
            finally:
                os.close(fd)


def _search_file(job: Job, expression: re.Pattern[str], fd: int, path: bytes, tally: Tally) -> None:
    if os.fstat(fd).st_size > LARGEST:
        return
    text = _text(read_at(fd, 0, LARGEST))
    if text is None:
        return
    if job.literal is not None and job.literal not in text:
        return
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    given: list[dict[str, Any]] = []
    after = None if job.after is None else (bytes.fromhex(job.after[0]), job.after[1])
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\r")
        found = expression.search(line)
        if found is None:
            continue
        tally.matches += 1
        if (after is None or (path, number) > after) and _is_given(job, tally):
            given.append(_match(job, lines, number, line, found))
        if tally.matches >= MOST_MATCHES:
            tally.stopped = "matches"
            break
    if given:
        _write({"path": path.hex(), "matches": given})


def _is_given(job: Job, tally: Tally) -> bool:
    if tally.given >= job.limit:
        tally.more = True
        return False
    tally.given += 1
    return True


def _match(job: Job, lines: list[str], number: int, line: str, found: re.Match[str]) -> dict[str, Any]:
    start = max(0, min(found.start() - SHOWN // 3, len(line) - SHOWN))
    first = max(0, number - 1 - job.context)
    return {
        "line": number,
        "column": found.start() + 1,
        "length": found.end() - found.start(),
        "text": _shown(line[start : start + SHOWN]),
        "before": [_shown(one) for one in lines[first : number - 1]],
        "after": [_shown(one) for one in lines[number : number + job.context]],
    }


def _text(data: bytes) -> str | None:
    """The text as ripgrep sees it, ``None`` for binary: UTF-16 by its mark, all else UTF-8, byte for byte where it is none."""
    for encoding in ("utf-16-le", "utf-16-be"):
        if data.startswith(MARKS[encoding]):
            return decode(data, encoding)
    if b"\0" in data[:SNIFFED]:
        return None
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _shown(line: str) -> str:
    cut = line[:SHOWN].removesuffix("\r")
    return cut.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _write(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, separators=(",", ":")) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
