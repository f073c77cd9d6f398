"""Small readers over checked nodes: typed values, with a default for what is absent or faulty."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ade_runtime.strict_yaml.reader import Mapping, Node, Scalar, Sequence, plain
from codegen.ir import Span
from codegen.text import SpecText

T = TypeVar("T")

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)")


class View:
    """One mapping, read key by key. Values whose structure is faulty (``bad``) count as absent.

    A fault has been reported by then, so whatever is built here is never returned to a caller; reading on
    only serves to find further mistakes in the same run.
    """

    __slots__ = ("_bad", "node")

    def __init__(self, node: Node, bad: set[int]) -> None:
        self.node = node if isinstance(node, Mapping) else Mapping(node.span, {})
        self._bad = bad

    def __contains__(self, key: str) -> bool:
        return key in self.node.entries

    def get(self, key: str) -> Node | None:
        """The value's node, or ``None`` where it is absent or faulty."""
        found = self.node.get(key)
        return None if found is None or id(found) in self._bad else found

    def raw(self, key: str) -> Node | None:
        """The value's node even where something in it is faulty."""
        return self.node.get(key)

    def view(self, key: str) -> View:
        """The mapping at ``key``; an empty one where there is none."""
        found = self.node.get(key)
        return View(found if found is not None else Mapping(self.node.span, {}), self._bad)

    def text(self, key: str) -> SpecText | None:
        value = self.scalar(key)
        return SpecText(value) if isinstance(value, str) else None

    def must_text(self, key: str) -> SpecText:
        return self.text(key) or SpecText("")

    def scalar(self, key: str) -> Any:
        found = self.get(key)
        return found.value if isinstance(found, Scalar) else None

    def word(self, key: str, default: Any = None) -> Any:
        """A text, number or boolean; ``default`` where there is none."""
        value = self.scalar(key)
        return default if value is None else value

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        found = self.get(key)
        if not isinstance(found, Sequence):
            return ()
        return tuple(
            item.value for item in found.items if isinstance(item, Scalar) and isinstance(item.value, str)
        )

    def data(self, key: str) -> Any:
        """The value as plain JSON data."""
        found = self.get(key)
        return None if found is None else plain(found)

    def entries(self, key: str) -> Iterator[tuple[str, Span, View]]:
        """Name, place of the name and mapping of each entry at ``key``."""
        found = self.node.get(key)
        if isinstance(found, Mapping):
            for name, (span, node) in found.entries.items():
                yield name, span, View(node, self._bad)

    def items(self, key: str) -> Iterator[View]:
        """The mappings of a list at ``key``."""
        found = self.node.get(key)
        if isinstance(found, Sequence):
            for node in found.items:
                yield View(node, self._bad)

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def bad(self) -> bool:
        """Whether something in this mapping is faulty."""
        return id(self.node) in self._bad


def seconds(text: str | None, default: float) -> float:
    """``500ms``, ``60s``, ``5m`` or ``1h`` in seconds."""
    found = _DURATION.fullmatch(text or "")
    return float(found[1]) * _UNITS[found[2]] if found else default


def each(view: View, key: str, build: Callable[[str, Span, View], T]) -> dict[str, T]:
    """Build every entry at ``key``, by name."""
    return {name: build(name, span, entry) for name, span, entry in view.entries(key)}
