"""Putting the arguments of one call together from flags, positional values, ``--arg``, ``--arg-json`` and
``--input-json``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ade_runtime.cli.outcomes import LineState, UsageProblem
from ade_runtime.cli.params import FieldParam, RuleInfo
from ade_runtime.cli.values import did_you_mean, join_words, read_json, shown
from ade_runtime.contracts import JsonObject


class Arguments:
    """The arguments of one call while they are collected.

    A field given in two ways is refused, not guessed at.
    """

    def __init__(self, fields: Sequence[FieldParam], base: JsonObject) -> None:
        self._fields = {param.field: param for param in fields}
        self._given: dict[str, str] = {}
        self.values: JsonObject = dict(base)

    def put(self, field: str, value: Any, way: str) -> None:
        """Set ``field``, given by ``way`` (how the line spelled it)."""
        earlier = self._given.setdefault(field, way)
        if earlier != way:
            raise UsageProblem(
                f"{field} is given twice: by {earlier} and by {way}.", hint="Keep one of them."
            )
        self.values[field] = value

    def add_text(self, assignment: str) -> None:
        """``FIELD=TEXT`` of --arg: read by the field's declared type, as an item where the field holds
        many.
        """
        name, text = _assignment("--arg", assignment)
        param = self._param(name, "--arg")
        try:
            value = param.read(text)
        except ValueError as error:
            raise field_problem(f"--arg {name}: {error}.", _json_hint(param), {name: str(error)}) from None
        if param.many:
            items = self.values.get(name, []) if name in self._given else []
            self.put(name, [*items, value], "--arg")
        else:
            self.put(name, value, "--arg")

    def add_json(self, assignment: str) -> None:
        """``FIELD=JSON`` of --arg-json: the whole value of the field."""
        name, text = _assignment("--arg-json", assignment)
        self._param(name, "--arg-json")
        try:
            self.put(name, read_json(text), "--arg-json")
        except ValueError as error:
            message = f"--arg-json {name}: {shown(text)} {error}."
            raise field_problem(message, "Text needs double quotes in JSON.", {name: str(error)}) from None

    def _param(self, name: str, way: str) -> FieldParam:
        param = self._fields.get(name) or self._fields.get(name.replace("-", "_"))
        if param is None or param.field != name:
            mean = param.field if param else None
            known = list(self._fields)
            hint = f"Did you mean {mean}?" if mean else did_you_mean(name, known)
            listed = f"The fields are {join_words(known, 'and')}." if known else "The action takes no fields."
            message = f"{way} names no field of the action: {shown(name)}."
            raise field_problem(message, f"{hint} {listed}".strip(), {name: "there is no such field"})
        return param


def base_input(source: str, state: LineState) -> JsonObject | str:
    """The object --input-json gives, or the source (``-`` or an absolute path) whose text is needed first."""
    if source != "-" and not source.startswith("@"):
        return _input_object(source, "--input-json")
    name = "-" if source in ("-", "@-") else posixpath.normpath(posixpath.join(state.cwd, source[1:]))
    if source == "@":
        raise UsageProblem(
            "--input-json @ names no file.", hint="Write --input-json @FILE, or - for standard input."
        )
    text = state.texts.get(name)
    return name if text is None else _input_object(text, "standard input" if name == "-" else name)


def assign_positionals(
    fields: Sequence[FieldParam], words: Sequence[str], taken: Iterable[str], where: str
) -> list[tuple[FieldParam, list[str]]]:
    """Hand positional words to the positional fields that no flag gave, in order."""
    closed = set(taken)
    slots = [param for param in fields if param.positional and param.field not in closed]
    rest, out = list(words), []
    for index, param in enumerate(slots):
        if not rest:
            break
        later = sum(1 for other in slots[index + 1 :] if other.required) if param.many else 0
        count = max(len(rest) - later, 1) if param.many else 1
        out.append((param, rest[:count]))
        rest = rest[count:]
    if rest:
        said = "" if any(param.secret for param in fields) else f": {shown(rest[0])}"
        raise UsageProblem(
            f"{where} got an unexpected argument{said}.",
            hint=f"See `{where} --help`; text with blanks needs quotes.",
        )
    return out


def check_complete(
    fields: Sequence[FieldParam], rules: Sequence[RuleInfo], values: Mapping[str, Any], where: str
) -> None:
    """Refuse a call that lacks a required field or breaks a rule across fields."""
    missing = [param.shown_name for param in fields if param.required and param.field not in values]
    if missing:
        paths = {
            param.field: "is required" for param in fields if param.required and param.field not in values
        }
        raise field_problem(f"{where} needs {join_words(missing, 'and')}.", f"See `{where} --help`.", paths)
    names = {param.field: param.shown_name for param in fields}
    for rule in rules:
        problem = _broken(rule, values, names)
        if problem:
            raise field_problem(problem, f"See `{where} --help`.", {"": problem})


def field_problem(message: str, hint: str, problems: Mapping[str, str]) -> UsageProblem:
    """A problem whose details name the fields it is about, in the form in which the pipeline does: path →
    problem.
    """
    details = [{"path": path, "message": problem} for path, problem in problems.items()]
    return UsageProblem(message, hint=hint, details={"problems": details})


def rule_sentence(rule: RuleInfo, names: Mapping[str, str]) -> str:
    """The rule in words, with fields named as in ``names``."""
    words = [names.get(field, field) for field in rule.fields]
    match rule.kind:
        case "exactly_one_of":
            return f"Give exactly one of {join_words(words, 'and')}."
        case "at_most_one_of":
            return f"Give at most one of {join_words(words, 'and')}."
        case "at_least_one_of":
            return f"Give at least one of {join_words(words, 'and')}."
        case "requires":
            return f"{words[0]} needs {join_words(words[1:], 'and')} too."


def _broken(rule: RuleInfo, values: Mapping[str, Any], names: Mapping[str, str]) -> str | None:
    given = [field for field in rule.fields if field in values]
    match rule.kind:
        case "exactly_one_of":
            fine = len(given) == 1
        case "at_most_one_of":
            fine = len(given) <= 1
        case "at_least_one_of":
            fine = len(given) >= 1
        case "requires":
            fine = rule.fields[0] not in given or len(given) == len(rule.fields)
    return None if fine else rule_sentence(rule, names)


def _assignment(way: str, text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageProblem(
            f"{way} takes FIELD=VALUE, not {shown(text)}.", hint=f"For example {way} name=value."
        )
    return name, value


def _json_hint(param: FieldParam) -> str:
    return f"It takes {param.limits}; use --arg-json for a value in JSON." if param.limits else ""


def _input_object(text: str, where: str) -> JsonObject:
    try:
        value = read_json(text)
    except ValueError as error:
        raise UsageProblem(
            f"{where}: the text {error}.", hint="Give one JSON object; --skeleton prints one."
        ) from None
    if not isinstance(value, dict):
        raise UsageProblem(f"{where} must hold a JSON object.", hint="--skeleton prints one to fill in.")
    return value
