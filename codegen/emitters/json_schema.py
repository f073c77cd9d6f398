"""``docs/reference/json-schema.md``: each keyword of JSON Schema, and whether specs have it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.keywords import KEYWORDS, OWN
from codegen.load.advice import INSTEAD
from codegen.plan import PlannedFile
from codegen.templating import render

_WORDS = {"yes": "yes", "part": "in part", "no": "no"}


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    rows = [
        {
            "name": name,
            "supported": _WORDS[keyword.supported],
            "note": keyword.note,
            "instead": INSTEAD.get(name, "") if keyword.supported == "no" else "",
        }
        for name, keyword in KEYWORDS.items()
    ]
    text = render("docs/json-schema.md.jinja", keywords=rows, own=OWN)
    yield PlannedFile(
        PurePosixPath("docs/reference/json-schema.md"), text, ("specs/schema/value.schema.json",)
    )
