"""Inputs to fill in, and examples as command lines."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from ade_runtime.cli.globals import RESERVED_FLAGS
from codegen import ir
from codegen.emitters.words import PLAIN, resolve
from codegen.limits import INT64
from codegen.options import metavar_of

_ALIAS = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def skeleton(action: ir.Action, specs: ir.Specs) -> dict[str, Any]:
    """An input with every field that is not hidden: defaults where there are some, else the plainest
    value of the type.
    """
    return {field.name: sample(field.schema, specs) for field in action.fields if not field.cli.hidden}


def sample(schema: ir.Schema, specs: ir.Specs, depth: int = 0) -> Any:
    """The plainest value of the type; it need not pass patterns, it is there to be replaced."""
    target = resolve(schema, specs)
    default = schema.default if schema.default is not None else target.default
    if default is not None:
        return default
    match target:
        case ir.StringSchema(const=const, enum=enum):
            return const if const is not None else (enum[0] if enum else "")
        case ir.NumberSchema():
            return _plain_number(target)
        case ir.BooleanSchema():
            return False
        case ir.ArraySchema(items=items):
            return [sample(items, specs, depth + 1)] if depth < 4 else []
        case ir.ObjectSchema(properties=properties):
            return (
                {name: sample(value, specs, depth + 1) for name, value in properties.items()}
                if depth < 4
                else {}
            )
        case ir.UnionSchema(branches=branches):
            return sample(branches[0], specs, depth + 1)
        case _:
            return {}


def usage(domain: ir.Domain, action: ir.Action, *, options: bool = True) -> str:
    """The command with what it must be given: ``ade lanes create [OPTIONS] NAME``."""
    words = ["ade", domain.group, action.command, *(["[OPTIONS]"] if options else [])]
    for field in action.fields:
        if field.cli.positional:
            name = field.cli.metavar or metavar_of(field.name, field.cli.flag)
            words.append(name if field.required else f"[{name}]")
        elif field.required:
            words.append(f"{field.cli.flag} {field.cli.metavar or 'VALUE'}")
    return " ".join(words)


def command_words(
    domain: ir.Domain, action: ir.Action, given: Mapping[str, Any], specs: ir.Specs
) -> list[str] | None:
    """The words after ``ade`` that give exactly ``given``, or ``None`` where it names a field the action
    lacks.

    Values that no flag can say go through ``--arg-json``; positional text that begins with ``-`` goes behind
    ``--``. A secret cannot be given on a line.
    """
    if not given.keys() <= {field.name for field in action.fields if not field.secret}:
        return None
    options: list[str] = []
    positionals: list[str] = []
    skipped = False
    for field in action.fields:
        if field.name not in given:
            skipped = skipped or field.cli.positional
            continue
        value = given[field.name]
        texts = _texts(field, value, specs)
        if texts is None:
            options.append(f"--arg-json={field.name}={json.dumps(value, ensure_ascii=False)}")
            skipped = skipped or field.cli.positional
        elif field.cli.positional and not skipped:
            positionals += texts
        else:
            options += _options(field, texts, specs)
    if any(word.startswith("-") and word != "-" for word in positionals):
        return [domain.group, action.command, *options, "--", *positionals]
    return [domain.group, action.command, *positionals, *options]


def command_line(
    domain: ir.Domain, action: ir.Action, given: Mapping[str, Any], specs: ir.Specs
) -> str | None:
    """``given`` as the line a person types into a POSIX shell, or ``None`` where a line cannot hold it.

    A fixture's ``${lane}`` is shown as ``LANE``. A secret is on no line; the command asks for it.
    """
    secret = {field.name for field in action.fields if field.secret}
    given = {name: value for name, value in given.items() if name not in secret}
    words = command_words(domain, action, named(given), specs)
    return shlex.join(["ade", *words]) if words and all(_typeable(word) for word in words) else None


def _texts(field: ir.Field, value: Any, specs: ir.Specs) -> list[str] | None:
    """The words that the field's type reads as ``value``; ``None`` where only JSON says it."""
    target = resolve(field.schema, specs)
    if not isinstance(target, ir.ArraySchema):
        text = span(value) if field.cli.duration and isinstance(value, int) else _text(target, value)
        return None if text is None else [text]
    if not isinstance(value, list) or not value:
        return None
    texts = [_text(resolve(target.items, specs), item) for item in value]
    return None if None in texts else [text for text in texts if text is not None]


def span(seconds: int) -> str:
    """Seconds as a person writes them: ``12m`` for 720."""
    parts = []
    for size, unit in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")):
        count, seconds = divmod(seconds, size)
        parts += [f"{count}{unit}"] if count else []
    return "".join(parts) or "0s"


def _options(field: ir.Field, texts: list[str], specs: ir.Specs) -> list[str]:
    flag = field.cli.flag
    if flag in RESERVED_FLAGS:
        return [f"--arg={field.name}={text}" for text in texts]
    if isinstance(resolve(field.schema, specs), ir.BooleanSchema) and not field.cli.positional:
        return [flag if texts == ["true"] else off_flag(field)]
    return [word for text in texts for word in ([f"{flag}={text}"] if text.startswith("-") else [flag, text])]


def off_flag(field: ir.Field) -> str:
    """The flag that turns a boolean field off."""
    return field.cli.off or "--no-" + field.cli.flag.removeprefix("--")


def _text(target: ir.Schema, value: Any) -> str | None:
    """The text that the field's type reads as ``value``; ``None`` where there is none."""
    match target:
        case ir.StringSchema():
            return value if isinstance(value, str) else None
        case ir.NumberSchema():
            return (
                json.dumps(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
            )
        case ir.BooleanSchema():
            return json.dumps(value) if isinstance(value, bool) else None
        case _:
            return json.dumps(value, ensure_ascii=False)


def named(value: Any) -> Any:
    """A value of an example with a fixture's ``${lane}`` as ``LANE``."""
    if isinstance(value, str):
        return _ALIAS.sub(lambda match: match[1].upper(), value)
    if isinstance(value, list):
        return [named(item) for item in value]
    return {key: named(item) for key, item in value.items()} if isinstance(value, Mapping) else value


def _typeable(word: str) -> bool:
    """Whether a person could type the word: no control characters, not absurdly long."""
    return len(word) <= 300 and PLAIN.sub("", word).strip("\n") == ""


def _plain_number(schema: ir.NumberSchema) -> int | float:
    low, high = schema.minimum, schema.maximum
    if low is not None and low not in (INT64[0],) and low > 0:
        return low
    return high if high is not None and high < 0 else 0
