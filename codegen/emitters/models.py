"""Models: one module a domain and one for the shared types, through datamodel-code-generator.

All modules that changed go through it in one run over one bundle. A module depends on its own domain's spec and
on the shared types, and on nothing else, so one whose files are as they were is not made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from codegen import cache, ir, memo
from codegen.failure import GenerationError
from codegen.modelgen import generator
from codegen.modelgen.bundle import bundle
from codegen.modelgen.classes import PACKAGE, TYPES, ModelClass, all_classes, resolve, shared_classes
from codegen.modelgen.retext import retext
from codegen.modelgen.rewrite import ClassSource, class_sources
from codegen.naming import ClassName, ModuleName, module_name, py_name
from codegen.narrow import digest_of, key_of, narrowed
from codegen.plan import PlannedFile, digest
from codegen.templating import render
from codegen.text import python_value

if TYPE_CHECKING:
    from codegen.modelgen.annotations import Types

FOLDER = PurePosixPath("ade_generated/models")
_WORD = re.compile(r"[A-Za-z0-9_]+")
_FROM = {
    "typing": ("Annotated", "ClassVar", "Literal"),
    "pydantic": ("Field",),
    "ade_runtime.wire": (
        "Date", "DateTime", "Int64", "JsonObject", "Rule", "UniqueList", "WireModel", "parse_date", "parse_date_time",
    ),
}  # fmt: skip


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    package = render("python/package.py.jinja", doc="Wire models.")
    yield PlannedFile(FOLDER / "__init__.py", package, (), checked=True)
    work = begin(specs)
    yield from work.known
    sources = work.sources()
    for module in work.stale:
        yield module.file(_content(module, sources, work.parts[module.name][1]))


@dataclass(frozen=True, slots=True)
class Work:
    """Modules that are known and those that are to be made; ``sources`` waits for the classes of the latter."""

    parts: Mapping[ModuleName, tuple[str, ir.Specs]]
    known: list[PlannedFile]
    stale: list[Module]
    sources: Callable[[], dict[str, ClassSource]]


def begin(specs: ir.Specs) -> Work:
    """Find out what is to be made, and have it begun where there is a process for it. Where results are kept, once."""
    return memo.of(begin, specs, lambda: _begin(specs))


def _begin(specs: ir.Specs) -> Work:
    parts: dict[ModuleName, tuple[str, ir.Specs]] = {
        TYPES: (_key_of_types(specs), replace(specs, domains=()))
    }
    for domain in specs.domains:
        name = module_name(domain.name)
        if name == TYPES:
            raise GenerationError(f"{domain.file}: the module of the shared types has the name {domain.name}")
        parts[name] = key_of(specs, domain), narrowed(specs, domain)
    by_module: dict[ModuleName, list[ModelClass]] = {name: [] for name in parts}
    for model in all_classes(specs):
        by_module[model.module].append(model)
    known: list[PlannedFile] = []
    stale: list[Module] = []
    for name, models in by_module.items():
        key, part = parts[name]
        if (same := cache.reuse(FOLDER / f"{name}.py", key)) is not None:
            known.append(same)
            continue
        module = _module(name, models, part, key)
        if (before := cache.of_structure(module.path, module.structure)) is not None:
            known.append(module.file(retext(before, module.docstrings)))
        else:
            stale.append(module)
    sources = _generate([model for module in stale for model in module.models], specs.types)
    return Work(parts, known, stale, sources)


def prepare() -> None:
    """Import what takes long to import."""
    generator.begin({"$defs": {"A": {"type": "object", "properties": {}}}})()


def source_of(domain: ir.Domain, specs: ir.Specs) -> str:
    """The models of one domain alone, as Python source beside the shared types: for packs, whose modules lie elsewhere."""
    name = module_name(domain.name)
    classes = [model for model in all_classes(specs) if model.module == name]
    module = _module(name, classes, specs, "")
    return _content(module, _generate(module.models, specs.types)(), specs)


@dataclass(frozen=True, slots=True)
class Module:
    """One module to make. ``structure`` is a digest of all it is made from but its docstrings."""

    path: PurePosixPath
    name: ModuleName
    models: list[ModelClass]
    sources: tuple[str, ...]
    key: str
    structure: str
    docstrings: tuple[str, ...]

    def file(self, content: str) -> PlannedFile:
        return PlannedFile(self.path, content, self.sources, self.key, checked=True, structure=self.structure)


def _module(name: ModuleName, models: list[ModelClass], specs: ir.Specs, key: str) -> Module:
    models = _ordered(models, specs.types)
    made = bundle(models, specs.types)
    words = made.stand_ins
    files = _sources(name, models, specs)
    extras = [_extras(model, specs.types) for model in models]
    parts = [made.document, words.expressions, words.types, extras, files, _shared_classes(specs)]
    structure = digest(json.dumps(parts).encode())
    docstrings = tuple(words.docstrings.values())
    return Module(FOLDER / f"{name}.py", name, models, files, key, structure, docstrings)


def _key_of_types(specs: ir.Specs) -> str:
    """What the module of the shared types is made from."""
    return json.dumps([[named.file, digest_of(named)] for named in specs.types.values()])


def _generate(classes: list[ModelClass], types: Types) -> Callable[[], dict[str, ClassSource]]:
    if not classes:
        return dict
    made = bundle(classes, types)
    source = generator.begin(made.document)
    return lambda: class_sources(source(), made, classes, types)


def _content(module: Module, sources: dict[str, ClassSource], specs: ir.Specs) -> str:
    models = module.models
    names = {name for model in models for name in sources[model.name].names} | {"WireModel"}
    extras = [_extras(model, specs.types) for model in models]
    names |= {"ClassVar"} if any(extras) else set()
    names |= {"Rule"} if any(model.rules for model in models) else set()
    offered = dict(_FROM)
    if module.name != TYPES:
        own = {model.name for model in models}
        offered[f"{PACKAGE}.{TYPES}"] = tuple(name for name in _shared_classes(specs) if name not in own)
    return render(
        "python/models.py.jinja",
        sources=", ".join(module.sources),
        doc="Types that several domains share."
        if module.name == TYPES
        else f"Models of the {module.name} actions.",
        imports={home: [name for name in offer if name in names] for home, offer in offered.items()},
        classes=[sources[model.name].source + extra for model, extra in zip(models, extras, strict=True)],
    )


def _ordered(models: list[ModelClass], types: Types) -> list[ModelClass]:
    """Classes before those that use them, since a default may be a model; else in the order of the specs."""
    uses = {model.name: _words(model, types) for model in models}
    by_name = {model.name: model for model in models}
    done: dict[str, ModelClass] = {}

    def add(name: ClassName, around: frozenset[str]) -> None:
        for other in sorted(uses[name] & by_name.keys() - done.keys() - around - {name}):
            add(ClassName(other), around | {name})
        done.setdefault(name, by_name[name])

    for model in models:
        add(model.name, frozenset())
    return list(done.values())


def _words(model: ModelClass, types: Types) -> set[str]:
    """Every word of what a class is made from, names of other classes among them; no text of an author's."""
    made = bundle([model], types)
    return set(_WORD.findall(json.dumps(made.document) + " ".join(made.stand_ins.types.values())))


