"""What the exported JSON Schema and the generated model each say of one document."""

from __future__ import annotations

from typing import Any

from ade_runtime.wire import WireError
from codegen import ir, validate
from codegen.jsonschema_export import input_schema
from tests.unit.codegen import made


def verdicts(specs: ir.Specs, package: made.Package, action: ir.Action, document: Any) -> tuple[bool, bool]:
    """Whether schema and model take the document as input of the action."""
    problems = validate.problems(validate.validator(input_schema(action, specs)), document)
    try:
        package.input(action).from_wire(document)
    except WireError:
        return not problems, False
    return not problems, True
