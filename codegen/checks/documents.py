"""Judging the documents of examples and fixtures by the schemas of their actions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ade_runtime.strict_yaml.reader import Mapping as MappingNode
from codegen import ir
from codegen.checks.context import Context
from codegen.ir import Span
from codegen.jsonschema_export import JsonSchema, input_schema, output_schema, resolve
from codegen.validate import PatternError, Problem, problems, rule_problems, validator

ALIAS = re.compile(r"\$\{([^}]*)\}")
BUILT_IN = frozenset(["project", "base", "remote"])
"""Aliases every sample has: its project, the folder around it, its bare remote."""


@dataclass
class Judge:
    """Validators of actions, each made once. A text with an ``${alias}`` is filled in later and not judged."""

    ctx: Context
    _inputs: dict[str, Any] = field(default_factory=dict)
    _outputs: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def actions(self) -> dict[str, ir.Action]:
        return {action.id: action for action in self.ctx.specs.actions}

    def input(self, action: ir.Action, document: Mapping[str, Any]) -> list[Problem] | None:
        """What is wrong with an input; ``None`` where the spec itself is at fault."""
        if not all(self.ctx.sound(one.schema) for one in action.fields):
            return None
        if action.id not in self._inputs:
            self._inputs[action.id] = validator(input_schema(action, self.ctx.specs))
        found = _judge(self._inputs[action.id], document)
        if found is None:
            return None
        return found + rule_problems(action, document, self.ctx.bad_rules)

    def output(self, action: ir.Action, document: Mapping[str, Any]) -> list[Problem] | None:
        """What in a part of an output cannot be there."""
        if not self.ctx.sound(action.output):
            return None
        if not isinstance(resolve(action.output, self.ctx.specs)[0], ir.ObjectSchema):
            return None
        if action.id not in self._outputs:
            self._outputs[action.id] = validator(_partial(output_schema(action, self.ctx.specs)))
        return _judge(self._outputs[action.id], document)


def _judge(judge: Any, document: Mapping[str, Any]) -> list[Problem] | None:
    try:
        found = problems(judge, document)
    except PatternError:
        return None
    return [one for one in found if not (isinstance(one.value, str) and ALIAS.search(one.value))]


def _partial(schema: JsonSchema) -> JsonSchema:
    """The schema of parts of what a schema describes: nothing is required."""
    out = {key: value for key, value in schema.items() if key not in ("required", "minItems")}
    if isinstance(out.get("properties"), dict):
        out["properties"] = {name: _partial(value) for name, value in out["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(out.get(key), dict):
            out[key] = _partial(out[key])
    if isinstance(out.get("anyOf"), list):
        out["anyOf"] = [_partial(branch) for branch in out["anyOf"]]
    return out


def locate(ctx: Context, owner: Span, start: tuple[str | int, ...], path: str) -> Span:
    """Where in the file a dotted path of a document stands, or the nearest thing around it."""
    parts: list[str | int] = list(start)
    for part in path.split(".") if path else ():
        around = ctx.places.node(owner, *parts)
        if around is None:
            break
        is_key = isinstance(around, MappingNode)
        if is_key and part not in around.entries:  # type: ignore[union-attr]
            break
        parts.append(part if is_key or not part.isdecimal() else int(part))
    return ctx.places.key(owner, *parts)


def aliases(value: Any) -> Iterator[str]:
    """The names of the aliases in the texts of a document."""
    if isinstance(value, str):
        yield from ALIAS.findall(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from aliases(item)
    elif isinstance(value, list):
        for item in value:
            yield from aliases(item)


def said(problem: Problem) -> str:
    """A problem in words: path, then what is wrong."""
    return f"{problem.path}: {problem.message}" if problem.path else problem.message
