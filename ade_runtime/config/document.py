"""The text of a configuration as a checked model, with the place of every fault in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ade_generated.models.types import ProjectConfig
from ade_runtime.config.rules import problems_of
from ade_runtime.strict_yaml.places import Span
from ade_runtime.strict_yaml.reader import Mapping, Node, Sequence, decode, plain, read
from ade_runtime.wire_errors import Problem, WireError

FAULTS_SHOWN = 100
_FIXES = {
    "missing": "add it",
    "extra_forbidden": "correct its spelling, or remove it",
    "string_type": "quote it",
    "null": "give it a value, or remove the key",
}
_KEY_KINDS = ("extra_forbidden", "name")
"""Problems that are about a key, not about its value."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """Something wrong in the file, at a 1-based line and column; ``path`` is dotted."""

    line: int
    column: int
    path: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Document:
    """``config`` is ``None`` where there are faults; ``data`` is what the YAML says, ``None`` where it could not be read."""

    text: str
    data: dict[str, Any] | None
    config: ProjectConfig | None
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class FaultSink:
    """Collects what the reader of YAML finds; ``codes`` are the kinds of what it found, in their order."""

    items: list[Fault] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)

    def add(self, span: Span, code: str, message: str, help: str = "") -> None:
        self.codes.append(code)
        self.items.append(Fault(span.line, span.column, "", message, help))


def parse(data: bytes) -> Document:
    """Read a whole file; an empty one, or one of comments only, says nothing and is valid."""
    sink = FaultSink()
    text = decode(data, "", sink)
    node = None if text is None else read(text, "", sink)
    if sink.codes == ["yaml-empty"]:
        return Document(text or "", {}, ProjectConfig(), ())
    if node is None or sink.items:
        return Document(text or "", None, None, tuple(sorted(sink.items)))
    document = plain(node)
    try:
        config = ProjectConfig.from_wire(document)
        found: Iterable[Problem] = problems_of(config)
    except WireError as refusal:
        config, found = None, refusal.problems
    faults = tuple(sorted(_fault(problem, node) for problem in found))
    return Document(text or "", document, None if faults else config, faults)


def parse_value(text: str) -> Any:
    """One value as YAML, such as ``always``, ``8000``, ``[a, b]`` or lines of a mapping; raises :class:`ValueError`."""
    sink = FaultSink()
    lines = "\n".join("  " + line for line in text.splitlines())
    node = read(f"value:\n{lines}\n", "", sink)
    if node is None or sink.items or len(node.entries) != 1:
        first = sink.items[0] if sink.items else None
        raise ValueError("it is no YAML value" if first is None else first.message)
    value = node.get("value")
    assert value is not None
    return plain(value)


def _fault(problem: Problem, root: Mapping) -> Fault:
    span = place_of(problem, root)
    fix = _FIXES.get(problem.kind, "see `ade config schema` for what may stand there")
    return Fault(span.line, span.column, problem.path, problem.message, fix)


def place_of(problem: Problem, root: Mapping) -> Span:
    """Where a problem is: the value at its path, its key where that is the matter, else the innermost thing above that is
    there."""
    node: Node = root
    span = root.span
    rest = problem.path
    while rest:
        step = _step(node, rest)
        if step is None:
            return span
        key_span, node, rest = step
        span = key_span
    return span if problem.kind in _KEY_KINDS else node.span


def _step(node: Node, path: str) -> tuple[Span, Node, str] | None:
    """The next thing on a dotted path, with the rest of the path; a key may hold dots itself."""
    if isinstance(node, Sequence):
        head, _, rest = path.partition(".")
        if head.isdecimal() and int(head) < len(node.items):
            item = node.items[int(head)]
            return item.span, item, rest
        return None
    if isinstance(node, Mapping):
        for key in sorted(node.entries, key=len, reverse=True):
            if path == key or path.startswith(key + "."):
                span, value = node.entries[key]
                return span, value, path[len(key) + 1 :]
    return None
