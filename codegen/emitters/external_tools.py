"""The agent programs to look for, as data for ``tools.detect`` and the doctor."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    if not specs.external_tools:
        return
    content = render(
        "python/external_tools.py.jinja",
        tools=[tool for _, tool in sorted(specs.external_tools.items())],
        known_folders=specs.known_folders,
    )
    yield PlannedFile(
        PurePosixPath("ade_generated/external_tools.py"), content, ("specs/external_tools.yaml",)
    )
