"""``docs/reference/clients.md``: what each client makes of ADE's tools."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.emitters.docs import fenced
from codegen.plan import PlannedFile
from codegen.projections import PROFILES, project
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """The page, with the first tool that lists something as the example of code mode."""
    rows = [
        {
            "name": name,
            "title": profile.title,
            "shown": profile.shown.format(server="SERVER", tool="TOOL"),
            "longest": profile.longest,
            "parts": ", ".join(profile.parts),
            "hides": ", ".join(sorted(profile.hides)) or "nothing",
            "refuses": ", ".join(sorted(profile.refuses)) or "nothing that a spec can say",
        }
        for name, profile in PROFILES.items()
    ]
    shown = next((action for action in specs.actions if action.name == "list"), specs.actions[0])
    code = project(shown, specs, PROFILES["codex-code"]).declaration
    text = render("docs/clients.md.jinja", profiles=rows, declaration=fenced([code], "ts"))
    yield PlannedFile(
        PurePosixPath("docs/reference/clients.md"), text, tuple(domain.file for domain in specs.domains)
    )
