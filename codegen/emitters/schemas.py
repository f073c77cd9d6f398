"""JSON Schemas of inputs and outputs, one file a domain, and of the files that users write."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import cache, ir
from codegen.json_text import as_json
from codegen.jsonschema_export import input_schema, output_schema, type_schema
from codegen.naming import module_name
from codegen.plan import PlannedFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FOLDER = PurePosixPath("ade_generated/schemas")
DOCUMENTS = {"project_config": "ProjectConfig"}
"""Files that users write: name of the schema, and the type it describes."""


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """``schemas/<domain>.json``: action id → ``{input, output}``."""
    for name, type_name in DOCUMENTS.items():
        if type_name in specs.types:
            yield PlannedFile(
                _FOLDER / f"{name}.schema.json", _of_file(type_name, specs), (specs.types[type_name].file,)
            )
    for domain in specs.domains:
        path = _FOLDER / f"{module_name(domain.name)}.json"
        yield cache.of_domain(path, domain, specs, _document)


def _of_file(type_name: str, specs: ir.Specs) -> str:
    return as_json(
        {"$schema": DIALECT, "title": type_name, **type_schema(specs.types[type_name].schema, specs)}
    )


def _document(domain: ir.Domain, specs: ir.Specs) -> str:
    actions = {
        action.id: {"input": input_schema(action, specs), "output": output_schema(action, specs)}
        for action in domain.actions
    }
    return as_json({"$schema": DIALECT, "domain": domain.name, "actions": actions})
