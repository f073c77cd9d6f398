"""Text layouts as data for the renderer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir, memo
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    layouts = [layout for _, layout in sorted(specs.layouts.items())]
    content = memo.of_all(
        emit, layouts, lambda: render("python/layouts.py.jinja", layouts=layouts, by_name=specs.layouts)
    )
    yield PlannedFile(PurePosixPath("ade_generated/layouts.py"), content, ("specs/text_layouts.yaml",))
