"""The command line: one module of click commands a domain, and an index that answers help without loading
any.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from ade_runtime.cli.globals import RESERVED_FLAGS
from ade_runtime.contracts import Exit
from codegen import cache, ir
from codegen.deprecation import of_action, of_field
from codegen.emitters.samples import command_line, off_flag, skeleton, span
from codegen.emitters.words import resolve, takes, type_word
from codegen.limits import INT64
from codegen.naming import module_name
from codegen.narrow import per_domain
from codegen.options import metavar_of
from codegen.plan import PlannedFile
from codegen.templating import render
from codegen.text import SpecText

_FOLDER = PurePosixPath("ade_generated/cli")
RUN_ACTION = "actions.run"
_EXAMPLES = 5
_EXAMPLE_COLUMNS = 160
_KINDS = {
    "text": "text",
    "date": "text",
    "time": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
}


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """The modules under ``ade_generated/cli``."""
    for domain in specs.domains:
        path = _FOLDER / f"{module_name(domain.name)}.py"
        yield cache.of_domain(path, domain, specs, _content)
    index = render(
        "cli/index.py.jinja",
        groups=[_group_text(domain, specs) for domain in specs.domains],
        completers=_completers(specs),
    )
    yield PlannedFile(_FOLDER / "index.py", index, tuple(domain.file for domain in specs.domains))


@per_domain
def _group_text(domain: ir.Domain, specs: ir.Specs) -> str:
    return render("cli/group.py.jinja", group=_group(domain))


def _content(domain: ir.Domain, specs: ir.Specs) -> str:
    return render("cli/domain.py.jinja", **_module(domain, specs))


def _module(domain: ir.Domain, specs: ir.Specs) -> dict[str, Any]:
    actions = [command_values(domain, action, specs) for action in domain.actions]
    kinds = {action["kind"] for action in actions} | {"ActionCommand"}
    used = {"fields": "FieldParam", "rules": "RuleInfo", "errors": "ErrorInfo", "examples": "ExampleInfo"}
    params = {name for key, name in used.items() if any(action[key] for action in actions)}
    return {
        "group": domain.group,
        "source": domain.file,
        "actions": actions,
        "classes": sorted(kinds),
        "params": sorted(params),
    }


def command_values(domain: ir.Domain, action: ir.Action, specs: ir.Specs) -> dict[str, Any]:
    """Everything about the command of an action, in the order it is printed."""
    return {
        "function": f"{action.domain}_{action.name}",
        "kind": "RunCommand" if action.id == RUN_ACTION else "ActionCommand",
        "id": action.id,
        "command": action.command,
        "tool": action.tool,
        "effect": action.effect,
        "scope": action.scope,
        "aliases": action.aliases,
        "summary": action.summary,
        "deprecated": of_action(action, specs, by="command"),
        "description": action.description or "",
        "guidance": action.guidance or "",
        "fields": [field_values(field, specs) for field in action.fields],
        "rules": [{"kind": rule.kind, "fields": rule.fields} for rule in action.rules],
        "errors": [_error(specs.errors[code]) for code in action.errors],
        "examples": examples(domain, action, specs),
        "skeleton": skeleton(action, specs),
    }


def field_values(field: ir.Field, specs: ir.Specs) -> dict[str, Any]:
    """The arguments of a ``FieldParam`` that are not its defaults, in the order they are printed."""
    target = resolve(field.schema, specs)
    many = isinstance(target, ir.ArraySchema)
    item = resolve(target.items, specs) if isinstance(target, ir.ArraySchema) else target
    word = type_word(item, specs)
    kind = "duration" if field.cli.duration else _KINDS.get(word, "json")
    choices = (
        item.enum or ((item.const,) if item.const is not None else ())
        if isinstance(item, ir.StringSchema)
        else ()
    )
    flags = tuple(flag for flag in (field.cli.short, field.cli.flag) if flag and flag not in RESERVED_FLAGS)
    switch = kind == "boolean" and not many and not field.cli.positional
    values = {
        "field": field.name,
        "kind": kind,
        "flags": flags,
        "metavar": field.cli.metavar or ("@FILE" if field.secret else _metavar(field, word, kind)),
        "help": _help(field, field.schema.description or target.description),
        "limits": _duration(target) if kind == "duration" else takes(field.schema, specs),
        "required": field.required,
        "positional": field.cli.positional,
        "many": many,
        "choices": choices,
        "off_flag": off_flag(field) if switch and flags else None,
        "complete": field.cli.complete,
        "hidden": field.cli.hidden,
        "secret": field.secret,
    }
    always = {"field", "kind", "flags", "metavar", "help", "limits"}
    return {key: value for key, value in values.items() if key in always or value}


def _help(field: ir.Field, text: SpecText | None) -> SpecText | str:
    notice = of_field(field)
    if notice is None:
        return text or ""
    return SpecText(f"{text.raw if text else ''} {notice}".strip())


def _duration(target: ir.Schema) -> str:
    """What an option takes that counts seconds, as people write it: ``such as 90s or 2h30m, 1s to 14d``."""
    assert isinstance(target, ir.NumberSchema)
    low, high = (
        None if end is None or abs(end) >= INT64[1] else span(int(end))
        for end in (target.minimum, target.maximum)
    )
    ends = f", {low} to {high}" if low and high else f", at least {low}" if low else ""
    default = "" if target.default is None else f"; default {span(int(str(target.default)))}"
    return f"such as 90s, 12m or 2h30m{ends}{default}"


def examples(
    domain: ir.Domain, action: ir.Action, specs: ir.Specs, *, limit: int = _EXAMPLES
) -> list[dict[str, Any]]:
    """Examples as command lines: those that succeed first, none that are refused for the form of their
    arguments.
    """
    found = []
    for example in sorted(action.examples, key=lambda example: example.error is not None):
        code = example.error.code if example.error else None
        line = command_line(domain, action, example.input, specs)
        if line is not None and example.role is not None:
            line += f" --role {example.role}"
        if line is not None and len(line) <= _EXAMPLE_COLUMNS and code != "invalid_arguments":
            found.append({"title": example.title, "line": line, "error": code})
    return found[:limit]


def exit_code(error: ir.ErrorSpec) -> int:
    """The exit code of the ``ade`` command for an error."""
    return int(Exit[error.exit.upper()])


def _error(error: ir.ErrorSpec) -> dict[str, Any]:
    return {"code": error.code, "exit": exit_code(error), "summary": error.summary}


def _metavar(field: ir.Field, word: str, kind: str) -> str:
    if field.cli.positional:
        return metavar_of(field.name, field.cli.flag)
    return {"json": "JSON", "duration": "DURATION"}.get(kind, word.upper())


def _group(domain: ir.Domain) -> dict[str, Any]:
    return {
        "name": domain.group,
        "module": f"ade_generated.cli.{module_name(domain.name)}",
        "title": domain.title,
        "summary": domain.summary,
        "aliases": domain.group_aliases,
        "within": domain.within,
        "commands": [
            {
                "name": action.command,
                "action": action.id,
                "tool": action.tool,
                "summary": _summary(action),
                "aliases": action.aliases,
            }
            for action in domain.actions
        ],
    }


def _summary(action: ir.Action) -> SpecText:
    """The line in a list of commands."""
    return action.summary if action.deprecated is None else SpecText(f"(deprecated) {action.summary.raw}")


def _completers(specs: ir.Specs) -> list[tuple[str, ir.Completer]]:
    return sorted(specs.completers.items())
