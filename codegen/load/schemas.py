"""The JSON Schemas of ``specs/schema`` and the keywords that they may use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

JsonSchema = dict[str, Any]

HANDLED = frozenset(
    {
        *("$ref", "type", "enum", "allOf", "oneOf", "if", "then", "else", "properties", "required"),
        *("additionalProperties", "propertyNames", "minProperties", "items", "minItems"),
        *("pattern", "minLength", "maxLength", "minimum", "maximum"),
    }
)
"""Keywords that the walker knows; a test refuses schemas with others."""
ANNOTATIONS = frozenset(
    ["$schema", "$id", "$defs", "title", "description", "x-what", "x-for", "x-place", "x-data"]
)


class SchemaFolder:
    """The schemas of ``specs/schema``, read when first asked for, with references followed across files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, JsonSchema] = {}
        self._followed: dict[int, JsonSchema] = {}

    def file(self, name: str) -> JsonSchema:
        """The schema of ``<name>.schema.json``; its own references are made absolute on reading."""
        if name not in self._files:
            path = self.folder / f"{name}.schema.json"
            self._files[name] = _absolute(json.loads(path.read_text(encoding="utf-8")), path.name)
        return self._files[name]

    def followed(self, schema: JsonSchema) -> JsonSchema:
        """A schema with its reference replaced by what it points at; what stands beside it counts too.

        The schemas live as long as this folder, so their identity is a key.
        """
        found = self._followed.get(id(schema))
        if found is None:
            found = {key: value for key, value in schema.items() if key != "$ref"}
            target = self._target(schema["$ref"])
            found = {**(self.followed(target) if "$ref" in target else target), **found}
            self._followed[id(schema)] = found
        return found

    def _target(self, ref: str) -> JsonSchema:
        """What ``value.schema.json#/$defs/text`` points at."""
        file, _, pointer = ref.partition("#")
        found: Any = self.file(file.removesuffix(".schema.json"))
        for part in pointer.strip("/").split("/"):
            found = found[part]
        return cast("JsonSchema", found)


def _absolute(value: Any, file: str) -> Any:
    if isinstance(value, list):
        return [_absolute(item, file) for item in value]
    if not isinstance(value, dict):
        return value
    out = {key: _absolute(item, file) for key, item in value.items()}
    ref = out.get("$ref")
    if isinstance(ref, str) and ref.startswith("#"):
        out["$ref"] = file + ref
    return out
