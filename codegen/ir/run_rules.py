"""What the specs say of runs: who may patch what, and how planning moves."""

from __future__ import annotations

from dataclasses import dataclass

from ade_runtime.strict_yaml.places import Span
from codegen.text import SpecText


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRule:
    """``paths`` hold ``*`` for one element or key and ``-`` for a new element; ``fields`` are those a new element may have, and
    ``phases`` where the rule holds, empty for everywhere."""

    name: str
    span: Span
    role: str
    summary: SpecText
    ops: tuple[str, ...]
    paths: tuple[str, ...]
    fields: tuple[str, ...] = ()
    guard: str | None = None
    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMove:
    """What takes planning from one of ``sources`` to ``target``."""

    name: str
    span: Span
    summary: SpecText
    sources: tuple[str, ...]
    target: str
