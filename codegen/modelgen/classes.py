"""Which model classes there are, what each is called, and where it lives.

A class is named after the path of its owner, never after its place in a file or the order of things: the
input of ``lane.create`` is ``LaneCreateInput``, an inline object in its field ``options`` is
``LaneCreateInputOptions``, the items of a list add ``Item`` and the values of a map ``Value``. So a new
action renames nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from codegen import ir, memo
from codegen.failure import GenerationError
from codegen.naming import ClassName, ModuleName, class_name, module_name
from codegen.narrow import per_domain
from codegen.text import SpecText

TYPES = ModuleName("types")
PACKAGE = "ade_generated.models"


@dataclass(frozen=True, slots=True)
class Node:
    """A schema in its place: ``path`` is the class name an inline object here has, ``module`` where that
    class lives.
    """

    schema: ir.Schema
    path: ClassName
    module: ModuleName

    def items(self) -> Node:
        assert isinstance(self.schema, ir.ArraySchema)
        return Node(self.schema.items, ClassName(self.path + "Item"), self.module)

    def values(self) -> Node:
        assert isinstance(self.schema, ir.MapSchema) and self.schema.values is not None
        return Node(self.schema.values, ClassName(self.path + "Value"), self.module)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelClass:
    """One class to generate. ``doc`` becomes its docstring; ``secrets`` are fields whose values are never shown."""

    name: ClassName
    module: ModuleName
    source: str
    schema: ir.ObjectSchema
    rules: tuple[ir.Rule, ...] = ()
    secrets: tuple[str, ...] = ()
    doc: SpecText | None = None

    def field(self, name: str) -> Node:
        path = ClassName(self.name + class_name(name))
        return Node(self.schema.properties[name], path, self.module)

    @property
    def fields(self) -> Iterator[tuple[str, Node]]:
        return ((name, self.field(name)) for name in self.schema.properties)


def input_class(action: ir.Action) -> ClassName:
    return class_name(action.domain, action.name, "input")


def output_class(action: ir.Action) -> tuple[ModuleName, ClassName]:
    """Module and name of the class an action answers with: a shared type, or its own where the output is
    inline.
    """
    if isinstance(action.output, ir.RefSchema):
        return TYPES, ClassName(action.output.target)
    return module_name(action.domain), class_name(action.domain, action.name, "output")


def resolve(node: Node, types: Mapping[str, ir.NamedType]) -> Node:
    """Follow references to shared types that are not objects; those become part of the place that refers to
    them.

    What the referring place says about null, default and description wins over the shared type.
    """
    schema = node.schema
    for _ in range(len(types) + 1):
        if not isinstance(schema, ir.RefSchema):
            return node
        target = _named(schema, types)
        if isinstance(target.schema, ir.ObjectSchema):
            return node
        merged = replace(
            target.schema,
            nullable=schema.nullable or target.schema.nullable,
            default=target.schema.default if schema.default is None else schema.default,
            description=schema.description or target.schema.description,
        )
        node, schema = Node(merged, class_name(target.name), TYPES), merged
    raise GenerationError(f"{node.schema.span}: the types refer to each other in a circle")


def all_classes(specs: ir.Specs) -> tuple[ModelClass, ...]:
    """Every class of every module, owners before what is inside them. Two classes of one name are refused."""
    found = list(shared_classes(specs))
    for domain in specs.domains:
        found += _of_domain(domain, specs)
    names: dict[str, ModelClass] = {}
    for item in found:
        other = names.setdefault(item.name, item)
        if other is not item:
            raise GenerationError(
                f"{item.source} and {other.source} both make a class {item.name}: rename one"
            )
    return tuple(found)


def shared_classes(specs: ir.Specs) -> Iterator[ModelClass]:
    """The classes of the module of the shared types."""
    for named in specs.types.values():
        yield from memo.of(shared_classes, named, partial(_of_type, named))


def _of_type(named: ir.NamedType) -> list[ModelClass]:
    node = Node(named.schema, class_name(named.name), TYPES)
    if isinstance(named.schema, ir.ObjectSchema):
        node = replace(node, path=ClassName(named.name))
    return list(_inside(node, named.file))


@per_domain
def _of_domain(domain: ir.Domain, specs: ir.Specs) -> list[ModelClass]:
    return [model for action in domain.actions for model in _of_action(action, domain)]


def _of_action(action: ir.Action, domain: ir.Domain) -> Iterator[ModelClass]:
    schema = ir.ObjectSchema(
        span=action.span,
        properties={field.name: field.schema for field in action.fields},
        required=tuple(field.name for field in action.fields if field.required),
    )
    node = Node(schema, input_class(action), module_name(domain.name))
    first, *rest = _inside(node, domain.file)
    secrets = tuple(field.name for field in action.fields if field.secret)
    yield replace(first, rules=action.rules, secrets=secrets, doc=action.summary)
    yield from rest
    if isinstance(action.output, ir.ObjectSchema):
        module, name = output_class(action)
        yield from _inside(Node(action.output, name, module), domain.file)


def _inside(node: Node, source: str) -> Iterator[ModelClass]:
    """The class of an object and of every inline object within it."""
    schema = node.schema
    if isinstance(schema, ir.ObjectSchema):
        made = ModelClass(
            name=node.path, module=node.module, source=source, schema=schema, doc=schema.description
        )
        yield made
        for _, field in made.fields:
            yield from _inside(field, source)
    elif isinstance(schema, ir.ArraySchema):
        yield from _inside(node.items(), source)
    elif isinstance(schema, ir.MapSchema) and schema.values is not None:
        yield from _inside(node.values(), source)


def _named(schema: ir.RefSchema, types: Mapping[str, ir.NamedType]) -> ir.NamedType:
    if schema.target not in types:
        raise GenerationError(f"{schema.span}: there is no type {schema.target}")
    return types[schema.target]
