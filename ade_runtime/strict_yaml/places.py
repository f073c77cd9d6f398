"""Where something stands in a text file, and what is told about it."""

from __future__ import annotations

import re
from collections.abc import Sized
from dataclasses import dataclass
from typing import Protocol

LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file: its path as readers know it, 1-based line and column (in code points)."""

    file: str
    line: int
    column: int


class Faults(Protocol):
    """Collects what is wrong; ``help`` says what to do, empty where the message already does."""

    @property
    def items(self) -> Sized: ...

    def add(self, span: Span, code: str, message: str, help: str = "") -> None: ...
