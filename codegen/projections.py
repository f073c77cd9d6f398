"""What each client makes of a tool: the name it shows, what of the schema reaches the model, and what that loses.

The facts were seen by running the clients. A profile never changes what a call is held to: the runtime checks every call
against the model. What a client does not show is said in descriptions, and what is not even said is lost.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen import ir
from codegen.emitters.tools import definition, definitions
from codegen.narrow import per_domain

_LIMITS = frozenset(
    {
        *("pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("minItems", "maxItems", "uniqueItems", "format", "default"),
    }
)
ROOT_REFUSED = frozenset(["oneOf", "anyOf", "allOf", "not", "enum", "$ref", "$defs"])
"""Keywords at a root for which one client or another loses the tool or all its parameters."""
EVERYWHERE_REFUSED = frozenset(
    ["$ref", "$defs", "allOf", "not", "if", "patternProperties", "prefixItems", "deprecated"]
)
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """``shown`` is the name the model sees, of ``{server}`` and ``{tool}``; ``name`` and ``longest`` what it may be.
    ``hides`` are keywords that do not reach the model, ``refuses`` those that cost the tool or the turn. ``parts`` are those of
    a definition that it takes. ``merges`` are characters that it turns into ``_``.
    """

    title: str
    shown: str
    name: str = r"[A-Za-z0-9_-]+"
    longest: int = 64
    hides: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    formats: tuple[str, ...] = ("date", "date-time")
    parts: tuple[str, ...] = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
    merges: str = ""
    typescript: bool = False


_EARLY = ("name", "description", "inputSchema")
PROFILES: dict[str, Profile] = {
    "claude": Profile(title="Claude Code and its SDK", shown="mcp__{server}__{tool}"),
    "codex": Profile(title="Codex, tools called directly", shown="mcp__{server}__{tool}", hides=_LIMITS, merges=".-"),
    "codex-code": Profile(
        title="Codex, tools called from code",
        shown="mcp__{server}__{tool}",
        hides=_LIMITS,
        merges=".-",
        typescript=True,
    ),
    "opencode": Profile(title="OpenCode", shown="{server}_{tool}", parts=(*_EARLY, "annotations"), merges="."),
    "gemini": Profile(
        title="Gemini",
        shown="{tool}",
        name=r"[A-Za-z_][A-Za-z0-9_.-]*",
        refuses=frozenset(["exclusiveMinimum", "exclusiveMaximum"]),
        formats=("date-time",),
        parts=_EARLY,
    ),
    "mcp-2024-11-05": Profile(title="MCP of 2024-11-05", shown="{tool}", parts=_EARLY),
    "mcp-2025-03-26": Profile(title="MCP of 2025-03-26", shown="{tool}", parts=(*_EARLY, "annotations")),
    "mcp-2025-06-18": Profile(title="MCP of 2025-06-18", shown="{tool}"),
    "mcp-2025-11-25": Profile(title="MCP of 2025-11-25", shown="{tool}", name=r"[A-Za-z0-9_.-]+", longest=128),
    "mcp-2026-07-28": Profile(title="MCP of 2026-07-28", shown="{tool}", name=r"[A-Za-z0-9_.-]+", longest=128),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Loss:
    """A constraint that does not reach the model as a keyword. ``said`` is whether the description says it."""

    tool: str
    path: str
    keyword: str
    said: bool


@dataclass(frozen=True, slots=True)
class Projection:
    """A tool as a client shows it; ``declaration`` is the TypeScript that a model in code mode reads, else empty."""

    name: str
    definition: dict[str, Any]
    losses: tuple[Loss, ...]
    declaration: str = ""


def project(action: ir.Action, specs: ir.Specs, profile: Profile) -> Projection:
    """The tool of an action through a profile."""
    whole = definition(action, specs)
    name = shown_name(action, specs, profile)
    losses = tuple(losses_of(whole, profile))
    parts: dict[str, Any] = {key: whole[key] for key in profile.parts if key in whole}
    if "title" in profile.parts:
        parts["title"] = whole["annotations"]["title"]
    parts["inputSchema"] = without(whole["inputSchema"], profile.hides)
    declared = declaration(name, whole["inputSchema"], whole["outputSchema"]) if profile.typescript else ""
    return Projection(name, parts, losses, declared)


def shown_name(action: ir.Action, specs: ir.Specs, profile: Profile) -> str:
    """The name the model sees."""
    name = profile.shown.format(server=specs.toolsets[action.toolset].server, tool=action.tool)
    return re.sub(f"[{re.escape(profile.merges)}]", "_", name) if profile.merges else name


def problems(specs: ir.Specs) -> list[str]:
    """Why a client would refuse, lose or mix up tools; empty where none would."""
    found = []
    judged = [_judged(domain, specs) for domain in specs.domains]
    for key in PROFILES:
        names: dict[str, str] = {}
        for actions in judged:
            for action, name, faults in actions[key]:
                if names.setdefault(name, action) != action:
                    found.append(f"{key}: {action} and {names[name]} are both {name}")
                found += [f"{key}: {fault}" for fault in faults]
    return found


@per_domain
def _judged(domain: ir.Domain, specs: ir.Specs) -> dict[str, list[tuple[str, str, list[str]]]]:
    """For each profile the actions, each with the name that is shown and what is wrong with it by itself."""
    made = definitions(domain, specs)
    return {
        key: [(action.id, *_by_itself(action, made[action.id], specs, profile)) for action in domain.actions]
        for key, profile in PROFILES.items()
    }


def _by_itself(
    action: ir.Action, tool: dict[str, Any], specs: ir.Specs, profile: Profile
) -> tuple[str, list[str]]:
    name = shown_name(action, specs, profile)
    taken = re.fullmatch(profile.name, name) and len(name) <= profile.longest
    faults = [] if taken else [f"the name {name} of {action.id} is not taken"]
    return name, [*faults, *(f"{action.id}: {fault}" for fault in _faults(tool, profile))]


@per_domain
def losses(domain: ir.Domain, specs: ir.Specs) -> dict[str, list[Loss]]:
    """What the tools of a domain lose, for each profile."""
    tools = definitions(domain, specs).values()
    return {
        key: [loss for tool in tools for loss in losses_of(tool, profile)]
        for key, profile in PROFILES.items()
    }


def _faults(tool: dict[str, Any], profile: Profile) -> Iterator[str]:
    for side in ("inputSchema", "outputSchema"):
        schema = tool[side]
        if schema.get("type") != "object" or ROOT_REFUSED & schema.keys():
            yield f"{side} is no plain object at its root"
    for path, schema in nodes(tool["inputSchema"], ""):
        if refused := (profile.refuses | EVERYWHERE_REFUSED) & schema.keys():
            yield f"{path or 'the root'} has {', '.join(sorted(refused))}"
        if schema.get("format", "date-time") not in profile.formats:
            yield f"{path} has the format {schema['format']}"
        if any(not isinstance(value, str) for value in schema.get("enum", ())):
            yield f"{path} has an enum of something else than texts"
        for name in schema.get("properties", ()):
            if not _PROPERTY.fullmatch(name):
                yield f"{path} has the property {name}"


def nodes(schema: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and those inside it, each with its dotted path."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from nodes(inner, f"{path}.{name}" if path else name)
    for key, mark in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(schema.get(key), dict):
            yield from nodes(schema[key], path + mark)
    for branch in schema.get("anyOf", ()):
        yield from nodes(branch, path)


def without(schema: Any, hidden: frozenset[str]) -> Any:
    """A schema without some keywords; properties of those names stay."""
    if isinstance(schema, list):
        return [without(item, hidden) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {}
    for key, value in schema.items():
        if key == "properties":
            out[key] = {name: without(inner, hidden) for name, inner in value.items()}
        elif key not in hidden:
            out[key] = without(value, hidden)
    return out


def losses_of(tool: dict[str, Any], profile: Profile) -> Iterator[Loss]:
    """What of a tool's input does not reach the model as a keyword, but for bounds that only say what a number can hold."""
    for at, node in nodes(tool["inputSchema"], "") if profile.hides else ():
        said = str(node.get("description", ""))
        for keyword in sorted(profile.hides & node.keys()):
            value = node[keyword]
            trivial = keyword in ("minimum", "maximum") and abs(value) >= 2**53
            trivial = trivial or (keyword in ("minLength", "minItems") and not value)
            if not trivial:
                yield Loss(tool["name"], at, keyword, _is_said(keyword, value, said))


