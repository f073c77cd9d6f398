"""The rows of ``ade_generated.run_rules``, which specs/run_policy.yaml and specs/run_planning.yaml become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchRule:
    """What members of one role may do to some fields. ``paths`` hold ``*`` for one element or key and ``-`` for a new element;
    ``fields`` are those a new element may have; empty ``phases`` are all of them."""

    name: str
    role: Literal["lead", "worker", "validator"]
    summary: str
    ops: tuple[str, ...]
    paths: tuple[str, ...]
    fields: tuple[str, ...] = ()
    guard: str | None = None
    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningMove:
    """What takes planning from one of ``sources`` to ``target``."""

    name: str
    summary: str
    sources: tuple[str, ...]
    target: str
