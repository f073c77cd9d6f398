"""Every page of the site, from the specs and the files of ``docs/``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ade_runtime.machine.facts import PROTOCOL
from codegen import ir
from codegen.emitters import clients, docs, json_schema
from codegen.site import catalogues, diagrams, guides, search
from codegen.site.actions import action_values, contents
from codegen.site.pages import Page, action_page, domain_page, render
from codegen.site.transcripts import Refusal

ASSETS = Path(__file__).with_name("assets")
REFERENCE = (
    ("actions.html", "Actions"),
    ("access.html", "Who may call what"),
    ("errors.html", "Errors"),
)
SECTIONS = (
    ("guides", "Guides"),
    ("reference", "Reference"),
    ("decisions", "Decisions"),
    ("project", "The project"),
)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the actions of a pack come from, and by action what performs each."""

    pack: str
    told: str
    runs: Mapping[str, str]


class Site:
    """``origins`` are those of the domains that packs bring; all others are ADE's own."""

    def __init__(
        self,
        root: Path,
        specs: ir.Specs,
        *,
        version: str,
        refusal: Refusal | None = None,
        origins: Mapping[str, Origin] | None = None,
    ) -> None:
        self._specs = specs
        self._version = version
        self._refusal = refusal
        self._origins = dict(origins or {})
        emitted = [*docs.emit(specs), *clients.emit(specs), *json_schema.emit(specs)]
        reference = {str(file.path): file.content for file in emitted}
        found = guides.sources(root, reference)
        self._read = list(guides.pages(found, guides.Places(found, specs)))

    def files(self) -> dict[str, str]:
        """Every file of the site by its path."""
        pages = [*self._pages(), *(page for page, _ in self._read)]
        out = {page.path: self._whole(page) for page in pages}
        out["assets/index.js"] = search.script(search.rows(self._specs, self._read))
        for asset in sorted(ASSETS.iterdir()):
            out[f"assets/{asset.name}"] = asset.read_text("utf-8")
        return out

    def _pages(self) -> Iterator[Page]:
        yield self._index()
        yield self._made(
            "actions.html", "Actions", "Every action, by domain.", "reference", domains=self._specs.domains
        )
        yield self._made(
            "access.html",
            "Who may call what",
            "Every action against every role: who sees it, and who may call it.",
            "reference",
            roles=catalogues.ranked(self._specs),
            groups=catalogues.matrix(self._specs),
            answers=catalogues.ANSWERS,
            toolsets=list(self._specs.toolsets.values()),
        )
        yield self._made(
            "errors.html",
            "Errors",
            "Every error, what it means, and what to do about it.",
            "reference",
            **catalogues.errors(self._specs),
        )
        for domain in self._specs.domains:
            yield self._domain(domain)
            for before, action, after in _between(domain.actions):
                yield self._action(domain, action, before, after)

    def _index(self) -> Page:
        specs = self._specs
        counts = [
            ("actions", len(specs.actions), "actions.html"),
            ("domains", len(specs.domains), "actions.html"),
            ("errors", len(specs.errors), "errors.html"),
            ("roles", len(specs.roles), "access.html"),
        ]
        return self._made(
            "index.html",
            "ADE",
            "The local control plane for coding agents: every action, its errors, and who may call it.",
            "start",
            counts=counts,
            stages=diagrams.PIPELINE,
            errors=specs.errors,
            pipeline=diagrams.pipeline("index.html", specs),
            map=diagrams.domains("index.html", specs),
            effects=diagrams.EFFECTS,
            guides=[page for page, _ in self._read if page.section == "guides"],
        )

    def _domain(self, domain: ir.Domain) -> Page:
        path = domain_page(domain.name)
        return self._made(
            path,
            domain.title.one_line(),
            domain.summary.one_line(),
            "domains",
            within=("actions.html", "Actions"),
            domain=domain,
            origin=self._origins.get(domain.name),
            drawing=diagrams.neighbours(path, domain, self._specs),
        )

    def _action(
        self, domain: ir.Domain, action: ir.Action, before: ir.Action | None, after: ir.Action | None
    ) -> Page:
        values = action_values(domain, action, self._specs, self._refusal)
        return self._made(
            action_page(action.id),
            action.id,
            action.summary.one_line(),
            "domains",
            template="action.html.jinja",
            within=(domain_page(domain.name), domain.title.one_line()),
            contents=tuple(contents(values)),
            origin=self._origins.get(domain.name),
            before=before,
            after=after,
            **values,
        )

    def _made(
        self,
        path: str,
        title: str,
        summary: str,
        section: str,
        *,
        template: str = "",
        within: tuple[str, str] | None = None,
        contents: tuple[tuple[str, str], ...] = (),
        **values: Any,
    ) -> Page:
        name = template or ("domain.html.jinja" if section == "domains" else f"{path}.jinja")
        body = render(name, path, title=title, summary=summary, **values)
        return Page(
            path=path,
            title=title,
            summary=summary,
            body=body,
            section=section,
            within=within,
            contents=contents,
        )

    def _whole(self, page: Page) -> str:
        written = page.section in ("guides", "decisions", "project") or page.path.startswith("reference/")
        return render(
            "page.html.jinja",
            page.path,
            page=page,
            body=Markup(page.body),
            written=written or page.path == "concepts.html",
            version=self._version,
            protocol=PROTOCOL,
            sections=list(self._navigation()),
            domains=self._specs.domains,
            origins=self._origins,
        )

    def _navigation(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The parts of the navigation besides the domains, each with its pages."""
        yield "Start", [("index.html", "Overview"), ("concepts.html", "Concepts")]
        for section, title in SECTIONS:
            pages = [(page.path, page.title) for page, _ in self._read if page.section == section]
            if section == "reference":
                pages = [*REFERENCE, *pages]
            if section == "decisions":
                pages = [("decisions/index.html", "All decisions")]
            yield title, pages


def _between(
    actions: Iterable[ir.Action],
) -> Iterator[tuple[ir.Action | None, ir.Action, ir.Action | None]]:
    """Each action with those before and after it."""
    listed = list(actions)
    for number, action in enumerate(listed):
        before = listed[number - 1] if number else None
        yield before, action, listed[number + 1] if number + 1 < len(listed) else None
