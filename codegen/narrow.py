"""What of the specs the products of one domain may be made from, and the key of it.

Whoever makes such a product is handed nothing else, so the product cannot depend on what its key does not tell of.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from codegen import ir, memo
from codegen.text import SpecText
from codegen.walking import field_names

R = TypeVar("R")


def per_domain(make: Callable[[ir.Domain, ir.Specs], R]) -> Callable[[ir.Domain, ir.Specs], R]:
    """A function of one domain and what belongs to it, whose results are kept."""

    def kept(domain: ir.Domain, specs: ir.Specs) -> R:
        return memo.of(make, domain, lambda: make(domain, narrowed(specs, domain)), key_of(specs, domain))

    return kept


def narrowed(specs: ir.Specs, domain: ir.Domain) -> ir.Specs:
    """The specs with nothing but what the domain refers to, and whatever domains its deprecations point to."""
    return memo.of(narrowed, domain, lambda: _narrowed(specs, domain), key_of(specs, domain))


def key_of(specs: ir.Specs, domain: ir.Domain) -> str:
    """A digest of the domain and all that it refers to; computed once, when the specs are loaded."""
    return specs.keys.get(domain.name) or _key(specs, domain)


def keys(specs: ir.Specs) -> dict[str, str]:
    """The key of each domain. A name that is declared nowhere is part of it, too."""
    return {domain.name: _key(specs, domain) for domain in specs.domains}


def proof(specs: ir.Specs, domain: ir.Domain) -> str:
    """A digest of all by which a domain is found right: what its products are made from, and what is only referred to."""
    used = _used(specs, domain)
    tables: dict[str, Mapping[str, Any]] = {
        "layouts": specs.layouts,
        "completers": specs.completers,
        "fixtures": specs.fixtures,
        "roles": specs.roles,
    }
    return _digest(
        key_of(specs, domain), {word: _digests(table, used[word]) for word, table in tables.items()}
    )


def _narrowed(specs: ir.Specs, domain: ir.Domain) -> ir.Specs:
    used = _used(specs, domain)

    def only(table: Mapping[str, R], names: Collection[str]) -> dict[str, R]:
        return {name: entry for name, entry in table.items() if name in names}

    return replace(
        specs,
        domains=tuple(other for other in specs.domains if other.name in used["domains"]),
        types=only(specs.types, used["types"]),
        errors=only(specs.errors, used["errors"]),
        toolsets=only(specs.toolsets, used["toolsets"]),
        rate_limits=only(specs.rate_limits, used["rate_limits"]),
        roles={},
        environment=(),
        layouts={},
        completers={},
        fixtures={},
        guidance=(),
        skills=(),
        methods={},
        external_tools={},
        providers={},
        run_moves={},
        run_rules={},
        known_folders=(),
    )


def _key(specs: ir.Specs, domain: ir.Domain) -> str:
    used = _used(specs, domain)
    files = {other.file for other in specs.domains if other.name in used["domains"]} | {domain.file}
    return _digest(
        domain.file,
        {
            "files": {name: specs.sources.get(name, "") for name in files},
            "types": _digests(specs.types, used["types"]),
            "errors": _digests(specs.errors, used["errors"]),
            "toolsets": _digests(specs.toolsets, used["toolsets"]),
            "rate_limits": _digests(specs.rate_limits, used["rate_limits"]),
        },
    )


def _digests(table: Mapping[str, object], names: Iterable[str]) -> dict[str, str]:
    return {name: digest_of(table[name]) if name in table else "" for name in names}


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _used(specs: ir.Specs, domain: ir.Domain) -> dict[str, set[str]]:
    """The names of what the domain refers to, and of what that refers to."""
    named = {word: set(names) for word, names in memo.of(_named, domain, lambda: _named(domain)).items()}
    _close(named["types"], specs.types, lambda one: _targets(one.schema))
    _close(named["layouts"], specs.layouts, lambda one: one.parts)
    _close(named["fixtures"], specs.fixtures, _steps)
    actions = named.pop("actions")
    named["domains"] = {domain.name} | {name.partition(".")[0] for name in actions}
    return named


def _named(domain: ir.Domain) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {
        word: set()
        for word in (
            "types",
            "errors",
            "toolsets",
            "rate_limits",
            "layouts",
            "completers",
            "fixtures",
            "roles",
            "actions",
        )
    }
    for action in domain.actions:
        found["types"].update(*(_targets(field.schema) for field in action.fields), _targets(action.output))
        found["errors"].update(action.errors)
        found["toolsets"].add(action.toolset)
        found["rate_limits"].update([action.rate_limit] if action.rate_limit else [])
        found["roles"].update([action.min_role] if action.min_role else [])
        found["layouts"].update([action.text] if action.text else [])
        found["completers"].update(field.cli.complete for field in action.fields if field.cli.complete)
        found["actions"].update(
            [action.deprecated.use] if action.deprecated and action.deprecated.use else []
        )
        for example in action.examples:
            found["fixtures"].update(example.given)
            found["errors"].update([example.error.code] if example.error else [])
            found["roles"].update([example.role] if example.role else [])
    found["toolsets"].update(event.toolset for event in domain.events)
    return found


def _targets(schema: ir.Schema) -> Iterator[str]:
    """The types a schema refers to by itself."""
    match schema:
        case ir.RefSchema(target=target):
            yield target
        case ir.ArraySchema(items=items):
            yield from _targets(items)
        case ir.ObjectSchema(properties=properties):
            for inner in properties.values():
                yield from _targets(inner)
        case ir.MapSchema(values=ir.Schema() as values):
            yield from _targets(values)
        case ir.UnionSchema(branches=branches):
            yield from (branch.target for branch in branches)


def _steps(fixture: ir.Fixture) -> list[str]:
    return [step["use"] for step in fixture.steps if isinstance(step.get("use"), str)]


def _close(names: set[str], table: Mapping[str, R], more: Callable[[R], Iterable[str]]) -> None:
    """Add what the named entries refer to, and what those do, and so on."""
    waiting = list(names)
    while waiting:
        entry = table.get(waiting.pop())
        if entry is not None:
            new = set(memo.of(_close, entry, partial(_listed, more, entry))) - names
            names |= new
            waiting += new


def _listed(more: Callable[[R], Iterable[str]], entry: R) -> tuple[str, ...]:
    return tuple(more(entry))


def digest_of(part: object) -> str:
    """Of a part of the model, wherever in its file it stands."""
    return memo.of(
        digest_of,
        part,
        lambda: hashlib.sha256(json.dumps(_plain(part)).encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, SpecText):
        return [value.raw]
    if value is None or isinstance(value, ir.Span):
        return None
    if isinstance(value, bool | int | float | str):
        return value
    if (names := field_names(type(value))) is not None:
        return [type(value).__name__, *(_plain(getattr(value, name)) for name in names)]
    if isinstance(value, Mapping):
        return [[key, _plain(item)] for key, item in value.items()]
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return repr(value)
