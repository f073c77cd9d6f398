"""The declared shape of a command: what generated modules under ``ade_generated.cli`` are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ade_runtime.cli.values import ValueType, read_value, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldParam:
    """One input field as a command sees it.

    ``field`` is the wire name; ``flags`` its spellings, the long one last, or none; ``off_flag`` the spelling
    that turns a boolean off. A positional field can be given by its flag as well. ``many`` fields repeat, one
    item each time. ``limits`` says the type, bounds and default in words. The text of a ``secret`` field is
    never on the line: its flag names where to read it, and without the flag it is asked for.
    """

    field: str
    kind: ValueType
    flags: tuple[str, ...]
    metavar: str
    help: str
    limits: str
    required: bool = False
    positional: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    off_flag: str | None = None
    complete: str | None = None
    hidden: bool = False
    secret: bool = False

    @property
    def flag(self) -> str:
        """The long spelling; ``--arg FIELD=`` for a field whose own spelling the program keeps for itself."""
        return self.flags[-1] if self.flags else f"--arg {self.field}="

    @property
    def shown_name(self) -> str:
        """How usage and messages name the field: ``NAME`` or ``--base``."""
        return self.metavar if self.positional else self.flag

    @property
    def is_switch(self) -> bool:
        """Whether the field is given as ``--x`` or ``--no-x``."""
        return self.kind == "boolean" and not self.many and not self.positional

    def read(self, text: str) -> Any:
        """The value ``text`` writes; for a field of many, one item. ``ValueError`` says what is wrong."""
        try:
            return read_value(self.kind, text, choices=self.choices)
        except ValueError as error:
            raise ValueError(f"{shown(text)!r} {error}") from None


RuleKind = Literal["exactly_one_of", "at_most_one_of", "at_least_one_of", "requires"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleInfo:
    """A rule across fields; for ``requires`` the first field, when given, needs the others."""

    kind: RuleKind
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorInfo:
    """An error the action can end with."""

    code: str
    exit: int
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleInfo:
    """A command line that was made from an example of the spec, and the error it ends with, if any."""

    title: str
    line: str
    error: str | None = None
