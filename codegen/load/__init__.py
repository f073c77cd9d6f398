"""From ``specs/`` to :class:`codegen.ir.Specs`: read, check against the schemas, build, check across files.

Every fault of every file is found in one run; the model is returned only when there is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ade_runtime.strict_yaml.reader import Mapping as MappingNode
from ade_runtime.strict_yaml.reader import decode, read, refuse_characters
from codegen import ir, narrow
from codegen.checks import Context, run_checks
from codegen.diagnostics import Sink, SpecErrors
from codegen.load import run_rules, tables
from codegen.load.domains import DomainBuilder
from codegen.load.files import SpecFile, find
from codegen.load.methods import method
from codegen.load.nodes import View
from codegen.load.schemas import SchemaFolder
from codegen.load.skills import skill_text
from codegen.load.structure import Walker
from codegen.load.values import ValueBuilder
from codegen.places import Places
from codegen.sound import Sound
from codegen.text import SpecText
from codegen.wording import quote

__all__ = ["SpecLoader", "load_specs"]

R = TypeVar("R")
SCHEMAS = next(
    folder / "specs" / "schema"
    for folder in (Path(__file__).resolve().parents[2], Path(__file__).resolve().parents[1])
    if (folder / "specs" / "schema").is_dir()
)
"""Beside the generator in a checkout, inside it where it is installed."""

_TABLES: Mapping[str, tuple[str, Callable[[str, ir.Span, View], Any]]] = {
    "completions": ("completers", tables.completer),
    "environment": ("environment", tables.variable),
    "errors": ("errors", tables.error),
    "external_tools": ("external_tools", tables.external_tool),
    "providers": ("providers", tables.provider),
    "fixtures": ("fixtures", tables.fixture),
    "rate_limits": ("rate_limits", tables.rate_limit),
    "roles": ("roles", tables.role),
    "run_planning": ("moves", run_rules.move),
    "run_policy": ("rules", run_rules.rule),
    "text_layouts": ("layouts", tables.layout),
    "toolsets": ("toolsets", tables.toolset),
}


def load_specs(root: Path, known: Sound | None = None) -> ir.Specs:
    """Load and check everything under ``root/specs``; what is ``known`` to be right is not checked again.

    Raises :class:`codegen.diagnostics.SpecErrors` with all faults there are.
    """
    return SpecLoader(root, known).load()


def schemas_digest() -> str:
    """Of the schemas that files are held to."""
    total = hashlib.sha256()
    for path in sorted(SCHEMAS.iterdir()):
        total.update(f"\0{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


class SpecLoader:
    """One run over all files; a subclass may add files of its own to them."""

    def __init__(self, root: Path, known: Sound | None = None) -> None:
        self.root = root
        self.sound = known if known is not None and known.schemas == schemas_digest() else Sound()
        self.sink = Sink()
        self.places = Places()
        self.walker = Walker(SchemaFolder(SCHEMAS), self.sink)
        self.values = ValueBuilder(self.walker.bad, self.places)
        self.domain_builder = DomainBuilder(self.values, self.places)
        self.texts: dict[str, str] = {}
        self.roots: list[MappingNode] = []
        """Keeps all nodes alive, because faulty ones are known by their identity."""
        self.domains: dict[str, ir.Domain] = {}
        self.types: dict[str, ir.NamedType] = {}
        self.tables: dict[str, dict[str, Any]] = {kind: {} for kind in _TABLES}
        self.methods: dict[str, ir.Method] = {}
        self.guidance: list[ir.GuidanceText] = []
        self.skills: list[ir.SkillText] = []
        self.known_folders: tuple[str, ...] = ()
        self._proofs: dict[str, str] = {}
        self.incomplete: set[str] = set()
        """Kinds of files of which one could not be read, so that names it may declare must not be called unknown."""

    def load(self) -> ir.Specs:
        files = [*find(self.root, self.sink), *self.further_files()]
        for file in files:
            self._read(file)
        specs = self._specs(files)
        specs = replace(specs, keys=narrow.keys(specs))
        run_checks(
            Context(
                specs, self.places, self.sink, self.domain_builder.broken, self.incomplete, self.is_proven
            )
        )
        if self.sink.items:
            raise SpecErrors(self.sink.items, self.texts)
        return specs

    def further_files(self) -> list[SpecFile]:
        """Files that are read after those under ``specs/``."""
        return []

    def take_out(self, file: SpecFile, node: MappingNode) -> None:
        """Told of each file's nodes before they are held to the schema."""

    def made_of(self, file: SpecFile, build: Callable[[], R]) -> R:
        """What a file amounts to; a subclass may have it already."""
        return build()

    def is_proven(self, domain: ir.Domain, specs: ir.Specs) -> bool:
        """Whether the domain was found right before, together with all that it refers to."""
        before = self.sound.domains.get(domain.name)
        return before is not None and before == self.proof(domain, specs)

    def proof(self, domain: ir.Domain, specs: ir.Specs) -> str:
        """The digest of all by which the domain is found right."""
        if domain.name not in self._proofs:
            self._proofs[domain.name] = narrow.proof(specs, domain)
        return self._proofs[domain.name]

    def _read(self, file: SpecFile) -> None:
        text = decode(file.data, file.name, self.sink)
        if text is None:
            self.incomplete.add(file.kind)
            return
        self.texts[file.name] = text
        if file.kind == "guidance":
            refuse_characters(text, file.name, self.sink)
            self.guidance.append(
                ir.GuidanceText(name=Path(file.name).stem, file=file.name, text=SpecText(text))
            )
            return
        if file.kind == "skill":
            skill = skill_text(file.name, text, self.sink)
            self.skills += [] if skill is None else [skill]
            return
        node = read(text, file.name, self.sink)
        if node is None:
            self.incomplete.add(file.kind)
            return
        self.roots.append(node)
        self.take_out(file, node)
        if self.sound.files.get(file.name) != file.digest:
            self.walker.check(node, self.walker.schemas.file(file.kind))
        self._build(file, node)

    def _build(self, file: SpecFile, node: MappingNode) -> None:
        view = View(node, self.walker.bad)
        if file.kind == "domain":
            self._domain(file, view)
        elif file.kind == "types":
            self._types(file, view)
        elif file.kind == "methods":
            for name, span, entry in view.entries("methods"):
                self.places.note_key(span, entry.node)
                self.methods[name] = method(name, span, entry, self.values)
        else:
            if file.kind == "external_tools":
                self.known_folders = view.words("known_folders")
            self.tables[file.kind].update(self.made_of(file, lambda: dict(self._entries(file, view))))

    def _entries(self, file: SpecFile, view: View) -> Iterator[tuple[str, Any]]:
        key, build = _TABLES[file.kind]
        for name, span, entry in view.entries(key):
            self.places.note_key(span, entry.node)
            yield name, build(name, span, entry)

    def _domain(self, file: SpecFile, view: View) -> None:
        stem = Path(file.name).stem
        domain = self.made_of(file, lambda: self.domain_builder.build(view, file.name))
        if domain.name and domain.name != stem:
            message = f"the file of domain {quote(domain.name)} is called {stem}.yaml"
            self.sink.add(
                self.places.at(view.span, "domain"), "unknown-file", message, f"call it {domain.name}.yaml"
            )
        first = self.domains.get(domain.name)
        if first is not None:
            self._twice(
                "domain",
                domain.name,
                self.places.at(view.span, "domain"),
                self.places.at(first.span, "domain"),
            )
            return
        self.domains[domain.name or f"?{stem}"] = domain

    def _types(self, file: SpecFile, view: View) -> None:
        for named in self.made_of(file, lambda: list(self._named_types(file, view))):
            first = self.types.get(named.name)
            if first is not None:
                self._twice("type", named.name, named.span, first.span)
                continue
            self.types[named.name] = named

    def _named_types(self, file: SpecFile, view: View) -> Iterator[ir.NamedType]:
        for name, span, entry in view.entries("types"):
            self.places.note_key(span, entry.node)
            schema = self.values.build(entry.node)
            yield ir.NamedType(
                name=name, file=file.name, span=span, schema=schema, is_class=name[:1].isupper()
            )

    def _twice(self, what: str, name: str, span: ir.Span, first: ir.Span) -> None:
        where = f"{first.file}:{first.line}:{first.column}"
        self.sink.add(
            span,
            "name-collision",
            f"the {what} {quote(name)} is declared twice; first at {where}",
            "keep one",
        )

    def _specs(self, files: list[SpecFile]) -> ir.Specs:
        table = {kind: dict(sorted(entries.items())) for kind, entries in self.tables.items()}
        return ir.Specs(
            root=self.root,
            domains=tuple(sorted(self.domains.values(), key=lambda domain: domain.name)),
            types=dict(sorted(self.types.items())),
            errors=table["errors"],
            roles=table["roles"],
            toolsets=table["toolsets"],
            rate_limits=table["rate_limits"],
            environment=tuple(table["environment"].values()),
            layouts=table["text_layouts"],
            completers=table["completions"],
            fixtures=table["fixtures"],
            guidance=tuple(self.guidance),
            skills=tuple(self.skills),
            methods=dict(sorted(self.methods.items())),
            external_tools=table["external_tools"],
            providers=table["providers"],
            run_moves=table["run_planning"],
            run_rules=table["run_policy"],
            known_folders=self.known_folders,
            sources={file.name: file.digest for file in files},
        )
