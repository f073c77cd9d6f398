"""Two sides measured in turn, and the row that comes of it."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Side = Callable[[], float]
"""Does the thing once and returns the seconds it took."""


@dataclass(frozen=True, slots=True)
class Size:
    """``quick`` is for trying a benchmark out."""

    quick: bool

    def of(self, full: int, quick: int) -> int:
        return quick if self.quick else full


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: times in milliseconds (or another ``unit``), ``goal`` the ratio that must not be exceeded,
    ``None`` for information."""

    figure: str
    what: str
    ours_ms: float | None
    peer: str
    peer_ms: float | None
    goal: float | None
    note: str = ""
    unit: str = "ms"

    @property
    def ratio(self) -> float | None:
        return self.ours_ms / self.peer_ms if self.ours_ms is not None and self.peer_ms else None

    @property
    def verdict(self) -> str:
        if self.note == "failed":
            return "failed"
        if self.ratio is None:
            return "no peer"
        if self.goal is None:
            return "info"
        return "met" if self.ratio <= self.goal else "missed"


def alternate(sides: Sequence[Side], rounds: int, warm_up: int = 1) -> list[float]:
    """Medians in milliseconds of sides measured A B A B …, after ``warm_up`` rounds that do not count."""
    times: list[list[float]] = [[] for _ in sides]
    for number in range(warm_up + rounds):
        for side, taken in zip(sides, times, strict=True):
            seconds = side()
            if number >= warm_up:
                taken.append(seconds)
    return [statistics.median(taken) * 1000 for taken in times]


def process(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> Side:
    """A whole process, from start to end, its output captured; it must succeed."""

    def side() -> float:
        began = time.perf_counter()
        done = subprocess.run(argv, cwd=cwd, env=env, stdin=subprocess.DEVNULL, capture_output=True)
        took = time.perf_counter() - began
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(argv)}: {done.stderr.decode(errors='replace').strip()}")
        return took

    return side
