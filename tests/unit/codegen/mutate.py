"""Strategies that break specs: in their text, and in their structure."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

# fmt: off
SCRAPS = [
    *("", " ", "\n", "  ", "\t", ":", ": ", "- ", "#", "'", '"', "{", "}", "[", "]", ",", "&a ", "*a", "!!x ", "|", ">"),
    *("---", "...", "<<: ", "%", "@", "`", "\\", "\0", "\u2028", "\u202e", "\ud7ff", "é", "🚀", "{{7*7}}", "${x}", "(?!"),
    *("null", "~", "true", "NO", "1e999", "-1", "0x", "60", "string", "type", "$ref", "oneOf", "enum", "lane", "note"),
]
KEYS = [
    *("type", "$ref", "oneOf", "discriminator", "nullable", "properties", "required", "items", "enum", "const"),
    *("minimum", "maximum", "minLength", "maxLength", "pattern", "format", "default", "optional", "cli", "input"),
    *("output", "error", "examples", "given", "rules", "requires", "text", "additionalProperties", "x", "", "anyOf"),
]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 1.5, 2**63 - 1, "", "a", "Note", "string", "object", "-l", "--json", "60", "60s"),
    *([], {}, [None], ["a", "a"], [[]], {"a": {}}, {"type": "string"}, {"$ref": "Note"}, ["string", "null"], "(", "^a$"),
    {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string", "const": "b"}}}},
    {"oneOf": [{"$ref": "Note"}, {"$ref": "Note"}], "discriminator": "id"},
]
# fmt: on


@st.composite
def broken_text(draw: st.DrawFn, text: str) -> str:
    """The text after one to four insertions, deletions, swaps of lines or replacements."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        end = min(len(text), at + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["insert", "delete", "replace", "lines"]))
        if kind == "lines":
            lines = text.split("\n")
            one, two = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[one], lines[two] = lines[two], lines[one]
            text = "\n".join(lines)
        else:
            scrap = "" if kind == "delete" else draw(st.sampled_from(SCRAPS) | st.text(max_size=4))
            text = text[:at] + scrap + text[at if kind == "insert" else end :]
    return text


@st.composite
def broken_data(draw: st.DrawFn, data: Any) -> Any:
    """The document after one to three changes somewhere inside."""
    data = copy.deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        holders = list(_containers(data))
        holder = draw(st.sampled_from(holders))
        if isinstance(holder, list):
            _break_list(draw, holder)
        else:
            _break_mapping(draw, holder)
    return data


def _break_list(draw: st.DrawFn, holder: list[Any]) -> None:
    if holder and draw(st.booleans()):
        index = draw(st.integers(0, len(holder) - 1))
        if draw(st.booleans()):
            del holder[index]
        else:
            holder[index] = copy.deepcopy(draw(st.sampled_from(VALUES)))
    else:
        holder.append(copy.deepcopy(draw(st.sampled_from(VALUES))))


def _break_mapping(draw: st.DrawFn, holder: dict[str, Any]) -> None:
    kind = draw(st.sampled_from(["delete", "replace", "add", "rename"])) if holder else "add"
    key = draw(st.sampled_from(sorted(holder))) if holder else ""
    value = copy.deepcopy(draw(st.sampled_from(VALUES)))
    if kind == "delete":
        del holder[key]
    elif kind == "replace":
        holder[key] = value
    elif kind == "rename":
        holder[draw(st.sampled_from(KEYS))] = holder.pop(key)
    else:
        holder[draw(st.sampled_from(KEYS))] = value


def _containers(value: Any) -> list[Any]:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    own = [value] if isinstance(value, dict | list) else []
    return own + [holder for item in inner for holder in _containers(item)]
