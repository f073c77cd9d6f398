"""Cases of the official JSON-Schema-Test-Suite said in the spec language, as far as that can be.

The suite's schemas are open: a keyword says nothing of values of other types, objects take any further name. Ours are
closed and typed. A case is narrowed by its own document: an untyped place takes the type that the document has there.
What is then still not sayable is left to the loader, which must refuse it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KIND = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format"), "string"),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), "number"),
    **dict.fromkeys(("items", "minItems", "maxItems", "uniqueItems", "prefixItems", "contains"), "array"),
    **dict.fromkeys(("properties", "required", "additionalProperties", "minProperties"), "object"),
}
"""The type that a keyword is about."""
IGNORED = ("$schema", "$comment", "$defs")


class Outside(Exception):
    """The case is about what the spec language leaves out on purpose; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test of the suite: is ``document`` valid by ``schema``?"""

    file: str
    group: str
    title: str
    schema: Any
    document: Any
    valid: bool

    @property
    def name(self) -> str:
        return f"{self.file} › {self.group} › {self.title}"


def cases(folder: Path) -> Iterator[Case]:
    """Every case under ``tests/draft2020-12``, the optional ones of the formats we have included."""
    root = folder / "tests" / "draft2020-12"
    optional = [root / "optional" / "format" / f"{name}.json" for name in ("date", "date-time")]
    for path in [*sorted(root.glob("*.json")), *optional]:
        file = path.stem if path.parent == root else f"format-{path.stem}"
        for group in json.loads(path.read_text(encoding="utf-8")):
            for test in group["tests"]:
                yield Case(
                    file,
                    group["description"],
                    test["description"],
                    group["schema"],
                    test["data"],
                    test["valid"],
                )


def kind_of(document: Any) -> str:
    """The JSON type of a document."""
    if isinstance(document, bool):
        return "boolean"
    kinds = {dict: "object", list: "array", str: "string", int: "integer", float: "number"}
    return kinds.get(type(document), "null")


def narrowed(schema: Any, document: Any) -> Any:
    """The schema in our words, typed by the document. Raises :class:`Outside`."""
    if not isinstance(schema, dict):
        return schema
    out = {key: value for key, value in schema.items() if key not in IGNORED}
    if "type" not in out and not out.keys() & {"$ref", "oneOf"}:
        out["type"] = _untyped(out, document)
    kind = out["type"][0] if isinstance(out.get("type"), list) else out.get("type")
    if kind == "object":
        return _object(out, document)
    return _array(out, document) if kind == "array" else out


def _untyped(schema: dict[str, Any], document: Any) -> str:
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    kinds = {KIND[key] for key in schema if key in KIND} | {kind_of(value) for value in values}
    here = kind_of(document)
    if not kinds:
        return here
    if len(kinds) > 1:
        raise Outside("keywords of several types")
    [kind] = kinds
    if kind != here and not (kind == "number" and here == "integer"):
        raise Outside("a value of another type than the keyword is about")
    return kind


def _object(schema: dict[str, Any], document: Any) -> dict[str, Any]:
    given = document if isinstance(document, dict) else {}
    named: dict[str, Any] = dict(schema.get("properties", {}))
    extra = schema.get("additionalProperties", True)
    if extra is not False and isinstance(extra, dict) and not named:
        values = list(given.values())
        schema["additionalProperties"] = narrowed(extra, values[0] if values else None)
        return schema
    for name in schema.get("required", ()):
        named.setdefault(name, {})
    if extra is True and given.keys() - named.keys():
        raise Outside("a name that an open object takes and ours do not")
    if extra is True and not named:
        return {**schema, "additionalProperties": True}
    schema["properties"] = {name: _narrowed_at(value, given, name) for name, value in named.items()}
    return {key: value for key, value in schema.items() if key != "additionalProperties" or extra is not True}


def _narrowed_at(schema: Any, given: dict[str, Any], name: str) -> Any:
    absent = schema == {} and name not in given
    return {"type": "string"} if absent else narrowed(schema, given.get(name))


def _array(schema: dict[str, Any], document: Any) -> dict[str, Any]:
    given = document if isinstance(document, list) else []
    kinds = {kind_of(item) for item in given}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if not isinstance(schema.get("items"), dict) and "items" in schema:
        return schema
    if "type" not in schema.get("items", {}):
        if len(kinds) > 1:
            raise Outside("a list of several types")
        kind = kinds.pop() if kinds else "string"
        if kind in ("null", "array", "object") and "items" not in schema:
            raise Outside("a list of nulls, lists or open objects")
        schema["items"] = {"type": kind, **narrowed(schema.get("items", {}), given[0] if given else "")}
    return schema