def _is_said(keyword: str, value: Any, said: str) -> bool:
    if keyword == "uniqueItems":
        return not value or "no two alike" in said
    if keyword == "format":
        return ("a date like" if value == "date" else "RFC 3339") in said
    if isinstance(value, bool | list | dict):
        return f"default {str(value).lower()}" in said.lower()
    if isinstance(value, int | float):
        return re.search(rf"(?<![0-9.]){re.escape(str(value))}(?![0-9])", said) is not None
    return str(value) in said


def declaration(name: str, given: dict[str, Any], answer: dict[str, Any]) -> str:
    """A tool as a function in TypeScript, the way code mode shows it."""
    return f"declare function {name}(args: {typescript(given)}): Promise<{typescript(answer)}>;"


def typescript(schema: dict[str, Any]) -> str:
    """A schema as a TypeScript type, on one line."""
    if "const" in schema:
        return _quoted(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_quoted, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(typescript(branch) for branch in schema["anyOf"]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(typescript({**schema, "type": one}) for one in kind)
    if kind == "array":
        return f"Array<{typescript(schema['items'])}>"
    if kind == "object":
        return _object(schema)
    return {"integer": "number"}.get(str(kind), str(kind))


def _object(schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        extra = schema.get("additionalProperties")
        return f"Record<string, {typescript(extra) if isinstance(extra, dict) else 'unknown'}>"
    required = set(schema.get("required", ()))
    fields = [
        f"{name if name.isidentifier() else _quoted(name)}{'' if name in required else '?'}: {typescript(inner)}"
        for name, inner in schema["properties"].items()
    ]
    return "{ " + "; ".join(fields) + " }" if fields else "{}"


def _quoted(value: Any) -> str:
    return json.dumps(value)
