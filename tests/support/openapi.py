"""Exchanges over HTTP, held to an OpenAPI 3.0 description: path, query, body and answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from ade_runtime.rfc3339 import is_date_time
from tests.support.exchanges import Exchange

HOME = "urn:description"
GENERAL = (401, 403, 404, 429)
"""Refusals that a service may answer to anything, whether the operation's description lists them or not."""

REFUSED = 400
REFUSAL = {"$ref": "#/components/schemas/basic-error"}
NOT_MODIFIED = 304
"""The answer to a conditional request, to anything as well."""

_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time")
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or is_date_time(value)


@_FORMATS.checks("uri")
def _is_address(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme)


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path; ``name`` is what the description calls it."""

    name: str
    pattern: re.Pattern[str]
    in_path: tuple[str, ...]
    parameters: tuple[Mapping[str, Any], ...]
    body: Mapping[str, Any] | None
    answers: Mapping[str, Any]


class Description:
    """``document`` is the whole description, with its references in place."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document: Mapping[str, Any] = _modern(document)
        resource = Resource(contents=self._document, specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource(HOME, resource)
        self._operations: dict[str, list[Operation]] = {}
        for template, item in self._document["paths"].items():
            for method in item.keys() & {"get", "post", "put", "patch", "delete"}:
                made = self._operation(template, item, item[method])
                self._operations.setdefault(method.upper(), []).append(made)
        for many in self._operations.values():  # what is written out comes before what is a parameter
            many.sort(key=lambda one: -len(one.pattern.pattern.replace("(.+)", "").replace("([^/]+)", "")))

    def operation(self, exchange: Exchange) -> Operation | None:
        """The operation that was called; ``None`` where the description has none such."""
        path = urlsplit(exchange.target).path
        many = self._operations.get(exchange.method, ())
        return next((one for one in many if one.pattern.fullmatch(path)), None)

    def problems(self, exchange: Exchange) -> list[str]:
        """What of the exchange the description does not allow."""
        operation = self.operation(exchange)
        if operation is None:
            return [f"there is no {exchange.method} {exchange.target}"]
        found = [*self._asked(operation, exchange), *self._sent(operation, exchange)]
        if not exchange.invented:
            found += self._answered(operation, exchange)
        return [f"{operation.name}: {one}" for one in found]

    def _operation(self, template: str, item: Mapping[str, Any], about: Mapping[str, Any]) -> Operation:
        parameters = tuple(
            self._found(one) for one in [*item.get("parameters", ()), *about.get("parameters", ())]
        )
        deep = {one["name"] for one in parameters if one.get("x-multi-segment")}
        steps = re.split(r"\{([^}]+)\}", template)
        names = tuple(steps[1::2])
        for place in range(0, len(steps), 2):
            steps[place] = re.escape(steps[place])
        steps[1::2] = ["(.+)" if name in deep else "([^/]+)" for name in names]
        pattern = re.compile("".join(steps))
        body = self._found(about["requestBody"]) if "requestBody" in about else None
        return Operation(about["operationId"], pattern, names, parameters, body, about["responses"])

    def _asked(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        parts = urlsplit(exchange.target)
        match = operation.pattern.fullmatch(parts.path)
        assert match is not None
        schemas = {one["name"]: one["schema"] for one in operation.parameters if one["in"] == "path"}
        for name, value in zip(operation.in_path, match.groups(), strict=True):
            yield from self._fits(_read(unquote(value), schemas[name]), schemas[name], f"path {name}")
        known = {one["name"]: one for one in operation.parameters if one["in"] == "query"}
        given = dict(parse_qsl(parts.query, keep_blank_values=True))
        yield from (f"query {name} is not described" for name in given.keys() - known.keys())
        for name, one in known.items():
            if name in given:
                yield from self._fits(_read(given[name], one["schema"]), one["schema"], f"query {name}")
            elif one.get("required"):
                yield f"query {name} is missing"

    def _sent(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        if operation.body is None:
            if exchange.sent:
                yield "a body was sent and none is described"
            return
        if not exchange.sent:
            if operation.body.get("required"):
                yield "the body is missing"
            return
        described = operation.body["content"].get(exchange.sent_type.split(";")[0])
        if described is None:
            yield f"a body of type {exchange.sent_type} is not described"
            return
        body = json.loads(exchange.sent)
        yield from self._fits(body, described["schema"], "body")
        unknown = body.keys() - self._names(described["schema"]) if isinstance(body, dict) else ()
        yield from (f"body {name} is not described" for name in unknown)

    def _answered(self, operation: Operation, exchange: Exchange) -> Iterator[str]:
        described = operation.answers.get(str(exchange.status))
        if described is None and exchange.status not in (*GENERAL, NOT_MODIFIED):
            yield f"status {exchange.status} is not described"
            return
        content = self._found(described or {}).get("content", {})
        if (
            not content and exchange.status >= REFUSED
        ):  # the description leaves out what all refusals look like
            content = {"application/json": {"schema": REFUSAL}}
        if not content:
            if exchange.answered:
                yield f"an answer of status {exchange.status} has no body by the description"
            return
        if not exchange.answered:
            yield f"the answer of status {exchange.status} lacks its body"
            return
        schema = content["application/json"]["schema"]
        yield from self._fits(json.loads(exchange.answered), schema, f"answer {exchange.status}")

    def _fits(self, value: Any, schema: Mapping[str, Any], what: str) -> Iterator[str]:
        validator = Draft202012Validator(_rooted(schema), registry=self._registry, format_checker=_FORMATS)
        for problem in validator.iter_errors(value):
            yield f"{what} {problem.json_path}: {problem.message[:300]}"

    def _names(self, schema: Mapping[str, Any]) -> set[str]:
        """Every property that some branch of a schema knows."""
        schema = self._found(schema)
        found = set(schema.get("properties", ()))
        for part in ("oneOf", "anyOf", "allOf"):
            for one in schema.get(part, ()):
                found |= self._names(one)
        return found

    def _found(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """The node, or what it refers to."""
        while "$ref" in node:
            found: Any = self._document
            for step in node["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            node = found
        return node


def _rooted(node: Any) -> Any:
    """References made absolute, so that a part of the description can be used by itself."""
    if isinstance(node, dict):
        return {name: HOME + value if name == "$ref" else _rooted(value) for name, value in node.items()}
    return [_rooted(one) for one in node] if isinstance(node, list) else node


def _read(text: str, schema: Mapping[str, Any]) -> Any:
    """A parameter as the value that its schema speaks of."""
    if schema.get("type") in ("integer", "number", "boolean"):
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            return text
    return text


def _modern(node: Any) -> Any:
    """The same in the words of JSON Schema 2020-12: ``nullable`` is OpenAPI 3.0's own."""
    if isinstance(node, list):
        return [_modern(one) for one in node]
    if not isinstance(node, dict):
        return node
    made = {name: _modern(value) for name, value in node.items()}
    if node.get("nullable") is not True:
        return made
    del made["nullable"]
    if isinstance(made.get("type"), str) and not made.keys() & {"allOf", "anyOf", "oneOf"}:
        if "enum" in made and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
        return {**made, "type": [made["type"], "null"]}
    return {"anyOf": [made, {"type": "null"}]}
