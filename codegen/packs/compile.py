"""From a checked pack to one JSON document: all that the runtime needs of it, so that it never loads the generator."""

from __future__ import annotations

import re
from typing import Any

from ade_runtime.packs.store import FORMAT
from codegen import ir
from codegen.deprecation import notices, of_action
from codegen.emitters import cli, models
from codegen.emitters.docs import domain_page
from codegen.emitters.tools import definition
from codegen.jsonschema_export import input_schema, output_schema
from codegen.modelgen.classes import TYPES, input_class, output_class
from codegen.naming import method_name
from codegen.packs.load import Pack
from codegen.text import SpecText

_BESIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")


def compiled(pack: Pack) -> dict[str, Any]:
    """The document. Texts of the author's are plain JSON texts in it; the models are Python source, made and proved like those
    of ADE's own actions."""
    return {"format": FORMAT, "domains": [_domain(domain, pack) for domain in pack.domains]}


def _domain(domain: ir.Domain, pack: Pack) -> dict[str, Any]:
    return {
        "name": domain.name,
        "title": domain.title.raw,
        "summary": domain.summary.raw,
        "group": domain.group,
        "aliases": list(domain.group_aliases),
        "models": models.source_of(domain, pack.specs),
        "reference": reference(domain_page(domain, pack.specs)),
        "actions": [_action(domain, action, pack) for action in domain.actions],
    }


def reference(page: str) -> str:
    """A page of the reference by itself: without the note that it is generated and without links to pages beside it."""
    return _BESIDE.sub(r"\1", page.partition("-->\n")[2].lstrip("\n"))


def _action(domain: ir.Domain, action: ir.Action, pack: Pack) -> dict[str, Any]:
    specs = pack.specs
    home, name = output_class(action)
    run = pack.runs.get(action.id)
    return {
        "id": action.id,
        "tool": action.tool,
        "method": str(method_name(action.name)),
        "summary": action.summary.raw,
        "effect": action.effect,
        "scope": action.scope,
        "idempotency": action.idempotency,
        "min_role": action.min_role,
        "requires": list(action.requires),
        "hidden_in": list(action.hidden_in),
        "target": {
            "lane": action.target.lane,
            "session": action.target.session,
            "project": action.target.project,
            "anyone": action.target.anyone,
        },
        "moves_refs": action.moves_refs,
        "rate_limit": action.rate_limit,
        "timeout": action.timeout,
        "input": str(input_class(action)),
        "output": str(name),
        "shared_output": home == TYPES,
        "errors": list(action.errors),
        "text": action.text,
        "deprecated": of_action(action, specs, by="id"),
        "deprecated_fields": notices(action),
        "cli": [domain.group, action.command],
        "schemas": {"input": input_schema(action, specs), "output": output_schema(action, specs)},
        "definition": definition(action, specs),
        "command": _plain(cli.command_values(domain, action, specs)),
        "run": None if run is None else run.document(),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, SpecText):
        return value.raw
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
