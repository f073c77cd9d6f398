"""Examples as what a person sees who tries them: the command and what it prints, the answer, the call of a tool.

What an example leaves open of an answer is filled as ``ade serve --mock`` fills it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ade_runtime.cli.render import Screen, render
from ade_runtime.mock.fill import fill
from codegen import ir
from codegen.emitters.cli import exit_code
from codegen.emitters.samples import command_line, named
from codegen.jsonschema_export import input_schema, output_schema
from codegen.text import SpecText, visible
from codegen.validate import problems, rule_problems, validator

COLUMNS = 80
MOST_LINES = 60

Refusal = Callable[[str, Mapping[str, Any]], str | None]
"""What ADE says of an action's arguments that do not fit, ``None`` where it has no words for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """``command`` is ``None`` where no command line says it; ``error`` the code that it ends with, if it does."""

    title: SpecText
    given: tuple[SpecText, ...]
    command: str | None
    text: str
    document: str
    tool: str
    request: str
    response: str
    error: str | None
    exit: int


def transcripts(
    domain: ir.Domain, action: ir.Action, specs: ir.Specs, refusal: Refusal | None = None
) -> list[Transcript]:
    """One an example, those that work first."""
    ordered = sorted(action.examples, key=lambda example: example.error is not None)
    return [_transcript(domain, action, example, specs, refusal) for example in ordered]


def _transcript(
    domain: ir.Domain, action: ir.Action, example: ir.Example, specs: ir.Specs, refusal: Refusal | None
) -> Transcript:
    arguments = plain(named(example.input))
    line = command_line(domain, action, example.input, specs)
    if line is not None and example.role is not None:
        line += f" --role {example.role}"
    code = None if example.error is None else example.error.code
    if code is None:
        answer = fill(output_schema(action, specs), plain(named(example.output or {})))
        shown, document = _printed(answer, action, specs), answer
        outcome = {"result": answer}
    else:
        error = _envelope(specs.errors[code], action, arguments, specs, refusal)
        shown, document = f"error: {error['message']}\nhint: {error['hint']}\n", {"error": error}
        outcome = {
            "error": {"code": specs.errors[code].rpc, "message": error["message"], "data": error},
        }
    request = {"name": action.id, "arguments": arguments}
    return Transcript(
        title=example.title,
        given=tuple(specs.fixtures[name].summary for name in example.given if name in specs.fixtures),
        command=line,
        text=_cut(visible(shown)),
        document=_json(document),
        tool=_json({"name": action.tool, "arguments": arguments}),
        request=_json({"jsonrpc": "2.0", "id": 1, "method": "ade/actions/call", "params": request}),
        response=_json({"jsonrpc": "2.0", "id": 1, **outcome}),
        error=code,
        exit=0 if code is None else exit_code(specs.errors[code]),
    )


def plain(value: Any) -> Any:
    """Frozen mappings and tuples of the model as plain JSON."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value.raw if isinstance(value, SpecText) else value


@dataclass(frozen=True, slots=True)
class _Column:
    field: str
    label: str
    format: str | None


@dataclass(frozen=True, slots=True)
class _Layout:
    kind: str
    headline: str | None
    rows: str | None
    body: str | None
    empty: str | None
    columns: tuple[_Column, ...]
    parts: tuple[_Layout, ...]


def _layout(name: str, specs: ir.Specs) -> _Layout:
    found = specs.layouts[name]
    return _Layout(
        found.kind,
        None if found.headline is None else found.headline.raw,
        found.rows,
        found.body,
        None if found.empty is None else found.empty.raw,
        tuple(_Column(one.field, one.label.raw, one.format) for one in found.columns),
        tuple(_layout(part, specs) for part in found.parts),
    )


def _printed(answer: dict[str, Any], action: ir.Action, specs: ir.Specs) -> str:
    layout = None if action.text is None else _layout(action.text, specs)
    return render(answer, layout, Screen(width=COLUMNS))


def _envelope(
    error: ir.ErrorSpec,
    action: ir.Action,
    arguments: Mapping[str, Any],
    specs: ir.Specs,
    refusal: Refusal | None,
) -> dict[str, Any]:
    """The error as it is told, its slots filled from the arguments of the same name where there are some."""
    slots: dict[str, Any] = {name: _slot(kind, arguments.get(name)) for name, kind in error.params.items()}
    if error.code == "invalid_arguments":
        said = None if refusal is None else refusal(action.id, arguments)
        slots |= {"problem": said or _problem(action, arguments, specs), "action": action.id}
    return {
        "code": error.code,
        "message": _filled(error.message.raw, slots),
        "hint": _filled(error.hint.raw, slots),
    }


def _filled(text: str, slots: Mapping[str, Any]) -> str:
    return re.sub(
        r"\{([A-Za-z_]\w*)\}", lambda slot: str(slots[slot[1]]) if slot[1] in slots else slot[0], text
    )


_SAMPLES: dict[str, Any] = {"string": "example", "integer": 1, "number": 1.0, "boolean": True}


def _slot(kind: str, given: Any) -> Any:
    sample = _SAMPLES[kind]
    return given if type(given) is type(sample) else sample


def _problem(action: ir.Action, arguments: Mapping[str, Any], specs: ir.Specs) -> str:
    judge = validator(input_schema(action, specs))
    found = problems(judge, arguments) or rule_problems(action, arguments)
    if not found:
        return "The arguments do not fit."
    first = f"{found[0].path}: {found[0].message}" if found[0].path else found[0].message
    return first if len(found) == 1 else f"{first} (and {len(found) - 1} more)"


def _json(value: Any) -> str:
    return _cut(visible(json.dumps(value, ensure_ascii=False, indent=2)))


def _cut(value: str) -> str:
    lines = value.rstrip("\n").split("\n")
    more = len(lines) - MOST_LINES
    return "\n".join([*lines[:MOST_LINES], f"… {more} more lines"] if more > 0 else lines)
