"""A member goes into a JSON file with comments and out again, and nothing else changes."""

from __future__ import annotations

import json

import pytest

from ade_runtime.mcp_clients.jsonc import DamagedJsonError, put, take, value_of

KEYS = ("mcpServers", "ade")
VALUE = {"command": "ade", "args": ["mcp"], "env": {"A": "ü \u2028 \\"}}
TEXTS = [
    "",
    " \n",
    "// nothing but a comment\n",
    "{}",
    "{ }\n",
    "{\n}\n",
    '{"a": 1}',
    '\ufeff{\r\n  "a": 1,\r\n  "b": [1, {"c": null}],\r\n}\r\n',
    '{\n\t"mcpServers": {\n\t\t"other": {"url": "https://x//y/*z*/"} // its own\n\t}\n}\n',
    '{\n    "mcpServers": {},\n    "a": 1\n}',
    '{ "mcpServers": { /* none yet */ } }',
    '// first\n{\n  // a comment with "mcpServers": {\n  "theme": "dark", /* "mcpServers" */\n  "mcpServers": {\n'
    '    "x": {"command": "x"},\n  },\n}\n// last\n',
    '{"mcpServers": {"other": {"ade": 1}}, "ade": 2}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_there_afterwards_and_everything_else_still_is(text: str) -> None:
    edit = put(text, KEYS, VALUE)
    assert value_of(edit.text, KEYS) == VALUE
    assert edit.text[: edit.at] + edit.before + edit.text[edit.at + len(edit.after) :] == text
    if text.strip() and "{" in text.split("\n", 1)[-1] + text:
        before = value_of(text, ()) or {}
        after = value_of(edit.text, ())
        servers = after.get("mcpServers", {})
        assert {name: one for name, one in after.items() if name != "mcpServers"} == {
            name: one for name, one in before.items() if name != "mcpServers"
        }
        assert {name: one for name, one in servers.items() if name != "ade"} == before.get("mcpServers", {})


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_gone_when_taken_out_of_a_file_that_somebody_changed(text: str) -> None:
    made = put(text, KEYS, VALUE).text
    taken = take(made, KEYS)
    assert value_of(taken, KEYS) is None
    for comment in ("its own", "none yet", "first", "last"):
        assert (comment in taken) is (comment in text)


def test_another_value_takes_its_place() -> None:
    made = put(TEXTS[8], KEYS, VALUE).text
    assert value_of(put(made, KEYS, {"command": "b"}).text, KEYS) == {"command": "b"}
    assert made.splitlines()[1:3] == ['\t"mcpServers": {', '\t\t"ade": {']


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1, "ade": 2}', ("a",)),
        ('{"ade": 1, "b": 2}', ("b",)),
        ('{"ade": 1}', ()),
        ('{"a": 1, "ade": 2,}', ("a",)),
    ],
)
def test_the_comma_goes_with_it(text: str, place: tuple[str, ...]) -> None:
    taken = take(text, ("ade",))
    assert set(json.loads(taken.replace(",}", "}"))) == set(place)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]",
        '{"mcpServers": []}',
        '{"a" 1}',
        '{"a": 1} x',
        '{"a": }',
        '{"a": "\n"}',
        "/* open",
        '{"mcpServers": {}, "mcpServers": {}}',
        "[" * 100,
    ],
)
def test_what_is_no_such_file_is_refused(text: str) -> None:
    with pytest.raises(DamagedJsonError):
        put(text, KEYS, VALUE)
