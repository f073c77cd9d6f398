"""The files of ``docs/`` and beside it as pages, and where a link from one to another leads."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from codegen import ir
from codegen.emitters.docs import anchor
from codegen.naming import module_name
from codegen.site.markdown import Document, document
from codegen.site.pages import Page, action_page, link

BESIDE = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "codegen/README.md")
"""Pages that are no part of ``docs/``."""

_LINK = re.compile(r"\]\(([^)#\s]+\.md)\)")
MADE_ANEW = {
    "docs/README.md": "index.html",
    "README.md": "index.html",
    "docs/reference/README.md": "actions.html",
    "docs/reference/errors.md": "errors.html",
    "docs/reference/access.md": "access.html",
}
"""Files whose place a page of another making takes."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, the page it becomes, and the part of the navigation it stands in."""

    path: str
    page: str
    section: str
    text: str


def sources(root: Path, reference: Mapping[str, str]) -> list[Source]:
    """Every file that becomes a page, in the order of the navigation. ``reference`` holds the generated ones by their path."""
    found = [
        Source("docs/concepts.md", "concepts.html", "start", (root / "docs/concepts.md").read_text("utf-8"))
    ]
    for path in _guides(root):
        found.append(_read(root, path, f"guides/{Path(path).stem}.html", "guides"))
    for path, text in sorted(reference.items()):
        if path not in MADE_ANEW and not path.startswith("docs/reference/actions/"):
            found.append(Source(path, f"reference/{Path(path).stem}.html", "reference", text))
    for file in sorted((root / "docs" / "decisions").glob("*.md")):
        name = "index" if file.stem == "README" else file.stem
        found.append(_read(root, f"docs/decisions/{file.name}", f"decisions/{name}.html", "decisions"))
    found += [_read(root, path, f"project/{_stem(path)}.html", "project") for path in BESIDE]
    return found


def _read(root: Path, path: str, page: str, section: str) -> Source:
    return Source(path, page, section, (root / path).read_text("utf-8"))


def _stem(path: str) -> str:
    return "generator" if "/" in path else Path(path).stem.lower()


def _guides(root: Path) -> list[str]:
    """The guides in the order in which the documentation's first page names them, then the others."""
    first = (root / "docs" / "README.md").read_text("utf-8")
    named = [f"docs/{target}" for target in _LINK.findall(first) if target.startswith("guides/")]
    there = [f"docs/guides/{path.name}" for path in sorted((root / "docs" / "guides").glob("*.md"))]
    return [*(path for path in named if path in there), *(path for path in there if path not in named)]


class Places:
    """Where the files and anchors of the documentation are on the site."""

    def __init__(self, found: list[Source], specs: ir.Specs) -> None:
        self._pages = {source.path: source.page for source in found} | MADE_ANEW
        self._pages |= {
            f"docs/reference/actions/{module_name(domain.name)}.md": f"domains/{module_name(domain.name)}.html"
            for domain in specs.domains
        }
        self._actions = {
            (str(module_name(action.domain)), anchor(action.id)): action.id for action in specs.actions
        }

    def of(self, source: str, page: str, target: str) -> str | None:
        """What a link in the file ``source`` becomes on ``page``; ``None`` where it leads to no page."""
        path, _, place = target.partition("#")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        found = self._pages.get(file)
        if found is None:
            return None
        action = self._actions.get((Path(file).stem, place))
        if file.startswith("docs/reference/actions/") and action is not None:
            return link(page, action_page(action))
        return link(page, f"{found}#{place}" if place else found)


def pages(found: list[Source], places: Places) -> Iterator[tuple[Page, Document]]:
    """Each file as a page, and what was read in it."""
    for source in found:
        made = document(source.text, partial(places.of, source.path, source.page))
        yield (
            Page(
                path=source.page,
                title=made.title,
                summary=made.lead,
                body=made.body,
                section=source.section,
                contents=made.headings,
            ),
            made,
        )
