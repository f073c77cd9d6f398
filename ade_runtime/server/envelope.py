"""Reading JSON-RPC 2.0 envelopes strictly and writing answers.

The standard library's parser is used for input because it can refuse duplicate keys; NaN, infinities and numbers beyond a
64-bit integer or a finite float are refused as well, since the next reader would see another number than the sender wrote.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from json.scanner import make_scanner
from typing import Any, Never

import orjson

from ade_runtime.contracts import AdeError, JsonObject

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
DEPTH_LIMIT = 64
_BLANK = " \t\r\n"
_NOT_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*"|[^\[\]{}"]+', re.DOTALL)

Id = str | int | float | None
_ID_TYPES = frozenset([str, int, float, type(None)])


class BadJson(ValueError):
    """Bytes that are no acceptable JSON document; the text says why."""


@dataclass(slots=True)
class Request:
    """A well-formed request, never changed (a frozen class costs a microsecond more to make).

    ``notification`` ones get no answer, whatever happens.
    """

    id: Id
    method: str
    params: JsonObject
    notification: bool


@dataclass(frozen=True, slots=True)
class Invalid:
    """A member that is no request; ``id`` is its id where one could be read."""

    id: Id
    reason: str


def read_json(body: bytes) -> Any:
    """The document in ``body``; raises :class:`BadJson`. Containers may nest 64 deep."""
    if body.count(b"[") + body.count(b"{") > DEPTH_LIMIT and _depth(body) > DEPTH_LIMIT:
        raise BadJson(f"containers nest deeper than {DEPTH_LIMIT}")
    try:
        text = body.decode("utf-8").strip(_BLANK)
        document, end = _scan(text, 0)
    except StopIteration:
        raise BadJson("no value where one is expected") from None
    except (ValueError, RecursionError) as problem:
        raise BadJson(str(problem) or "nesting too deep") from None
    if end != len(text):
        raise BadJson(f"something follows the document at character {end}")
    return document


def read_message(body: bytes) -> Request | Invalid | list[Request | Invalid]:
    """One request, or the members of a batch; raises :class:`BadJson`."""
    document = read_json(body)
    if type(document) is list:
        if not document:
            return Invalid(None, "a batch holds at least one request")
        return [as_request(member) for member in document]
    return as_request(document)


def as_request(document: Any) -> Request | Invalid:
    """Check one member against JSON-RPC 2.0. Parameters are an object or absent: actions have named arguments only."""
    if type(document) is not dict:
        return Invalid(None, "a request is an object")
    identifier = document.get("id")
    if type(identifier) not in _ID_TYPES:
        return Invalid(None, "an id is a string or a number")
    if document.get("jsonrpc") != "2.0":
        return Invalid(identifier, 'the member "jsonrpc" must be "2.0"')
    method = document.get("method")
    if type(method) is not str:
        return Invalid(identifier, 'the member "method" must be a string')
    params = document.get("params")
    if params is None:
        params = {}
    elif type(params) is not dict:
        return Invalid(identifier, 'the member "params" must be an object')
    return Request(identifier, method, params, "id" not in document)


def result(identifier: Id, value: Any) -> bytes:
    """A success answer. ``value`` may hold :class:`orjson.Fragment` for what is JSON already."""
    return _dump({"jsonrpc": "2.0", "id": identifier, "result": value})


def failure(identifier: Id, code: int, message: str, data: JsonObject | None = None) -> bytes:
    """An error answer with a number of JSON-RPC itself or of ``specs/errors.yaml``."""
    error: JsonObject = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return _dump({"jsonrpc": "2.0", "id": identifier, "error": error})


def error_answer(identifier: Id, problem: AdeError) -> bytes:
    """An error answer whose ``data`` is the error document every surface shows."""
    return failure(identifier, problem.rpc, problem.message, problem.envelope())


def notification(method: str, params: JsonObject) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def _dump(document: JsonObject) -> bytes:
    try:
        return orjson.dumps(document)
    except (
        TypeError
    ):  # a lone surrogate, in an id or a quoted name: only the standard library writes it, escaped
        return json.dumps(document).encode("ascii")


def _depth(body: bytes) -> int:
    deepest = depth = 0
    for mark in _NOT_STRUCTURE.sub(b"", body):
        if mark in b"[{":
            depth += 1
            if depth > DEPTH_LIMIT:
                return depth
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    document = dict(pairs)
    if len(document) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:80]!r} stands twice in one object")
    return document


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text[:40]} is beyond a finite float")
    return number


def _integer(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= (number := int(text)) < 2**64:
        raise ValueError(f"the integer {text[:40]} is beyond 64 bits")
    return number


def _no_constant(text: str) -> Never:
    raise ValueError(f"{text} is not JSON")


_scan = make_scanner(
    json.JSONDecoder(  # type: ignore[arg-type]  # the stub names the wrong class
        object_pairs_hook=_unique, parse_float=_finite, parse_int=_integer, parse_constant=_no_constant
    )
)
