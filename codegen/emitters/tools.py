"""Tool definitions for models: one list a toolset, full and compact.

A definition says in prose what clients strip from schemas: limits, rules across fields, what a call may do.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from codegen import ir
from codegen.deprecation import of_action
from codegen.emitters.provider_safe import provider_safe
from codegen.json_text import as_json
from codegen.jsonschema_export import input_schema, output_schema, rule_sentence
from codegen.narrow import per_domain
from codegen.plan import PlannedFile

_FOLDER = PurePosixPath("ade_generated/tools")
_EFFECTS = {
    "read": "",
    "write": "",
    "destructive": "It can destroy work: read its refusals, do not work around them.",
    "secret": "Its answer is secret: do not repeat or store it.",
}


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """``tools/<toolset>.json`` and ``tools/<toolset>.txt``, the list an agent is shown until it asks for
    more.
    """
    sources = tuple(domain.file for domain in specs.domains)
    texts = {name: text for domain in specs.domains for name, text in _texts(domain, specs).items()}
    for toolset in specs.toolsets.values():
        actions = [action for action in specs.actions if action.toolset == toolset.name]
        head = {"toolset": toolset.name, "server": toolset.server, "roles": list(toolset.roles)}
        document = _with_tools(head, [texts[action.id] for action in actions])
        yield PlannedFile(_FOLDER / f"{toolset.name}.json", document, ("specs/toolsets.yaml", *sources))
        yield PlannedFile(_FOLDER / f"{toolset.name}.txt", compact(actions), sources)


@per_domain
def definitions(domain: ir.Domain, specs: ir.Specs) -> dict[str, dict[str, Any]]:
    """The tools of a domain by the id of their actions."""
    return {action.id: definition(action, specs) for action in domain.actions}


@per_domain
def _texts(domain: ir.Domain, specs: ir.Specs) -> dict[str, str]:
    """The same as they stand in a list in a document."""
    return {
        name: as_json(tool).rstrip("\n").replace("\n", "\n  ")
        for name, tool in definitions(domain, specs).items()
    }


def _with_tools(head: dict[str, Any], texts: list[str]) -> str:
    """A document with the tools behind what is in ``head``."""
    made = as_json({**head, "tools": []})
    end = "[]\n}\n"
    return made.removesuffix(end) + "[\n  " + ",\n  ".join(texts) + "\n ]\n}\n" if texts else made


def definition(action: ir.Action, specs: ir.Specs) -> dict[str, Any]:
    """One tool in the shape of the Model Context Protocol; ``action`` is the canonical id."""
    return {
        "name": action.tool,
        "action": action.id,
        "description": description(action, specs),
        "inputSchema": provider_safe(input_schema(action, specs)),
        "outputSchema": output_schema(action, specs),
        "annotations": {
            "title": action.summary.one_line().rstrip("."),
            "readOnlyHint": action.effect == "read",
            "destructiveHint": action.effect == "destructive",
            "idempotentHint": action.idempotency == "natural",
            "openWorldHint": False,
        },
    }


def description(action: ir.Action, specs: ir.Specs) -> str:
    """All a model is told about a tool besides its fields, a paragraph each."""
    texts = (action.summary, action.description, action.guidance)
    notice = of_action(action, specs, by="tool")
    said = [*([] if notice is None else [notice]), *(text.raw.strip() for text in texts if text)]
    rules = " ".join(rule_sentence(rule) for rule in action.rules)
    return "\n".join(part for part in (*said, rules, _EFFECTS[action.effect]) if part)


def compact(actions: Iterable[ir.Action]) -> str:
    """One line a tool: ``create_lane(name, base?): Create a lane.``"""
    return "".join(
        f"{action.tool}({arguments(action)}): {action.summary.one_line()}\n"
        for action in sorted(actions, key=lambda action: action.tool)
    )


def arguments(action: ir.Action) -> str:
    """Names of the fields, ``?`` behind those that may be left out."""
    return ", ".join(field.name if field.required else f"{field.name}?" for field in action.fields)
