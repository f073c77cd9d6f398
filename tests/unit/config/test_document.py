"""Every fault of a configuration is told with its place and what to do."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis_jsonschema import from_schema

from ade_runtime.config.commands import commands_of, trust_hash
from ade_runtime.config.document import parse, parse_value
from ade_runtime.config.yaml_text import block_lines

SCHEMA: dict[str, Any] = json.loads(
    (files("ade_generated") / "schemas" / "project_config.schema.json").read_text()
)


def faults(text: str) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.path) for fault in parse(text.encode()).faults]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# nothing yet\n", []),
        ("{}\n", []),
        ("processes: {}\n", []),
        ("processes:\n  web:\n    comand: [x]\n", [(2, 3, "processes.web.command"), (3, 5, "processes.web.comand")]),
        ("processes:\n  web: {command: [x], restart: No}\n", [(2, 32, "processes.web.restart")]),
        ("processes:\n  web: {command: [x, 8000]}\n", [(2, 22, "processes.web.command.1")]),
        ("processes:\n  web: {command: []}\n", [(2, 18, "processes.web.command")]),
        ("processes:\n  web: {command: ['']}\n", [(2, 19, "processes.web.command.0")]),
        ("processes:\n", [(1, 11, "processes")]),
        ("processes:\n  a.b: {command: [x]}\n", [(2, 3, "processes.a.b")]),
        ("processes:\n  web: {command: [x], env: {1A: x, ADE_HOME: y}}\n",
         [(2, 29, "processes.web.env.1A"), (2, 36, "processes.web.env.ADE_HOME")]),
        ("processes:\n  web: {command: [x], cwd: ../..}\n", [(2, 28, "processes.web.cwd")]),
        ("processes:\n  web: {command: [x], ready: {}}\n", [(2, 30, "processes.web.ready")]),
        ("tests:\n  suites:\n    u: {command: [x], junit: /etc/x}\n", [(3, 30, "tests.suites.u.junit")]),
        ("a: 1\na: 2\n", [(2, 1, "")]),
        ("a:\n\tb: 1\n", [(2, 1, "")]),
        ("a: &x 1\n", [(1, 4, "")]),
        ("[]\n", [(1, 1, "")]),
        ("processes: [\n", [(2, 1, "")]),
    ],
)  # fmt: skip
def test_faults_have_places(text: str, expected: list[tuple[int, int, str]]) -> None:
    document = parse(text.encode())
    assert faults(text) == expected
    assert (document.config is None) == bool(expected)
    assert all(fault.message and fault.fix for fault in document.faults)


def test_bytes_that_are_no_text_are_a_fault() -> None:
    [fault] = parse(b"a: \xff\n").faults
    assert (fault.line, fault.column) == (1, 4)


@settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(from_schema(SCHEMA))
def test_what_the_schema_for_editors_allows_is_refused_for_named_reasons_only(
    document: dict[str, Any],
) -> None:
    """The schema and the model agree; only the rules that no schema can say are left to refuse."""
    jsonschema.validate(document, SCHEMA)
    lines = [line for name, value in document.items() for line in block_lines(name, value, 0)]
    read = parse(("\n".join(lines) + "\n").encode())
    assert read.data == document
    for fault in read.faults:
        assert any(
            word in fault.message for word in ("name", "NUL", "empty", "below the lane", "at least one of")
        )


def test_the_hash_covers_commands_and_not_layout() -> None:
    one = parse(b"processes:\n  web:\n    command: [a, 'b']  # c\n    restart: always\n").config
    same = parse(b"processes: {web: {restart: always, command: ['a', b]}}").config
    assert one is not None and same is not None
    assert trust_hash(one) == trust_hash(same)
    for other in (b"[a, c]", b"[a, b], cwd: x", b"[a, b], env: {A: b}", b"['a b']"):
        changed = parse(b"processes: {web: {restart: always, command: " + other + b"}}").config
        assert changed is not None
        assert trust_hash(changed) != trust_hash(one)
        assert [command.name for command in commands_of(changed)] == ["processes.web"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("always", "always"), ("8000", 8000), ("'8000'", "8000"), ("[a, b]", ["a", "b"]), ("no", "no"),
        ("true", True), ("", None), ("{a: 1}", {"a": 1}), ("a: 1\nb:\n  - c", {"a": 1, "b": ["c"]}),
        ("- a\n- b", ["a", "b"]), ("# x", None),
    ],
)  # fmt: skip
def test_a_value_is_read_as_yaml(text: str, value: Any) -> None:
    assert parse_value(text) == value


@pytest.mark.parametrize("text", ["[", "a: b: c", "*x", "!t x", "a\tb", "{a: 1, a: 2}", "1e999"])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_value(text)