def _extras(model: ModelClass, types: Types) -> str:
    """What datamodel-code-generator has no word for: rules across fields, secrets, and null for fields that may be
    left out.
    """
    out = ""
    null_ok = sorted(
        py_name(name)
        for name, node in model.fields
        if name not in model.schema.required and resolve(node, types).schema.nullable
    )
    if null_ok:
        out += f"    __null_ok__: ClassVar[frozenset[str]] = frozenset({python_value(null_ok)})\n"
    if model.secrets:
        names = [py_name(name) for name in sorted(model.secrets)]
        out += f"    __secret__: ClassVar[frozenset[str]] = frozenset({python_value(names)})\n"
    if model.rules:
        rules = ", ".join(
            f"Rule({python_value(rule.kind)}, {python_value(rule.fields)})" for rule in model.rules
        )
        out += f"    __rules__: ClassVar[tuple[Rule, ...]] = ({rules},)\n"
    return out


def _shared_classes(specs: ir.Specs) -> list[str]:
    return sorted(model.name for model in shared_classes(specs))


def _sources(module: ModuleName, models: list[ModelClass], specs: ir.Specs) -> tuple[str, ...]:
    if module == TYPES:
        return tuple(sorted({model.source for model in models}))
    return tuple(domain.file for domain in specs.domains if module_name(domain.name) == module)
