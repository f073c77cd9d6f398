"""Models: one module a domain and one for the shared types, through datamodel-code-generator.

All modules that changed go through it in one run over one bundle. A module depends on its own domain's spec and
on the shared types, and on nothing else, so one whose files are as they were is not made again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from codegen import cache, ir
from codegen.failure import GenerationError
from codegen.modelgen.bundle import bundle
from codegen.modelgen.classes import PACKAGE, TYPES, ModelClass, all_classes, resolve
from codegen.modelgen.rewrite import ClassSource, class_sources
from codegen.naming import ClassName, ModuleName, module_name, py_name
from codegen.plan import PlannedFile
from codegen.templating import render
from codegen.text import python_value

if TYPE_CHECKING:
    from codegen.modelgen.annotations import Types

FOLDER = PurePosixPath("ade_generated/models")
_FROM = {
    "typing": ("Annotated", "ClassVar", "Literal"),
    "pydantic": ("Field",),
    "ade_runtime.wire": (
        "Date", "DateTime", "Int64", "JsonObject", "Rule", "UniqueList", "WireModel", "parse_date", "parse_date_time",
    ),
}  # fmt: skip


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    by_module: dict[ModuleName, list[ModelClass]] = {TYPES: []}
    for domain in specs.domains:
        if by_module.setdefault(module_name(domain.name), []) is by_module[TYPES]:
            raise GenerationError(f"{domain.file}: the module of the shared types has the name {domain.name}")
    for model in all_classes(specs):
        by_module[model.module].append(model)
    keys = {module: _key(module, specs) for module in by_module}
    stale: list[ModuleName] = []
    package = render("python/package.py.jinja", doc="Wire models.")
    yield PlannedFile(FOLDER / "__init__.py", package, (), checked=True)
    for module, key in keys.items():
        if (known := cache.reuse(FOLDER / f"{module}.py", key)) is not None:
            yield known
        else:
            stale.append(module)
    classes = [model for module in stale for model in by_module[module]]
    sources = _generate(classes, specs.types)
    for module in stale:
        yield _module(module, by_module[module], sources, specs, keys[module])


def _key(module: ModuleName, specs: ir.Specs) -> str:
    """What a module is made from: the files of the shared types, and its own domain's."""
    own = {domain.file for domain in specs.domains if module_name(domain.name) == module}
    types = {named.file for named in specs.types.values()}
    return json.dumps(
        {name: sha for name, sha in specs.sources.items() if name in own | types}, sort_keys=True
    )


def _generate(classes: list[ModelClass], types: Types) -> dict[str, ClassSource]:
    if not classes:
        return {}
    made = bundle(classes, types)
    return class_sources(run_generator(made.document), made, classes, types)


def run_generator(document: Mapping[str, object]) -> str:
    """One run of datamodel-code-generator over a bundle; formatting is done once, for all products, by
    ruff.
    """
    from datamodel_code_generator import GenerateConfig, InputFileType, LiteralType, PythonVersion, generate
    from datamodel_code_generator.enums import DataModelType

    config = GenerateConfig(
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        base_class="ade_runtime.wire.WireModel",
        aliases=_aliases(document),
        formatters=[],
        disable_timestamp=True,
        enum_field_as_literal=LiteralType.All,
        field_constraints=True,
        keep_model_order=True,
        skip_root_model=True,
        strict_nullable=True,
        use_annotated=True,
        use_double_quotes=True,
        use_field_description=True,
        use_schema_description=True,
    )
    written = generate(document, config=config)
    if not isinstance(written, str):
        raise GenerationError("datamodel-code-generator wrote several modules where one was asked for")
    return written


def _aliases(document: Mapping[str, object]) -> dict[str, str]:
    definitions = document["$defs"]
    assert isinstance(definitions, dict)
    names = {name for definition in definitions.values() for name in definition["properties"]}
    return {name: python for name in sorted(names) if (python := py_name(name)) != name}


def _module(
    module: ModuleName, models: list[ModelClass], sources: dict[str, ClassSource], specs: ir.Specs, key: str
) -> PlannedFile:
    names = {name for model in models for name in sources[model.name].names} | {"WireModel"}
    extras = [_extras(model, specs.types) for model in models]
    names |= {"ClassVar"} if any(extras) else set()
    names |= {"Rule"} if any(model.rules for model in models) else set()
    offered = dict(_FROM)
    if module != TYPES:
        own = {model.name for model in models}
        offered[f"{PACKAGE}.{TYPES}"] = tuple(sorted(names & _shared_classes(specs) - own))
    files = _sources(module, models, specs)
    content = render(
        "python/models.py.jinja",
        sources=", ".join(files),
        doc="Types that several domains share." if module == TYPES else f"Models of the {module} actions.",
        imports={home: [name for name in offer if name in names] for home, offer in offered.items()},
        classes=[
            sources[model.name].source + _extras(model, specs.types) for model in _ordered(models, sources)
        ],
    )
    return PlannedFile(FOLDER / f"{module}.py", content, files, key, checked=True)


def _ordered(models: list[ModelClass], sources: Mapping[str, ClassSource]) -> list[ModelClass]:
    """Classes before those that use them, since a default may be a model; else in the order of the specs."""
    by_name = {model.name: model for model in models}
    done: dict[str, ModelClass] = {}

    def add(model: ModelClass) -> None:
        for name in sorted(sources[model.name].names & by_name.keys() - done.keys() - {model.name}):
            add(by_name[ClassName(name)])
        done.setdefault(model.name, model)

    for model in models:
        add(model)
    return list(done.values())


def _extras(model: ModelClass, types: Types) -> str:
    """What datamodel-code-generator has no word for: rules across fields, and null for fields that may be
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
    if model.rules:
        rules = ", ".join(
            f"Rule({python_value(rule.kind)}, {python_value(rule.fields)})" for rule in model.rules
        )
        out += f"    __rules__: ClassVar[tuple[Rule, ...]] = ({rules},)\n"
    return out


def _shared_classes(specs: ir.Specs) -> set[str]:
    return {model.name for model in all_classes(specs) if model.module == TYPES}


def _sources(module: ModuleName, models: list[ModelClass], specs: ir.Specs) -> tuple[str, ...]:
    if module == TYPES:
        return tuple(sorted({model.source for model in models}))
    return tuple(domain.file for domain in specs.domains if module_name(domain.name) == module)
