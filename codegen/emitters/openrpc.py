"""``openrpc.json``: the methods of the machine socket for programs, and every action that
``ade/actions/call`` takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from ade_runtime.machine.facts import PROTOCOL
from codegen import ir
from codegen.json_text import as_json
from codegen.jsonschema_export import input_schema, output_schema, resolve, type_schema
from codegen.naming import module_name
from codegen.plan import PlannedFile

OPENRPC = "1.3.2"
CALL = "ade/actions/call"


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """One document. Schemas of actions are referred to: they stand in ``schemas/<domain>.json`` beside it."""
    document = {
        "openrpc": OPENRPC,
        "info": {
            "title": "ADE machine runtime",
            "version": f"{PROTOCOL}.0.0",
            "description": "JSON-RPC 2.0 over the machine socket. The version is that of the wire protocol.",
        },
        "methods": [_method(method, specs) for method in specs.methods.values()],
        "components": {"errors": {code: _error(error) for code, error in specs.errors.items()}},
        "x-actions": [_action(action) for action in specs.actions],
    }
    sources = ("specs/methods.yaml", "specs/errors.yaml", *(domain.file for domain in specs.domains))
    yield PlannedFile(PurePosixPath("ade_generated/openrpc.json"), as_json(document), sources)


def _method(method: ir.Method, specs: ir.Specs) -> dict[str, Any]:
    params, result = _schemas(method, specs)
    required = params.get("required", [])
    out: dict[str, Any] = {
        "name": method.name,
        "summary": method.summary.one_line(),
        "paramStructure": "by-name",
        "params": [
            {"name": name, "required": name in required, "schema": schema}
            for name, schema in params.get("properties", {}).items()
        ],
    }
    if method.kind == "request":
        out["result"] = {"name": "result", "schema": result}
        codes = specs.errors if method.name == CALL else ()
        out["errors"] = [{"$ref": f"#/components/errors/{code}"} for code in codes]
    return out | {"x-sent-by": method.sent_by}


def _schemas(method: ir.Method, specs: ir.Specs) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and result as JSON Schemas of objects."""
    if method.action is not None:
        action = next(action for action in specs.actions if action.id == method.action)
        return input_schema(action, specs), output_schema(action, specs)
    params = type_schema(resolve(method.params, specs)[0], specs) if method.params else {}
    return params, type_schema(method.result, specs) if method.result else {"type": "object"}


def _error(error: ir.ErrorSpec) -> dict[str, Any]:
    return {
        "code": error.rpc,
        "message": error.summary.one_line(),
        "data": {"code": error.code, "retry": error.retry},
    }


def _action(action: ir.Action) -> dict[str, Any]:
    place = f"schemas/{module_name(action.domain)}.json#/actions/{action.id}"
    return {
        "id": action.id,
        "tool": action.tool,
        "summary": action.summary.one_line(),
        "effect": action.effect,
        "scope": action.scope,
        "input": {"$ref": f"{place}/input"},
        "output": {"$ref": f"{place}/output"},
        "errors": list(action.errors),
    }
