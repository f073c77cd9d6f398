"""Every event there is: one an action that changes something, and those that domains declare besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    sources = tuple(domain.file for domain in specs.domains)
    content = render("python/events.py.jinja", events=rows(specs))
    yield PlannedFile(PurePosixPath("ade_generated/events.py"), content, sources)


def rows(specs: ir.Specs) -> list[dict[str, Any]]:
    """``type``, ``category``, ``summary``, ``toolset`` and the ``action`` it follows, if any; by type."""
    return sorted(_rows(specs), key=lambda row: str(row["type"]))


def _rows(specs: ir.Specs) -> Iterator[dict[str, Any]]:
    for domain in specs.domains:
        for action in domain.actions:
            if action.effect != "read":
                yield {
                    "type": action.id,
                    "category": domain.name,
                    "summary": action.summary,
                    "toolset": action.toolset,
                    "action": action.id,
                }
        for event in domain.events:
            yield {
                "type": event.type,
                "category": domain.name,
                "summary": event.summary,
                "toolset": event.toolset,
                "action": None,
            }
