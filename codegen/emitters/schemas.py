"""JSON Schemas of inputs and outputs, one file a domain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.emitters.tools import as_json
from codegen.jsonschema_export import input_schema, output_schema
from codegen.naming import module_name
from codegen.plan import PlannedFile

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FOLDER = PurePosixPath("ade_generated/schemas")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """``schemas/<domain>.json``: action id → ``{input, output}``."""
    for domain in specs.domains:
        actions = {
            action.id: {"input": input_schema(action, specs), "output": output_schema(action, specs)}
            for action in domain.actions
        }
        document = {"$schema": DIALECT, "domain": domain.name, "actions": actions}
        yield PlannedFile(_FOLDER / f"{module_name(domain.name)}.json", as_json(document), (domain.file,))
