"""Checks a file's nodes against its JSON Schema in ``specs/schema``, the description of how specs are
written.

Editors read the same schemas. This walker knows the keywords they use and no others, keeps the position of
every node, and says what an author needs where a JSON Schema validator would say ``anyOf``. Beyond JSON
Schema it reads four annotations: ``x-what`` (what stands in this place, in words), ``x-for`` (what a
conditional part is about), ``x-place`` and ``x-data`` (a text that is only handed on as data, so that it
may hold control characters).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ade_runtime.strict_yaml.reader import BIDI, Mapping, Node, Scalar, Sequence, plain
from codegen.diagnostics import Sink
from codegen.load.advice import INSTEAD, misplaced_key
from codegen.load.schemas import JsonSchema, SchemaFolder
from codegen.wording import closest, did_you_mean, quote


class Walker:
    """One pass over one file. ``bad`` collects the nodes in which something is wrong, by identity."""

    def __init__(self, schemas: SchemaFolder, sink: Sink) -> None:
        self.schemas = schemas
        self.sink = sink
        self.bad: set[int] = set()

    def check(self, node: Node, schema: JsonSchema, place: str = "") -> bool:
        """Report every way in which ``node`` does not fit; true when it fits."""
        before = len(self.bad)
        if "$ref" in schema:
            schema = self.schemas.followed(schema)
        if "x-place" in schema:
            place = schema["x-place"]
        if "type" in schema and not _is(node, schema["type"]):
            fits = self._wrong_type(node, schema)
        elif isinstance(node, Mapping):
            fits = self._mapping(node, schema, place)
        elif isinstance(node, Sequence):
            fits = self._sequence(node, schema, place)
        else:
            fits = self._scalar(node, schema)
        if fits and "enum" in schema and plain(node) not in schema["enum"]:
            fits = self._not_one_of(node, schema)
        if "allOf" in schema or "if" in schema or "oneOf" in schema:
            fits = self._conditional(node, schema, place) and fits
        if not fits or len(self.bad) > before:
            self.bad.add(id(node))
            return False
        return True

    def _conditional(self, node: Node, schema: JsonSchema, place: str) -> bool:
        fits = True
        for part in schema.get("allOf", ()):
            fits = self.check(node, part, place) and fits
        if "oneOf" in schema:
            fits = self._one_of_keys(node, [branch["required"][0] for branch in schema["oneOf"]]) and fits
        if "if" in schema:
            branch = schema.get("then" if matches(node, schema["if"]) else "else")
            fits = (branch is None or self.check(node, branch, place)) and fits
        return fits

    def _one_of_keys(self, node: Node, keys: list[str]) -> bool:
        present = [key for key in keys if isinstance(node, Mapping) and key in node.entries]
        if len(present) == 1:
            return True
        choice = ", ".join(keys)
        if not present:
            return self._fail("missing-key", node, f"one of the keys {choice} must stand here")
        assert isinstance(node, Mapping)
        span = node.entries[present[1]][0]
        self.sink.add(
            span,
            "misplaced-key",
            f"{' and '.join(present)} exclude each other",
            f"keep exactly one of {choice}",
        )
        return False

    def _mapping(self, node: Mapping, schema: JsonSchema, place: str) -> bool:
        fits = True
        properties = schema.get("properties", {})
        extra = schema.get("additionalProperties", True)
        if "propertyNames" in schema:
            fits = self._names(node, schema, place)
        unknown = []
        for key, entry in node.entries.items():
            known = properties.get(key)
            if known is not None:
                fits = self.check(entry[1], known, place) and fits
            elif extra is False:
                unknown.append(key)
                fits = self._unknown(node, key, list(properties), schema, place)
            elif extra is not True:
                fits = self.check(entry[1], extra, place) and fits
        return (
            self._required(node, schema, unknown)
            and self._count(node, len(node.entries), schema, "Properties")
            and fits
        )

    def _names(self, node: Mapping, schema: JsonSchema, place: str) -> bool:
        names = schema["propertyNames"]
        if "enum" in names:
            strange = [key for key in node.entries if key not in names["enum"]]
            for key in strange:
                self._unknown(node, key, names["enum"], schema, place)
            return not strange
        if "$ref" in names:
            names = self.schemas.followed(names)
        fits = True
        for key, entry in node.entries.items():
            problem = _text_problem(key, names)
            if problem:
                fits = False
                what = names.get("x-what", "")
                self.sink.add(
                    entry[0], "bad-name", f"the name {quote(key)} {problem}", f"write {what}" if what else ""
                )
        return fits

    def _unknown(self, node: Mapping, key: str, known: list[str], schema: JsonSchema, place: str) -> bool:
        """One key that may not stand here; what an outer schema refused already is not refused again."""
        entry = node.entries[key]
        if id(entry) in self.bad:
            return False
        self.bad.add(id(entry))
        about = schema.get("x-for")
        if about:
            message, help_text = misplaced_key(key, about, known)
            self.sink.add(entry[0], "misplaced-key", message, help_text)
        elif place == "schema" and key in INSTEAD:
            message = f"the keyword {quote(key)} is not part of the spec language"
            self.sink.add(entry[0], "schema-keyword", message, INSTEAD[key])
        elif ":" in key and isinstance(entry[1], Scalar) and entry[1].written == "":
            message = f"unknown key {quote(key)}"
            self.sink.add(
                entry[0], "unknown-key", message, "write a blank behind the colon, or quote the text"
            )
        else:
            free = [name for name in known if name not in node.entries]
            comma = isinstance(entry[1], Scalar) and entry[1].written == "" and " " in key
            fix = "inside { } a comma ends an unquoted text: quote the text" if comma else ""
            self.sink.add(
                entry[0], "unknown-key", f"unknown key {quote(key)}{did_you_mean(key, free or known)}", fix
            )
        return False

    def _required(self, node: Mapping, schema: JsonSchema, unknown: list[str]) -> bool:
        missing = [key for key in schema.get("required", ()) if key not in node.entries]
        meant = {closest(key, [*schema.get("properties", ()), *missing]) for key in unknown}
        for key in missing:
            if key in meant:
                continue
            about = f" ({schema['x-for']})" if "x-for" in schema else ""
            what = schema.get("properties", {}).get(key, {}).get("description", "")
            self.sink.add(
                node.span,
                "missing-key",
                f"the key {quote(key)} is missing{about}",
                f"{key}: {what}" if what else "",
            )
        return not missing

    def _sequence(self, node: Sequence, schema: JsonSchema, place: str) -> bool:
        fits = self._count(node, len(node.items), schema, "Items")
        if "items" in schema:
            for item in node.items:
                fits = self.check(item, schema["items"], place) and fits
        return fits

    def _count(self, node: Node, count: int, schema: JsonSchema, noun: str) -> bool:
        least = schema.get(f"min{noun}", 0)
        if count >= least:
            return True
        return self._fail(
            "wrong-value", node, f"at least {least} {'entry' if least == 1 else 'entries'} must stand here"
        )

    def _scalar(self, node: Scalar, schema: JsonSchema) -> bool:
        value = node.value
        what = schema.get("x-what")
        if isinstance(value, str):
            control = None if schema.get("x-data") else _CONTROL.search(value)
            if control:
                name = f"U+{ord(control[0]):04X}"
                return self._fail("yaml-character", node, f"the text holds the character {name}", "remove it")
            problem = _text_problem(value, schema)
            if problem:
                code = "wrong-value" if "character" in problem else "bad-name"
                return self._fail(code, node, f"{quote(value)} {problem}", f"write {what}" if what else "")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            low, high = schema.get("minimum"), schema.get("maximum")
            if low is not None and value < low:
                return self._fail("wrong-value", node, f"{node.written} is less than {low}")
            if high is not None and value > high:
                return self._fail("wrong-value", node, f"{node.written} is greater than {high}")
        return True

    def _not_one_of(self, node: Node, schema: JsonSchema) -> bool:
        allowed = schema["enum"]
        names = [value for value in allowed if isinstance(value, str)]
        if isinstance(node, Scalar):
            written = node.written if node.value is not None or node.written else "nothing"
            return self._fail(
                "wrong-value", node, f"{quote(written)} is not allowed here{did_you_mean(written, names)}"
            )
        if isinstance(node, Sequence) and any(isinstance(value, list) for value in allowed):
            return self._bad_nullable(node, names)
        return self._fail("wrong-value", node, f"a single word is expected here{did_you_mean('', names)}")

    def _bad_nullable(self, node: Sequence, names: list[str]) -> bool:
        for item in node.items:
            if isinstance(item, Scalar) and item.value is None and not item.quoted:
                return self._fail(
                    "wrong-type", item, "null stands here without quotes", 'quote it: type: [string, "null"]'
                )
            if not isinstance(item, Scalar) or item.written not in [*names, "null"]:
                word = item.written if isinstance(item, Scalar) else "list"
                return self._fail(
                    "wrong-value", item, f"{quote(word)} is no type{did_you_mean(word, [*names, 'null'])}"
                )
        return self._fail(
            "wrong-value",
            node,
            "a list of types is one type and null, in that order",
            'write type: [string, "null"], or one type',
        )

    def _wrong_type(self, node: Node, schema: JsonSchema) -> bool:
        wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        words = schema.get("x-what") or " or ".join(_WORDS[kind] for kind in wanted)
        if not isinstance(node, Scalar):
            got = "a mapping" if isinstance(node, Mapping) else "a list"
            fix = "quote a text that begins with { or [" if "string" in wanted else ""
            return self._fail("wrong-type", node, f"{got} stands where {words} belongs", fix)
        if node.value is None and node.written == "":
            return self._fail(
                "wrong-type", node, f"nothing stands where {words} belongs", _EMPTY.get(wanted[0], "")
            )
        got = f"{quote(node.written)} is {_WORDS[_json_kind(node)]}, but {words} belongs here"
        return self._fail("wrong-type", node, got, _quote_it(node, wanted, schema))

    def _fail(self, code: str, node: Node, message: str, help: str = "") -> bool:
        self.sink.add(node.span, code, message, help)
        self.bad.add(id(node))
        return False


_CONTROL = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff{BIDI}]")
"""Control and bidirectional characters: texts land in terminals, prompts and code."""
_KINDS: dict[type, str] = {
    str: "string",
    bool: "boolean",
    type(None): "null",
    int: "integer",
    float: "number",
}
_WORDS = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean (true or false)",
    "null": "null",
    "object": "a mapping",
    "array": "a list",
}
_EMPTY = {
    "object": "write {} for an empty mapping",
    "array": "write [] for an empty list",
    "string": 'write "" for an empty text',
}


def _quote_it(node: Scalar, wanted: list[str], schema: JsonSchema) -> str:
    if "s|m|h" in schema.get("pattern", ""):
        return f"write the unit, such as {node.written}s"
    if "string" in wanted and not node.quoted:
        return f"quote it: {quote(node.written)}"
    if node.quoted and ("integer" in wanted or "number" in wanted or "boolean" in wanted):
        return "write it without quotes"
    return ""


def _json_kind(node: Node) -> str:
    if isinstance(node, Mapping):
        return "object"
    if isinstance(node, Sequence):
        return "array"
    return _KINDS[type(node.value)]


def _is(node: Node, kind: str | list[str]) -> bool:
    if isinstance(kind, list):
        return any(_is(node, one) for one in kind)
    if isinstance(node, Scalar):
        value = node.value
        if kind == "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        if kind == "integer" and isinstance(value, float):
            return value.is_integer()
    return _json_kind(node) == kind


def _text_problem(text: str, schema: JsonSchema) -> str:
    if len(text) < schema.get("minLength", 0):
        return f"is shorter than {schema['minLength']} character{'' if schema['minLength'] == 1 else 's'}"
    if len(text) > schema.get("maxLength", len(text)):
        return f"is longer than {schema['maxLength']} characters"
    if "pattern" in schema and not _pattern(schema["pattern"]).search(text):
        return "does not fit its place"
    return ""


@lru_cache(maxsize=256)
def _pattern(pattern: str) -> re.Pattern[str]:
    """The pattern as JSON Schema means it: ``$`` is the very end, not before a last newline."""
    return re.compile(re.sub(r"\$$", r"\\Z", pattern))


def matches(node: Node, schema: JsonSchema) -> bool:
    """Whether a condition (``if``) holds: of ``type``, ``required`` and ``properties`` with ``enum`` only."""
    if "type" in schema and not _is(node, schema["type"]):
        return False
    if not isinstance(node, Mapping):
        return True
    if any(key not in node.entries for key in schema.get("required", ())):
        return False
    for key, part in schema.get("properties", {}).items():
        found = node.get(key)
        if found is not None and plain(found) not in part["enum"]:
            return False
    return True
