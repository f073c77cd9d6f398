"""What the search of the site looks through: one row for whatever a page or a heading is about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from codegen import ir
from codegen.site.markdown import Document
from codegen.site.pages import Page, action_page, domain_page, error_place
from codegen.text import visible

Row = tuple[str, str, str, str, str]
"""Kind, title, text, page, and more words that find it."""


def rows(specs: ir.Specs, read: Iterable[tuple[Page, Document]]) -> Iterator[Row]:
    """Actions first: of two that fit as well, the earlier is shown first."""
    for domain in specs.domains:
        for action in domain.actions:
            command = f"ade {domain.group} {action.command}"
            words = [command, action.tool, *action.aliases, *(field.name for field in action.fields)]
            yield "Action", action.id, action.summary.one_line(), action_page(action.id), " ".join(words)
    for domain in specs.domains:
        words = [domain.group, domain.name, *domain.group_aliases]
        yield (
            "Domain",
            domain.title.one_line(),
            domain.summary.one_line(),
            domain_page(domain.name),
            " ".join(words),
        )
    for page, document in read:
        kind = {"guides": "Guide", "decisions": "Decision", "start": "Concept"}.get(page.section, "Page")
        yield kind, page.title, _short(page.summary), page.path, ""
        for anchor, heading in document.headings:
            yield kind, heading, page.title, f"{page.path}#{anchor}", ""
    for error in specs.errors.values():
        yield "Error", error.code, error.summary.one_line(), error_place(error.code), str(error.rpc)
    for variable in specs.environment:
        yield "Variable", variable.name, variable.summary.one_line(), "reference/environment.html", ""


def script(found: Iterable[Row]) -> str:
    """The rows as a script: a page that was opened from a file may load that, and nothing else."""
    data = json.dumps(list(map(list, found)), ensure_ascii=False, separators=(",", ":"))
    data = visible(data).replace("</", "<\\/")
    return f"window.ADE_SEARCH={data};\n"


def _short(text: str) -> str:
    return text if len(text) <= 140 else text[:139].rstrip() + "…"
