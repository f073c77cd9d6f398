"""The table of environment variables."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    variables = sorted(specs.environment, key=lambda variable: variable.name)
    content = render("python/environment.py.jinja", variables=variables)
    yield PlannedFile(PurePosixPath("ade_generated/environment.py"), content, ("specs/environment.yaml",))
