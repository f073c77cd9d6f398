"""What a JUnit XML report says, read within bounds: of size, of depth and of what is kept.

A document type is refused, and with it every way in which XML can name more than it holds.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.problems import WorkspaceProblem, words

SIZE_LIMIT = 32 * 1024 * 1024
DEPTH_LIMIT = 64
FAILURES_KEPT = 20
TEXT_KEPT = 1000
CHUNK = 65536


class Unreadable(Exception):
    """Why there is no summary."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that did not pass. ``kind`` is failure or error; ``file`` and ``line`` where the report names them."""

    name: str
    kind: str
    message: str
    file: str | None = None
    line: int | None = None


@dataclass(slots=True)
class Summary:
    """Counts of test cases. ``seconds`` is what they took together; ``failures`` are the first ones."""

    total: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    @property
    def passed(self) -> int:
        return self.total - self.failed - self.errors - self.skipped


def written_at(path: Path) -> int:
    """When the file was last written, in nanoseconds; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def read_report(path: Path, before: int = 0, root: Path | None = None) -> Summary:
    """The summary of a report, which lies in ``root`` where that is given: no link leads out of it.

    Raises :class:`Unreadable`, also for one that was last written at ``before``: it is from an earlier run.
    """
    if root is not None:
        return _read_inside(root, path, before)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as problem:
        raise Unreadable(f"{path.name}: {problem.strerror}") from None
    try:
        return _read(descriptor, path.name, before)
    finally:
        os.close(descriptor)


def _read_inside(root: Path, path: Path, before: int) -> Summary:
    """Read what is opened name by name from the root on, so that nobody puts a link in the way meanwhile."""
    try:
        with Root(root) as lane, lane.file(os.path.relpath(path, root)) as (descriptor, _):
            return _read(descriptor, path.name, before)
    except WorkspaceProblem as problem:
        raise Unreadable(f"{path.name}: {words(problem)}") from None


def _read(descriptor: int, name: str, before: int) -> Summary:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(f"{name} is no file")
    if status.st_size > SIZE_LIMIT:
        raise Unreadable(f"{name} holds more than {SIZE_LIMIT} bytes")
    if status.st_mtime_ns == before:
        raise Unreadable(f"{name} is from an earlier run")
    return _parse(descriptor, name)


def _parse(descriptor: int, name: str) -> Summary:
    reader = _Reader()
    left = SIZE_LIMIT
    try:
        while left > 0:
            data = os.read(descriptor, CHUNK)
            reader.parser.Parse(data, not data)
            if not data:
                return reader.summary
            left -= len(data)
    except (expat.ExpatError, OSError, ValueError) as problem:
        raise Unreadable(f"{name}: {problem}") from None
    raise Unreadable(f"{name} grows while it is read")


class _Reader:
    """Counts test cases as their ends come by; the totals that suites claim are not asked."""

    def __init__(self) -> None:
        self.summary = Summary()
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._doctype
        self._depth = 0
        self._case: dict[str, str] | None = None
        self._outcome: tuple[str, str] | None = None
        self._words: list[str] | None = None

    def _doctype(self, *_: object) -> None:
        raise ValueError("it has a document type, which is not read")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEPTH_LIMIT:
            raise ValueError("it is nested too deeply")
        kind = _local(tag)
        if self._depth == 1 and kind not in ("testsuites", "testsuite"):
            raise ValueError("it is no JUnit report")
        if kind == "testcase":
            self._case, self._outcome = attributes, None
        elif self._case is not None and kind in ("failure", "error", "skipped") and self._outcome is None:
            self._outcome = (kind, attributes.get("message", ""))
            self._words = []

    def _text(self, data: str) -> None:
        if self._words is not None and sum(map(len, self._words)) < TEXT_KEPT:
            self._words.append(data[:TEXT_KEPT])

    def _end(self, tag: str) -> None:
        self._depth -= 1
        kind = _local(tag)
        if kind in ("failure", "error", "skipped") and self._words is not None and self._outcome is not None:
            if not self._outcome[1]:
                self._outcome = (self._outcome[0], "".join(self._words).strip())
            self._words = None
        elif kind == "testcase" and self._case is not None:
            self._count(self._case, self._outcome)
            self._case = None

    def _count(self, case: dict[str, str], outcome: tuple[str, str] | None) -> None:
        summary = self.summary
        summary.total += 1
        summary.seconds += _seconds(case.get("time", ""))
        if outcome is None:
            return
        kind, message = outcome
        if kind == "skipped":
            summary.skipped += 1
            return
        if kind == "failure":
            summary.failed += 1
        else:
            summary.errors += 1
        if len(summary.failures) < FAILURES_KEPT:
            owner = case.get("classname", "")
            name = f"{owner}.{case.get('name', '')}".strip(".")
            summary.failures.append(
                Failure(
                    name[:TEXT_KEPT], kind, message[:TEXT_KEPT], case.get("file"), _line(case.get("line"))
                )
            )


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2]


def _seconds(text: str) -> float:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0


def _line(text: str | None) -> int | None:
    return (
        int(text) if text is not None and text.isascii() and text.isdigit() and 0 < len(text) < 10 else None
    )
