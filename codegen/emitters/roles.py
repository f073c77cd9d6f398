"""Roles, toolsets and rate limits as data for the pipeline."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render

SOURCES = ("specs/rate_limits.yaml", "specs/roles.yaml", "specs/toolsets.yaml")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    content = render(
        "python/roles.py.jinja",
        roles=sorted(specs.roles.values(), key=lambda role: (role.rank, role.name)),
        toolsets=[toolset for _, toolset in sorted(specs.toolsets.items())],
        rate_limits=[limit for _, limit in sorted(specs.rate_limits.items())],
    )
    yield PlannedFile(PurePosixPath("ade_generated/roles.py"), content, SOURCES)
