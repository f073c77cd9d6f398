"""Judges JSON documents by exported schemas, exactly as the generated models do.

On top of jsonschema's Draft 2020-12: patterns run on pydantic's engine (Rust ``regex``), ``date`` and
``date-time`` follow :mod:`ade_runtime.rfc3339`, NaN and infinities are no numbers, and a tagged union is
judged by its tag first.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from pydantic_core import SchemaError, SchemaValidator, core_schema

from ade_runtime.rfc3339 import is_date, is_date_time
from codegen import ir
from codegen.ir import Span
from codegen.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a document; ``path`` is dotted (``labels.0``) and empty for the whole document."""

    path: str
    message: str
    value: Any = None


class PatternError(ValueError):
    """A pattern that the engine of record does not take; the text is the engine's own reason."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> SchemaValidator:
    """The pattern as pydantic compiles it."""
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        raise PatternError(str(error)) from None


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not compile_pattern(pattern).isinstance_python(instance):
        yield ValidationError(f"does not match {pattern}")


def _any_of(validator: Any, branches: list[Any], instance: Any, schema: Any) -> Iterator[ValidationError]:
    """Faults of the only branch besides null, or of the one that the instance's tag names; without a tag, what it may be."""
    if instance is None and {"type": "null"} in branches:
        return
    values = [branch for branch in branches if branch != {"type": "null"}]
    if len(values) == 1:
        yield from validator.descend(instance, values[0])
        return
    objects = [branch for branch in branches if branch.get("type") == "object"]
    tag = _tag(objects)
    if tag is None:
        if not any(validator.evolve(schema=branch).is_valid(instance) for branch in branches):
            yield ValidationError("fits none of the alternatives")
        return
    if not isinstance(instance, Mapping):
        yield ValidationError("is not of type object")
        return
    by_tag = {branch["properties"][tag]["const"]: branch for branch in objects}
    found = instance.get(tag)
    if isinstance(found, str) and found in by_tag:
        yield from validator.descend(instance, by_tag[found])
        return
    known = ", ".join(by_tag)
    if tag not in instance:
        yield ValidationError(f"{tag} is missing; it is one of {known}", path=[tag])
    else:
        yield ValidationError(f"is not one of {known}", path=[tag])


def _tag(branches: list[Any]) -> str | None:
    shared = [
        {name for name, value in branch.get("properties", {}).items() if "const" in value}
        for branch in branches
    ]
    names: list[str] = sorted(set.intersection(*shared)) if shared else []
    for name in names:
        if len({branch["properties"][name]["const"] for branch in branches}) == len(branches):
            return name
    return None


def _is_number(checker: Any, instance: Any) -> bool:
    if isinstance(instance, bool):
        return False
    return isinstance(instance, int) or (isinstance(instance, float) and math.isfinite(instance))


def _is_integer(checker: Any, instance: Any) -> bool:
    if isinstance(instance, float):
        return math.isfinite(instance) and instance.is_integer()
    return isinstance(instance, int) and not isinstance(instance, bool)


_FORMATS = FormatChecker(formats=())
_FORMATS.checkers = {
    "date": (lambda value: not isinstance(value, str) or is_date(value), ()),
    "date-time": (lambda value: not isinstance(value, str) or is_date_time(value), ()),
}
_TYPES = Draft202012Validator.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
_Strict: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, validators={"pattern": _pattern, "anyOf": _any_of}, type_checker=_TYPES
)


def validator(schema: Mapping[str, Any]) -> Validator:
    """A validator for an exported schema; use :func:`problems` to get its findings with paths."""
    made: Validator = _Strict(schema, format_checker=_FORMATS)
    return made


def problems(judge: Validator, document: Any) -> list[Problem]:
    """Everything wrong with a document, sorted by path; a missing or unknown field has a path of its own."""
    found = {(problem.path, problem.message): problem for problem in _found(judge, document)}
    return [found[key] for key in sorted(found)]


def _found(judge: Validator, document: Any) -> Iterator[Problem]:
    for error in judge.iter_errors(document):
        path = [str(part) for part in error.absolute_path]
        value: Any = error.instance
        if error.validator == "additionalProperties" and isinstance(value, Mapping):
            known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
            for key in value:
                if key not in known:
                    yield Problem(".".join([*path, key]), _unknown(key, known), value[key])
        elif error.validator == "required" and isinstance(error.validator_value, list):
            for key in error.validator_value:
                if key not in value:
                    yield Problem(".".join([*path, key]), f"{key} is missing")
        else:
            yield Problem(".".join(path), _message(error), error.instance)


def _unknown(key: str, known: Mapping[str, Any]) -> str:
    return f"there is no field {key}{did_you_mean(key, known)}"


_SAID = {
    "minLength": "is shorter than {} characters",
    "maxLength": "is longer than {} characters",
    "minimum": "is less than {}",
    "maximum": "is greater than {}",
    "exclusiveMinimum": "is not greater than {}",
    "exclusiveMaximum": "is not less than {}",
    "minItems": "has fewer than {} items",
    "maxItems": "has more than {} items",
    "format": "is no {}",
    "const": "is not {}",
}


def _message(error: ValidationError) -> str:
    kind = str(error.validator)
    value: Any = error.validator_value
    if kind in _SAID:
        said = _SAID[kind].format(value)
        return said.removesuffix("s") if value == 1 and kind.endswith(("Length", "Items")) else said
    if kind == "type":
        return f"is not of type {' or '.join(value) if isinstance(value, list) else value}"
    if kind == "enum":
        return f"is not one of {', '.join(str(item) for item in value)}"
    if kind == "uniqueItems":
        return "has two items that are alike"
    return str(error.message)


def rule_problems(
    action: ir.Action, document: Mapping[str, Any], skip: Collection[Span] = ()
) -> list[Problem]:
    """What the rules across fields say about an input; a field counts as given when it is there."""
    found = []
    for rule in action.rules:
        if rule.span in skip:
            continue
        given = [name for name in rule.fields if name in document]
        names = ", ".join(rule.fields)
        if rule.kind == "exactly_one_of" and len(given) != 1:
            found.append(Problem("", f"exactly one of {names} must be given"))
        elif rule.kind == "at_most_one_of" and len(given) > 1:
            found.append(Problem("", f"at most one of {names} may be given"))
        elif rule.kind == "at_least_one_of" and not given:
            found.append(Problem("", f"at least one of {names} must be given"))
        elif rule.kind == "requires" and rule.fields[0] in document and len(given) < len(rule.fields):
            missing = ", ".join(name for name in rule.fields[1:] if name not in document)
            found.append(Problem("", f"{rule.fields[0]} needs {missing}"))
    return found
