"""The rules of runs as data: who may patch what, and how planning moves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render

SOURCES = ("specs/run_planning.yaml", "specs/run_policy.yaml")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    if not specs.run_rules:
        return
    content = render(
        "python/run_rules.py.jinja",
        rules=[rule for _, rule in sorted(specs.run_rules.items())],
        moves=[move for _, move in sorted(specs.run_moves.items())],
    )
    yield PlannedFile(PurePosixPath("ade_generated/run_rules.py"), content, SOURCES)
