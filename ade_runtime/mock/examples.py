"""The examples of the specs as answers: which one fits a call, and what it says about that call."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import orjson

from ade_runtime.contracts import JsonObject

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry

_ALIAS = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@cache
def _of_domain(domain: str) -> list[JsonObject]:
    text = (files("ade_generated") / "contract" / f"{domain}.json").read_bytes()
    cases: list[JsonObject] = orjson.loads(text)["cases"]
    return cases


def examples(entry: ActionEntry) -> list[JsonObject]:
    """Every example of an action, in the order of its spec."""
    return [case for case in _of_domain(entry.domain) if case["action"] == entry.id]


def usual(entry: ActionEntry) -> JsonObject:
    """The first example that works."""
    return next(case for case in examples(entry) if "output" in case)


def fitting(entry: ActionEntry, arguments: JsonObject) -> JsonObject:
    """The example with just these arguments, one that works before one that fails; else the first one that works.

    One that fails for who calls, or without any arguments, says nothing of a call that looks the same.
    """
    same = [case for case in examples(entry) if case["input"] == arguments]
    works = next((case for case in same if "output" in case), None)
    fails = next(
        (case for case in same if arguments and case.get("error", {}).get("code") in entry.errors), None
    )
    return works or fails or usual(entry)


def said(case: JsonObject, arguments: JsonObject) -> JsonObject:
    """What the example answers, with the call's own values where the answer repeats those of the example's input."""
    own = {
        value: arguments[name]
        for name, value in case["input"].items()
        if isinstance(value, str) and isinstance(arguments.get(name), str)
    }
    answer: JsonObject = _replaced(case["output"], own)
    return answer


def as_written(case: JsonObject) -> JsonObject:
    """What the example answers, whatever the call says."""
    answer: JsonObject = _replaced(case["output"], {})
    return answer


def _replaced(value: Any, own: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _replaced(item, own) for key, item in value.items()}
    if isinstance(value, list):
        return [_replaced(item, own) for item in value]
    if isinstance(value, str):
        return own[value] if value in own else _ALIAS.sub(lambda alias: f"mock-{alias[1]}", value)
    return value
