"""The reader: YAML 1.2 core scalars, positions in code points, and everything it refuses."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

import ade_runtime.strict_yaml.reader as reader
from ade_runtime.strict_yaml.reader import MAX_DEPTH, Mapping, decode, plain, read
from codegen.diagnostics import Sink
from codegen.ir import Span


def parse(text: str) -> tuple[Any, list[tuple[str, int, int]]]:
    sink = Sink()
    node = read(text, "f.yaml", sink)
    found = [(one.code, one.span.line, one.span.column) for one in sink.items]
    return (None if node is None else plain(node)), found


@pytest.fixture(params=["C", "Python"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers of PyYAML, as the C one is not built everywhere."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if request.param == "C" else yaml.SafeLoader
    monkeypatch.setattr(reader, "_Loader", loader)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("NO", "NO"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("n", "n"),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("tRue", "tRue"),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ("", None),
        ("12:30", "12:30"),
        ("1:2:3", "1:2:3"),
        ("2026-01-01", "2026-01-01"),
        ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
        ("2020_01_01", "2020_01_01"),
        ("1_000", "1_000"),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("+12", 12),
        ("-0", 0),
        ("1e3", 1000.0),
        ("1e-5", 1e-5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1.10", 1.1),
        ("1.2.3", "1.2.3"),
        ("0o9", "0o9"),
        ("=", "="),
        ("9223372036854775807", 2**63 - 1),
    ],
)
def test_core_scalars(written: str, value: Any) -> None:
    found, problems = parse(f"a: {written}\nb: '{written}'\n")
    assert problems == []
    assert found == {"a": value, "b": written}
    assert type(found["a"]) is type(value)


@pytest.mark.parametrize(
    "written",
    ["9223372036854775808", "-9223372036854775809", "1e999", ".inf", "-.INF", ".nan", "9" * 5000],
)
def test_numbers_past_the_range_are_refused(written: str) -> None:
    assert parse(f"a:\n  - {written}\n")[1] == [("number-range", 2, 5)]


def test_generator_4_keys_are_text_as_written() -> None:
    assert parse("1: a\ntrue: b\nno: c\n~: d\n") == ({"1": "a", "true": "b", "no": "c", "~": "d"}, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: 1\nb: 2\na: 3\n", ("yaml-duplicate-key", 3, 1)),
        ('"a": 1\na: 3\n', ("yaml-duplicate-key", 2, 1)),
        ('1: x\n"1": y\n', ("yaml-duplicate-key", 2, 1)),
        ("x: {é: 1, é: 2}\n", ("yaml-duplicate-key", 1, 11)),
        ("a:\n\tb: 1\n", ("yaml-tab", 2, 1)),
        ("a: b\t# c\n", ("yaml-tab", 1, 5)),
        ("a: &x 1\n", ("yaml-anchor", 1, 4)),
        ("a: *x\n", ("yaml-anchor", 1, 4)),
        ("a: {<<: {b: 1}}\n", ("yaml-merge-key", 1, 5)),
        ("a: !!int '1'\n", ("yaml-tag", 1, 4)),
        ("a: !x [1]\n", ("yaml-tag", 1, 4)),
        ("%YAML 1.1\n---\na: 1\n", ("yaml-directive", 1, 1)),
        ("a: 1\n---\nb: 1\n", ("yaml-document", 2, 1)),
        ("a: 1\n...\n---\nb: 1\n", ("yaml-document", 3, 1)),
        ("", ("yaml-empty", 1, 1)),
        ("# nothing\n", ("yaml-empty", 1, 1)),
        ("---\n", ("yaml-empty", 1, 1)),
        ("- a\n", ("yaml-not-mapping", 1, 1)),
        ("a\n", ("yaml-not-mapping", 1, 1)),
        ("? [a]\n: 1\n", ("yaml-key", 1, 3)),
        ("a: {{b}}\n", ("yaml-key", 1, 5)),
        ("a: b: c\n", ("yaml-syntax", 1, 5)),
        ("a: [1\n", ("yaml-syntax", 2, 1)),
        ("a: @b\n", ("yaml-syntax", 1, 4)),
        ("a: \u202eb\n", ("yaml-character", 1, 4)),
        ("a: \u200fb\n", ("yaml-character", 1, 4)),
        ("a: b\u2028c\n", ("yaml-character", 1, 5)),
        ("a: b\u0085c\n", ("yaml-character", 1, 5)),
        ("a: b\x00c\n", ("yaml-character", 1, 5)),
        ("a: b\x1b[0m\n", ("yaml-character", 1, 5)),
        ("a: \n b\ufeffc\n", ("yaml-character", 2, 3)),
    ],
)
def test_refused(text: str, problem: tuple[str, int, int]) -> None:
    found = parse(text)[1]
    assert problem in found
    assert {code for code, _, _ in found} == {problem[0]}


def test_quoted_merge_key_is_a_key() -> None:
    assert parse('"<<": 1\n') == ({"<<": 1}, [])


def test_lines_are_counted_as_editors_count_them() -> None:
    assert parse("a: 1\r\nb: 1\r\na: 2\r\n")[1] == [("yaml-duplicate-key", 3, 1)]
    assert parse("a: 'x\n\n y'\na: 2\n")[1] == [("yaml-duplicate-key", 4, 1)]


def test_windows_newlines_read_as_newlines() -> None:
    assert parse("a: |\r\n  x\r\n  y\r\nb: z\r\n")[0] == {"a": "x\ny\n", "b": "z"}


def test_all_faults_of_a_file_are_found_together() -> None:
    found = parse("a: &x 1\nb: !!str 2\na: 1e999\nc: {<<: {}}\n")[1]
    assert sorted(found, key=lambda one: one[1:]) == [
        ("yaml-anchor", 1, 4),
        ("yaml-tag", 2, 4),
        ("yaml-duplicate-key", 3, 1),
        ("number-range", 3, 4),
        ("yaml-merge-key", 4, 5),
    ]


def test_columns_count_code_points() -> None:
    sink = Sink()
    node = read("ключ: {🚀🚀: 修正, b: 1}\n", "f.yaml", sink)
    assert isinstance(node, Mapping)
    inner = node.get("ключ")
    assert isinstance(inner, Mapping)
    assert inner.key_span("b") == Span("f.yaml", 1, 16)


@pytest.mark.parametrize("opening", ["[", "{a: "])
def test_deep_nesting_is_refused_without_exhausting_the_stack(opening: str) -> None:
    found = parse("a: " + opening * 20_000)[1]
    assert [code for code, _, _ in found] in (["yaml-depth"], ["yaml-syntax"])
    closing = "]" if opening == "[" else "}"
    within = MAX_DEPTH - 1
    assert parse("a: " + opening * within + "1" + closing * within)[1] == []


def test_half_a_character_is_refused() -> None:
    codes = {code for code, _, _ in parse('a: "\\ud800"\n')[1]}
    assert codes in ({"yaml-character"}, {"yaml-syntax"})


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [(b"a: \xff\n", 1, 4), (b"a: 1\nb: \xc3\xa9\xe9\n", 2, 5), (b"\xfe\xffa", 1, 1), (b"a: 1\r\xff", 2, 1)],
)
def test_other_encodings_are_refused_at_their_byte(data: bytes, line: int, column: int) -> None:
    sink = Sink()
    assert decode(data, "f.yaml", sink) is None
    assert [(one.code, one.span) for one in sink.items] == [("yaml-encoding", Span("f.yaml", line, column))]


def test_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decode("\ufeffa: 1\n".encode(), "f.yaml", Sink()) == "a: 1\n"
