"""A query means the same to Python and to ripgrep, as far as ripgrep may only find more."""

from __future__ import annotations

import re
import subprocess
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ade_runtime.workspace.pattern import BadPattern, Pattern, compiled, pattern_of
from tests.unit.workspace.ripgrep import RIPGREP, WHY

LITERALS = st.sampled_from([*"abAB_- .é€ß𝒳İkK1{", "\\.", "\\*", "\\\\", "\\t", "\\-", "\\{", "\\é", "]"])
MEMBERS = st.sampled_from(
    ["a", "b-d", "A-Z", "é", "é-ö", "\\]", "\\\\", "-", "^", ".", "\\w", "\\d", "\\s", "&&", "~", "\\-", "["]
)
CLASSES = st.tuples(st.booleans(), st.lists(MEMBERS, min_size=1, max_size=3)).map(
    lambda one: f"[{'^' if one[0] else ''}{''.join(one[1])}]"
)
ATOMS = LITERALS | CLASSES | st.sampled_from([".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S"])
QUANTIFIERS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "??", "{1,2}?"])


def _longer(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    quantified = st.tuples(inner.map(lambda one: f"({one})"), QUANTIFIERS).map("".join)
    return st.tuples(inner, inner).map("|".join) | st.lists(quantified | inner, min_size=1, max_size=3).map(
        "".join
    )


SINGLE = st.tuples(ATOMS, QUANTIFIERS).map("".join) | st.sampled_from(["^", "$", "\\b", "\\B"])
QUERIES = st.recursive(SINGLE, _longer, max_leaves=6)
PIECES = [
    "a", "b", "ab", "AB", "é", "É", "€", "ß", "ẞ", "𝒳", "İ", "i", "ı", "k", "K", "K", "1", "_", "-", " ", "\t", ".", "]", "{",
    "^",
    "\r",
    "\x0b", "\x0c", "\x85", "\u2028", "\u00a0",
]  # fmt: skip
LINES = st.lists(
    st.sampled_from([piece.encode() for piece in PIECES] + [b"\xe9", b"\xff", b"\xed\xa0\x80"]), max_size=6
).map(b"".join)


def decoded(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape").removesuffix("\r")


def matches(pattern: Pattern, line: bytes) -> bool:
    return compiled(pattern.python, ignore_case=pattern.ignore_case).search(decoded(line)) is not None


def asked(pattern: Pattern, lines: list[bytes]) -> set[int]:
    """Which lines ripgrep finds."""
    argv = [
        str(RIPGREP),
        "--no-config",
        "--text",
        "--no-filename",
        "--line-number",
        "--only-matching",
        "--replace",
        "",
        "--color=never",
    ]
    done = subprocess.run(
        [*argv, "--regexp", pattern.rust, "-"],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), (pattern, done.stderr)
    return {int(line.split(b":", 1)[0]) for line in done.stdout.splitlines()}


@pytest.mark.skipif(RIPGREP is None, reason=WHY)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(QUERIES, st.booleans(), st.booleans(), st.lists(LINES, min_size=1, max_size=20))
def test_ripgrep_finds_whatever_python_finds(
    query: str, ignore_case: bool, whole_word: bool, lines: list[bytes]
) -> None:
    try:
        pattern = pattern_of(query, regex=True, ignore_case=ignore_case, whole_word=whole_word)
    except BadPattern:
        return
    found = asked(pattern, lines)
    missed = [
        line for number, line in enumerate(lines, start=1) if matches(pattern, line) and number not in found
    ]
    assert not missed


@pytest.mark.skipif(RIPGREP is None, reason=WHY)
@settings(max_examples=150, deadline=None)
@given(
    LINES.filter(lambda line: len(line) > 0 and b"\n" not in line),
    st.booleans(),
    st.lists(LINES, min_size=1, max_size=10),
)
def test_a_plain_text_is_found_by_both(text: bytes, ignore_case: bool, lines: list[bytes]) -> None:
    query = text.decode("utf-8", "replace")
    pattern = pattern_of(query, regex=False, ignore_case=ignore_case, whole_word=False)
    found = asked(pattern, lines)
    for number, line in enumerate(lines, start=1):
        assert not matches(pattern, line) or number in found
        if not ignore_case:
            assert matches(pattern, line) == (query in decoded(line))


@settings(deadline=None, max_examples=300)
@given(QUERIES, LINES)
def test_python_means_what_it_would_have_meant(query: str, line: bytes) -> None:
    """Of the queries that Python reads itself, with dots and classes about the same characters."""
    try:
        pattern = pattern_of(query, regex=True, ignore_case=False, whole_word=False)
    except BadPattern:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # about what later versions may read differently
        own = re.compile(query, re.ASCII)
    assert matches(pattern, line) == (own.search(decoded(line)) is not None)


@pytest.mark.parametrize(
    "query",
    [
        "(", ")", "a)", "(a", "[", "[]", "[^]", "[a", "*", "a**", "a++", "a*+", "a{2}{3}", "^*", "|*", "a{2,1}", "a{1001}",
        "\\",
        "\\1",
        "\\p{L}", "\\x41", "\\u0041", "\\A", "\\Z", "\\n", "(?i)a", "(?P<n>a)", "(?<n>a)", "(?=a)", "(?!a)", "(?<=a)", "(?>a)",
        "[[:alpha:]]",
        "[z-a]", "[\\w-a]", "[a-\\w]", "[\\W]", "a\nb", "(" * 60 + ")" * 60, "[\\b]",
    ],
)  # fmt: skip
def test_what_is_no_pattern_is_refused_with_a_reason(query: str) -> None:
    with pytest.raises(BadPattern) as caught:
        pattern_of(query, regex=True, ignore_case=False, whole_word=False)
    assert str(caught.value)


@pytest.mark.parametrize(
    ("query", "line", "found"),
    [
        ("foo", "a foo b", True), ("foo", "foobar", False), ("foo", "_foo", False), ("foo", "éfooé", True),
        ("foo|bar", "xfoo bar", True),
        ("", "", True),
    ],
)  # fmt: skip
def test_whole_words(query: str, line: str, found: bool) -> None:
    pattern = pattern_of(query, regex=True, ignore_case=False, whole_word=True)
    assert matches(pattern, line.encode()) == found
