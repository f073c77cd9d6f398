"""What every check gets: the model, the places of its parts, and where to put faults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from codegen import ir
from codegen.diagnostics import Sink
from codegen.ir import Span
from codegen.jsonschema_export import resolve
from codegen.places import Places
from codegen.wording import did_you_mean, quote

_DECLARED_IN = {
    "unknown-action": "domain",
    "unknown-completer": "completions",
    "unknown-error": "errors",
    "unknown-fixture": "fixtures",
    "unknown-layout": "text_layouts",
    "unknown-program": "external_tools",
    "unknown-rate-limit": "rate_limits",
    "unknown-ref": "types",
    "unknown-role": "roles",
    "unknown-toolset": "toolsets",
}
"""The kind of file that declares what a code misses."""


@dataclass(frozen=True, slots=True)
class Context:
    """``broken`` are ids of actions with an example that is faulty in structure. ``incomplete`` are kinds of files of which
    one could not be read, so that a name may be declared where it cannot be seen.
    """

    specs: ir.Specs
    places: Places
    sink: Sink
    broken: set[str]
    incomplete: Collection[str]
    is_proven: Callable[[ir.Domain, ir.Specs], bool] = lambda domain, specs: False
    """Whether a domain need not be looked at by checks of nothing but the domain and what it refers to."""
    bad_rules: set[Span] = field(default_factory=set)
    """Rules that were refused, by which examples cannot be judged."""
    _sound: dict[str, bool] = field(default_factory=dict)

    @property
    def to_prove(self) -> Iterator[ir.Action]:
        """The actions of the domains that are not proven."""
        return (
            action
            for domain in self.specs.domains
            if not self.is_proven(domain, self.specs)
            for action in domain.actions
        )

    @property
    def roots_to_prove(self) -> Iterator[ir.Schema]:
        """:func:`roots` without those of domains that are proven."""
        return roots(self.specs, self.to_prove)

    def known(self, span: Span, code: str, what: str, name: str, names: Iterable[str]) -> bool:
        """Report a name that is declared nowhere, with the one that was likely meant."""
        if name in names:
            return True
        if _DECLARED_IN.get(code) not in self.incomplete:
            self.sink.add(span, code, f"there is no {what} {quote(name)}{did_you_mean(name, names)}")
        return False

    def sound(self, schema: ir.Schema) -> bool:
        """Whether a schema was understood and every reference below it ends, so that it can be exported."""
        return all(
            self._type_sound(node.target) if isinstance(node, ir.RefSchema) else not self.faulty(node)
            for node in walk(schema)
        )

    def kind(self, schema: ir.Schema) -> ir.Schema | None:
        """What a schema is once its references are followed, ``None`` where that cannot be known: then it is told elsewhere."""
        return resolve(schema, self.specs)[0] if self.sound(schema) else None

    def faulty(self, schema: ir.Schema) -> bool:
        """Whether a schema only stands for one that was faulty in structure."""
        return isinstance(schema, ir.MapSchema) and self.places.node(schema.span) is None

    def _type_sound(self, name: str) -> bool:
        if name not in self._sound:
            self._sound[name] = False
            target = self.specs.types.get(name)
            self._sound[name] = target is not None and self.sound(target.schema)
        return self._sound[name]


def walk(schema: ir.Schema) -> Iterator[ir.Schema]:
    """A schema and everything written inside it; references are not followed."""
    yield schema
    match schema:
        case ir.ArraySchema(items=items):
            yield from walk(items)
        case ir.ObjectSchema(properties=properties):
            for value in properties.values():
                yield from walk(value)
        case ir.MapSchema(values=values) if values is not None:
            yield from walk(values)
        case ir.UnionSchema(branches=branches):
            yield from branches


def refs(schema: ir.Schema) -> Iterator[ir.RefSchema]:
    """The references inside a schema."""
    return (node for node in walk(schema) if isinstance(node, ir.RefSchema))


def roots(specs: ir.Specs, actions: Iterable[ir.Action] | None = None) -> Iterator[ir.Schema]:
    """Every schema an author wrote at the top of something: named types, input fields, outputs; those of all actions or of
    some."""
    for named in specs.types.values():
        yield named.schema
    for action in specs.actions if actions is None else actions:
        for one in action.fields:
            yield one.schema
        yield action.output
    for method in specs.methods.values():
        yield from (schema for schema in (method.params, method.result) if schema is not None)
