"""What others rely on of a set of specs, as plain JSON data: names, shapes, permissions, limits. No prose.

It is what ``python -m codegen diff`` compares and what ``specs/released/`` keeps of a release.
"""

from __future__ import annotations

from typing import Any

from codegen import ir
from codegen.compat.shapes import AT, place, shape, without_places
from codegen.emitters.events import rows as event_rows
from codegen.options import RESERVED

FORMAT = 1
Surface = dict[str, Any]


def surface(specs: ir.Specs) -> Surface:
    """Everything that callers, models and scripts can have come to rely on."""
    groups = {domain.name: domain for domain in specs.domains}
    return {
        "format": FORMAT,
        "actions": {action.id: _action(action, groups[action.domain], specs) for action in specs.actions},
        "types": {name: shape(named.schema) for name, named in specs.types.items()},
        "errors": {code: _error(error) for code, error in specs.errors.items()},
        "events": _events(specs),
        "methods": {name: _method(method) for name, method in specs.methods.items()},
        "environment": {one.name: {"at": place(one.span)} for one in specs.environment},
        "roles": {
            name: {"at": place(role.span), "rank": role.rank, "effects": sorted(role.effects)}
            for name, role in specs.roles.items()
        },
    }


def kept(found: Surface, version: str) -> Surface:
    """A surface as it is kept: without the places of single values, which say nothing once the files have changed."""
    out: Surface = {"format": FORMAT, "version": version}
    for section, entries in found.items():
        if isinstance(entries, dict):
            out[section] = {name: without_places(entry) for name, entry in sorted(entries.items())}
    return out


def names(found: Surface) -> dict[str, str]:
    """Every name that callers use → what it belongs to: ``tool create_lane`` → ``lane.create``."""
    out: dict[str, str] = {}
    for action, entry in found["actions"].items():
        out[f"action {action}"] = action
        out[f"tool {entry['tool']}"] = action
        out.update({f"command {command}": action for command in entry["commands"]})
        for field, about in entry["fields"].items():
            out[f"field {action}.{field}"] = f"{action}.{field}"
            out.update({f"flag {action} {flag}": f"{action}.{field}" for flag in about["flags"]})
    out.update({f"error {code}": code for code in found["errors"]})
    return out


def _action(action: ir.Action, domain: ir.Domain, specs: ir.Specs) -> dict[str, Any]:
    toolset = specs.toolsets.get(action.toolset)
    return {
        "at": place(action.span),
        "tool": action.tool,
        "commands": _commands(action, domain),
        "effect": action.effect,
        "scope": action.scope,
        "idempotency": action.idempotency,
        "toolset": action.toolset,
        "roles": sorted(toolset.roles) if toolset else [],
        "modes": sorted(toolset.modes) if toolset else [],
        "owner": toolset.owner if toolset else False,
        "min_role": action.min_role,
        "requires": sorted(action.requires),
        "hidden_in": sorted(action.hidden_in),
        "target": {
            name: getattr(action.target, name) for name in ("lane", "session", "project", "request", "anyone")
        },
        "moves_refs": action.moves_refs,
        "limits": _limits(action.rate_limit, specs),
        "timeout": action.timeout,
        "deprecated": _deprecated(action.deprecated),
        "fields": {field.name: _field(field, specs) for field in action.fields},
        "positional": [field.name for field in action.fields if field.cli.positional],
        "rules": [
            {"kind": rule.kind, "fields": list(rule.fields), AT: place(rule.span)} for rule in action.rules
        ],
        "output": shape(action.output),
        "errors": sorted(action.errors),
    }


def _limits(name: str | None, specs: ir.Specs) -> list[dict[str, Any]]:
    """The limit of that name, then the one that its calls count towards, too."""
    limit = specs.rate_limits.get(name or "")
    if limit is None:
        return []
    one = {"calls": limit.limit, "window": limit.window, "per": limit.per}
    return [one, *_limits(limit.also, specs)]


def _commands(action: ir.Action, domain: ir.Domain) -> list[str]:
    """Every spelling of the command, the plain one first."""
    groups = (domain.group, *domain.group_aliases, *domain.within)
    return [f"{group} {word}" for group in groups for word in (action.command, *action.aliases)]


def _field(field: ir.Field, specs: ir.Specs) -> dict[str, Any]:
    cli = field.cli
    flags = [flag for flag in (cli.flag, cli.short) if flag and flag not in RESERVED]
    schema = field.schema
    while isinstance(schema, ir.RefSchema) and schema.target in specs.types:
        schema = specs.types[schema.target].schema
    if isinstance(schema, ir.BooleanSchema) and not cli.positional:
        flags.append(cli.off or f"--no-{cli.flag[2:]}")
    return {
        "at": place(field.span),
        "required": field.required,
        "default": field.schema.default,
        "flags": flags,
        "duration": cli.duration,
        "secret": field.secret,
        "deprecated": _deprecated(field.deprecated),
        "shape": shape(field.schema),
    }


def _deprecated(found: ir.Deprecation | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {"since": found.since, "use": found.use, "remove_after": found.remove_after}


def _error(error: ir.ErrorSpec) -> dict[str, Any]:
    return {
        "at": place(error.span),
        "exit": error.exit,
        "rpc": error.rpc,
        "retry": error.retry,
        "params": dict(error.params),
    }


def _events(specs: ir.Specs) -> dict[str, Any]:
    spans = {event.type: event.span for domain in specs.domains for event in domain.events}
    spans |= {action.id: action.span for action in specs.actions}
    return {
        row["type"]: {"at": place(spans[row["action"] or row["type"]]), "toolset": row["toolset"]}
        for row in event_rows(specs)
    }


def _method(method: ir.Method) -> dict[str, Any]:
    return {
        "at": place(method.span),
        "kind": method.kind,
        "sent_by": method.sent_by,
        "action": method.action,
        "params": None if method.params is None else shape(method.params),
        "result": None if method.result is None else shape(method.result),
    }
