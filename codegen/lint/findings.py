"""Findings of linting, the edits that mend them, and their collector."""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.ir import Span
from codegen.lint.rules import RULES, SEVERITIES, Severity


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces ``length`` characters of a line from a column (both from 1) on; ``whole`` removes the line with its end."""

    line: int
    column: int
    length: int
    text: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """``edit`` mends it where that is safe."""

    rule: str
    span: Span
    message: str
    edit: Edit | None = None

    @property
    def severity(self) -> Severity:
        return RULES[self.rule].severity

    @property
    def order(self) -> tuple[int, str, int, int, str]:
        return SEVERITIES.index(self.severity), self.span.file, self.span.line, self.span.column, self.rule

    def line(self) -> str:
        """``file:line:col: severity: rule: message``."""
        at = f"{self.span.file}:{self.span.line}:{self.span.column}"
        return f"{at}: {self.severity}: {self.rule}: {self.message}"


@dataclass(slots=True)
class Report:
    items: list[Found] = field(default_factory=list)

    def add(self, rule: str, span: Span, message: str, edit: Edit | None = None) -> None:
        assert rule in RULES, rule
        self.items.append(Found(rule, span, message, edit))
