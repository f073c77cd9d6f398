"""Findings of a comparison, and the collector that keeps each once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from codegen.compat.rules import LEVELS, RULES, Level


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference. ``where`` names the thing (``lane.create.name``, ``type Lane.status``, ``error lane_busy``) and, with the
    rule, is what an announcement names. ``at`` is its place in the new specs, or in the old where it is gone."""

    rule: str
    where: str
    message: str
    at: str

    @property
    def level(self) -> Level:
        return RULES[self.rule][0]

    @property
    def order(self) -> tuple[int, str, int, str, str]:
        file, _, rest = self.at.partition(":")
        line = rest.partition(":")[0]
        return LEVELS.index(self.level), file, int(line) if line.isdigit() else 0, self.where, self.rule

    def line(self) -> str:
        """``file:line:col: level: rule: where: message``."""
        return f"{self.at}: {self.level}: {self.rule}: {self.where}: {self.message}"


@dataclass(slots=True)
class Findings:
    """Collects findings; what several actions share is told once."""

    items: dict[tuple[str, str, str], Finding] = field(default_factory=dict)

    def add(self, rule: str, where: str, message: str, at: str) -> None:
        assert rule in RULES, rule
        self.items.setdefault((rule, where, message), Finding(rule, where, message, at))

    def sorted(self) -> tuple[Finding, ...]:
        return tuple(sorted(self.items.values(), key=lambda found: found.order))


def of_level(found: Iterable[Finding], level: Level) -> list[Finding]:
    return [one for one in found if one.level == level]
