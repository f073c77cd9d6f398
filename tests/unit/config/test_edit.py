"""Changing one value of a YAML text: it says what was meant, and every other line is as it was."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_runtime.config.document import parse
from ade_runtime.config.edit import REMOVE, NoSuchPath, NotEditable, edited
from ade_runtime.config.yaml_text import block_lines, flow

BASE = """\
# How it runs.

processes:
  # The page itself.
  web:   # on port 8000
    command: [python3, "-m", http.server]   # plain
    env:
      # for the tests
      MODE: 'dev'

  # Jobs.
  worker: {command: [work], restart: always}
tests:
    suites:
        unit:
            command:
            - pytest
            # quick ones
            - -q
# the end
"""

CASES: list[tuple[str, Any, list[tuple[str, str]]]] = [
    (
        "processes.web.command",
        ["a", "b c"],
        [('[python3, "-m", http.server]   # plain', '[a, "b c"]   # plain')],
    ),
    ("processes.web.restart", "always", [("MODE: 'dev'\n", "MODE: 'dev'\n    restart: always\n")]),
    ("processes.web.env.MODE", "x: y", [("'dev'", '"x: y"')]),
    ("processes.web.env.A", "1", [("MODE: 'dev'\n", "MODE: 'dev'\n      A: \"1\"\n")]),
    ("processes.web.env", REMOVE, [("    env:\n      # for the tests\n      MODE: 'dev'\n", "")]),
    (
        "processes.web.env.MODE",
        REMOVE,
        [("    env:\n      # for the tests\n      MODE: 'dev'\n", "    env: {}\n")],
    ),
    ("processes.worker.restart", "never", [("always}", "never}")]),
    ("processes.worker.restart", REMOVE, [(", restart: always", "")]),
    ("processes.worker.command", REMOVE, [("command: [work], ", "")]),
    ("processes.worker.cwd", "sub", [("always}", "always, cwd: sub}")]),
    (
        "tests.suites.unit.command",
        ["tox"],
        [
            (
                "command:\n            - pytest\n            # quick ones\n            - -q\n",
                "command: [tox]\n",
            )
        ],
    ),
    ("tests.suites.unit.timeout", 5, [("- -q\n", "- -q\n            timeout: 5\n")]),
    (
        "tests.suites.all.command",
        ["make", "test"],
        [("- -q\n", "- -q\n        all:\n          command: [make, test]\n")],
    ),
    ("tests", REMOVE, [(BASE[BASE.index("tests:") : BASE.index("# the end")], "")]),
    ("processes.web", REMOVE, [(BASE[BASE.index("  web:") : BASE.index("\n  # Jobs")], "")]),
]


@pytest.mark.parametrize(("path", "value", "changes"), CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_only_what_was_asked_for_changes(
    path: str, value: Any, changes: list[tuple[str, str]], newline: str
) -> None:
    expected = BASE
    for old, new in changes:
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    made = edited(BASE.replace("\n", newline), path.split("."), value)
    assert made == expected.replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("", "a", 1, "a: 1\n"),
        ("# only this", "a.b", [1], "# only this\na:\n  b: [1]\n"),
        ("{}\n", "a", "x", "a: x\n"),
        ("a:\n", "a.b", 1, "a:\n  b: 1\n"),
        ("a: # why\n", "a", 1, "a: 1 # why\n"),
        ("a: {}\n", "a.b", True, "a:\n  b: true\n"),
        ("a: {}  # later\n", "a.b", True, "a:  # later\n  b: true\n"),
        ("a: 1", "b", 2, "a: 1\nb: 2\n"),
        ("a: |\n  one\n  two\n\nb: 2\n", "a", "x", "a: x\n\nb: 2\n"),
        ("a: |\n  one\n\n\n", "b", 2, "a: |\n  one\nb: 2\n\n\n"),
        ("a: 1\n...\n", "b", 2, "a: 1\nb: 2\n...\n"),
        ("a: 1\nb: 2\n", "b", REMOVE, "a: 1\n"),
        ("a: 1\n", "a", REMOVE, ""),
        ("{a: 1, b: 2}\n", "b", REMOVE, "{a: 1}\n"),
        ("{a: {b: 1}}\n", "a.b", REMOVE, "{a: {}}\n"),
        ('"a": 1\n', "a", 2, '"a": 2\n'),
        ('a: "one\n  two"\nb: 1\n', "a", 3, "a: 3\nb: 1\n"),
        ("a: one\n  two\nb: 1\n", "a", 3, "a: 3\nb: 1\n"),
        ("a:\n- 1\n- 2\nb: 3\n", "a", [], "a: []\nb: 3\n"),
        ("---\na: 1\n", "b", 2, "---\na: 1\nb: 2\n"),
    ],
)
def test_odd_layouts(text: str, path: str, value: Any, expected: str) -> None:
    assert edited(text, path.split("."), value) == expected


@pytest.mark.parametrize(
    ("text", "path", "value", "problem"),
    [
        ("a: 1\n", "b", REMOVE, NoSuchPath),
        ("a: 1\n", "a.b", 2, NoSuchPath),
        ("a: [1]\n", "a.0", 2, NoSuchPath),
        ("a: |+\n  one\n\n", "b", 2, NotEditable),
        ("{a: 1, # one\n b: 2}\n", "a", REMOVE, NotEditable),
    ],
)
def test_what_cannot_be_done_is_refused(text: str, path: str, value: Any, problem: type[Exception]) -> None:
    with pytest.raises(problem):
        edited(text, path.split("."), value)


NAMES = st.sampled_from(["a", "b", "cc", "no", "1", "x y", "é", "a.b"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["no", "1e3", "0o17", "2026-01-01", "- a", "#x", "a: b", "a #b", "~", ".5", "\ufeff"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4)


@settings(deadline=None)
@given(VALUES)
def test_every_value_is_read_as_what_it_was(value: Any) -> None:
    assert same(parse(f"v: {flow(value, inside=False)}\n".encode()).data, {"v": value})
    block = "\n".join(block_lines("v", value, 0)) + "\n"
    assert same(parse(block.encode()).data, {"v": value})


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_a_change_says_what_was_meant_and_leaves_the_comments(data: st.DataObject) -> None:
    document = data.draw(DOCUMENTS)
    text = "".join(
        line + "\n"
        for name, value in document.items()
        for line in [f"# {len(name)}", *block_lines(name, value, 0)]
    )
    path = data.draw(st.lists(NAMES, min_size=1, max_size=3))
    value = data.draw(VALUES)
    try:
        made = edited(text, path, value)
    except NoSuchPath:
        return
    wanted: Any = copy.deepcopy(document)
    here = wanted
    for name in path[:-1]:
        if here.get(name) is None:
            here[name] = {}
        here = here[name]
    here[path[-1]] = value
    assert same(parse(made.encode()).data, wanted)
    assert made.count("# ") >= text.count("\n# ")


def same(one: Any, other: Any) -> bool:
    """Equal, with 1, 1.0 and true told apart."""
    return (
        repr(one) == repr(other)
        if not isinstance(one, dict)
        else (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same(one[k], other[k]) for k in one)
        )
    )
