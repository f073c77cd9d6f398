"""Examples, fixtures, rules, layouts and completers are judged against the schemas they speak of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.codegen.specs_on_disk import ERRORS, NOTE, codes, edited, faults, load, note, only

SUCCESS = "        input: {text: hello}\n        output: {id: n1}"
FAILURE = '        input: {text: ""}\n        error: {code: invalid_arguments}'
DECLARED = ERRORS + "  note_taken: {summary: S., message: M., hint: H., exit: conflict}\n"


@pytest.mark.parametrize(
    ("text", "code", "mentions"),
    [
        ("input: {}\n        output: {id: n1}", "bad-example", ["text", "missing"]),
        (
            "input: {text: hello, level: hihg}\n        output: {id: n1}",
            "bad-example",
            ["level", "low, high"],
        ),
        (
            "input: {text: hello, count: 10}\n        output: {id: n1}",
            "bad-example",
            ["count", "greater than 9"],
        ),
        ("input: {text: hello, count: 1.5}\n        output: {id: n1}", "bad-example", ["count", "integer"]),
        ("input: {text: hello, count: true}\n        output: {id: n1}", "bad-example", ["count", "integer"]),
        ("input: {text: hello, count: null}\n        output: {id: n1}", "bad-example", ["count", "integer"]),
        ("input: {text: 5}\n        output: {id: n1}", "bad-example", ["text", "string"]),
        ("input: {text: hello}\n        output: {di: n1}", "bad-example", ["di", "id"]),
        ("input: {text: hello}\n        output: {id: 5}", "bad-example", ["id", "string"]),
        ("input: {text: hello}\n        output: []", "wrong-type", ["mapping"]),
        ("input: {text: hello}", "missing-key", ["output, error"]),
        (
            "input: {text: hello}\n        output: {}\n        error: {code: timed_out}",
            "misplaced-key",
            ["exclude"],
        ),
        ("input: {text: hello}\n        outptu: {}", "unknown-key", ["outptu", "output"]),
        ("input: {text: '${nowhere}'}\n        output: {}", "bad-example", ["${nowhere}"]),
        ("given: [nowhere]\n        input: {text: a}\n        output: {}", "unknown-fixture", ["nowhere"]),
    ],
)
def test_success_example_has_to_fit(text: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    found = note(tmp_path, (SUCCESS.strip(), text))
    assert set(codes(found)) <= {code, "missing-key"}
    only(tuple(one for one in found if one.code == code), code, *mentions)


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("input: {text: hello}\n        error: {code: invalid_arguments}", ["is valid"]),
        ("input: {text: hello}\n        error: {code: invalid_arguments, path: text}", ["is valid"]),
        (
            "input: {text: '', count: 0}\n        error: {code: invalid_arguments}",
            ["2 ways", "text", "count"],
        ),
        ("input: {text: ''}\n        error: {code: invalid_arguments, path: count}", ["count", "text"]),
        ("input: {text: ''}\n        error: {code: invalid_arguments, path: ''}", ["text"]),
        ("input: {text: ''}\n        error: {code: timed_out}", ["text", "shorter"]),
        ("input: {text: a}\n        error: {code: note_taken}", ["note_taken", "errors:"]),
        ("input: {txt: a, text: b}\n        error: {code: invalid_arguments, path: text}", ["txt"]),
    ],
)
def test_failure_example_fails_for_its_reason(text: str, mentions: list[str], tmp_path: Path) -> None:
    text = edited((FAILURE.strip(), text))
    only(faults(tmp_path, {"domains/note.yaml": text, "errors.yaml": DECLARED}), "bad-example", *mentions)


@pytest.mark.parametrize(
    "text",
    [
        "input: {text: ''}\n        error: {code: invalid_arguments, path: text}",
        "input: {text: '', count: 0}\n        error: {code: invalid_arguments, path: count}",
        "input: {}\n        error: {code: invalid_arguments, path: text}",
        "input: {text: a, x: 1}\n        error: {code: invalid_arguments, path: x}",
        "input: {text: a}\n        error: {code: timed_out}",
        "input: {text: a}\n        error: {code: note_taken}",
        "input: {text: '${project}', count: 1.0}\n        error: {code: timed_out}",
    ],
)
def test_failure_example_that_holds_is_taken(text: str, tmp_path: Path) -> None:
    text = edited((FAILURE.strip(), text), ("[invalid_arguments]", "[note_taken]"))
    load(tmp_path, {"domains/note.yaml": text, "errors.yaml": DECLARED})


def test_path_goes_with_invalid_arguments_only(tmp_path: Path) -> None:
    found = note(
        tmp_path, (FAILURE.strip(), "input: {text: a}\n        error: {code: timed_out, path: text}")
    )
    only(found, "misplaced-key", "path")


def test_an_action_needs_both_kinds_of_example(tmp_path: Path) -> None:
    head = NOTE[: NOTE.index("      - title: A plain note")]
    assert codes(faults(tmp_path, {"domains/note.yaml": head.replace("examples:", "examples: []")})) == [
        "no-failure-example",
        "no-success-example",
    ]


def test_examples_of_one_action_have_their_own_titles(tmp_path: Path) -> None:
    only(note(tmp_path, ("title: Empty text", "title: A plain note")), "bad-example", "A plain note")


def test_part_of_a_list_and_of_a_union_is_enough(tmp_path: Path) -> None:
    types = """\
types:
  A: {type: object, properties: {kind: {type: string, const: a}, n: {type: integer}}, required: [kind, n]}
  B: {type: object, properties: {kind: {type: string, const: b}, s: {type: string}}, required: [kind, s]}
"""
    output = (
        "{type: object, properties: {rows: {type: array, minItems: 1, items: {oneOf: [{$ref: A}, {$ref: B}], "
        "discriminator: kind}}}, required: [rows]}"
    )
    old = "{type: object, properties: {id: {type: string}}, required: [id]}"
    for rows, fits in (
        ("[{kind: a}]", True),
        ("[{kind: b, s: x}]", True),
        ("[]", True),
        ("[{kind: c}]", False),
    ):
        text = edited((old, output), ("{id: n1}", f"{{rows: {rows}}}"))
        found = faults(tmp_path, {"domains/note.yaml": text, "types/all.yaml": types})
        assert (not found) == fits, found
    wrong = edited((old, output), ("{id: n1}", "{rows: [{kind: a, n: x}]}"))
    found = faults(tmp_path, {"domains/note.yaml": wrong, "types/all.yaml": types})
    only(found, "bad-example", "rows.0.n", "integer")


RULED = (
    "count: {type: integer, minimum: 1, maximum: 9, optional: true}\n      a: {type: string, optional: true}"
)


@pytest.mark.parametrize(
    ("rule", "code", "mentions"),
    [
        ("{exactly_one_of: [a, cuont]}", "unknown-field", ["cuont", "count"]),
        ("{exactly_one_of: [a, text]}", "bad-rule", ["text", "always there"]),
        ("{exactly_one_of: [a, level]}", "bad-rule", ["level", "default"]),
        ("{exactly_one_of: [a, a]}", "bad-rule", ["twice"]),
        ("{exactly_one_of: [a]}", "wrong-value", ["2"]),
        ("{exactly_one: [a, count]}", "unknown-key", ["exactly_one", "exactly_one_of"]),
        ("{exactly_one_of: [a, count], at_most_one_of: [a, count]}", "misplaced-key", ["exclude"]),
        ("{}", "missing-key", ["exactly_one_of"]),
        ("{requires: {field: a, fields: [text]}}", "bad-rule", ["text"]),
        ("{requires: {field: b, fields: [a]}}", "unknown-field", ["b"]),
        ("{requires: {field: a}}", "missing-key", ["fields"]),
    ],
)
def test_rule_is_refused(rule: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    count = RULED.split("\n")[0]
    found = note(tmp_path, (count, RULED), ("    output: {type", f"    rules: [{rule}]\n    output: {{type"))
    assert code in codes(found)
    only(tuple(one for one in found if one.code != "missing-key" or code == "missing-key"), code, *mentions)


@pytest.mark.parametrize(
    ("rule", "given", "fits"),
    [
        ("exactly_one_of: [a, count]", "a: x", True),
        ("exactly_one_of: [a, count]", "a: x, count: 1", False),
        ("at_most_one_of: [a, count]", "level: low", True),
        ("at_least_one_of: [a, count]", "level: low", False),
        ("requires: {field: a, fields: [count]}", "count: 1", True),
        ("requires: {field: a, fields: [count]}", "a: x", False),
    ],
)
def test_rules_hold_for_examples(rule: str, given: str, fits: bool, tmp_path: Path) -> None:
    found = note(
        tmp_path,
        (RULED.split("\n")[0], RULED),
        ("    output: {type", f"    rules: [{{{rule}}}]\n    output: {{type"),
        ("input: {text: hello}", f"input: {{text: hello, {given}}}"),
        ("error: {code: invalid_arguments}", "error: {code: invalid_arguments, path: text}"),
    )
    assert (not found) == fits, found
    if not fits:
        only(found, "bad-example", "count")


FIXTURE = "fixtures:\n  one:\n    summary: One.\n    steps:\n      - {0}\n"


@pytest.mark.parametrize(
    ("step", "code", "mentions"),
    [
        ("{use: tow}", "unknown-fixture", ["tow", "two"]),
        ("{use: one}", "bad-fixture", ["uses itself"]),
        ("{use: loop}", "bad-fixture", ["uses itself"]),
        ("{call: note.ad, input: {}}", "unknown-action", ["note.ad", "note.add"]),
        ("{call: note.add}", "bad-fixture", ["text", "missing"]),
        ("{call: note.add, input: {text: 5}}", "bad-fixture", ["text", "string"]),
        ("{call: note.add, input: {text: a}, save: {x: di}}", "bad-fixture", ["di", "id"]),
        ("{call: note.add, input: {text: '${y}'}}", "bad-fixture", ["${y}"]),
        ("{git: [log, '${y}']}", "bad-fixture", ["${y}"]),
        ("{wriet: {a: b}}", "unknown-key", ["wriet", "write"]),
        ("{write: {a: true}}", "wrong-type", ["true", "quote it"]),
        ("{write: {a: b}, commit: c}", "misplaced-key", ["write", "commit"]),
        ("{write: {a: b}, input: {}}", "misplaced-key", ["input", "write"]),
        ("{git: []}", "wrong-value", ["at least 1"]),
    ],
)
def test_fixture_step_is_refused(step: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    more = "  two: {summary: Two., steps: []}\n  loop: {summary: L., steps: [{use: one}]}\n"
    found = faults(tmp_path, {"fixtures.yaml": FIXTURE.replace("{0}", step) + more})
    real = tuple(one for one in found if one.code == code)
    assert set(codes(found)) <= {code, "missing-key"}
    assert real
    assert all(word in f"{real[0].message}{real[0].help}" for word in mentions), real[0]


def test_data_of_fixtures_and_examples_may_hold_control_characters(tmp_path: Path) -> None:
    text = edited(("input: {text: hello}", 'input: {text: "a\\0\\u202e\\r"}'))
    fixture = FIXTURE.replace("{0}", '{write: {a: "\\0\\r\\n\\t"}}')
    specs = load(tmp_path, {"domains/note.yaml": text, "fixtures.yaml": fixture})
    assert specs.actions[0].examples[0].input == {"text": "a\0\u202e\r"}
    assert specs.fixtures["one"].steps[0]["write"] == {"a": "\0\r\n\t"}


ROWS = (
    "{type: object, properties: {items: {type: array, items: {type: object, properties: {a: {type: object, "
    "properties: {b: {type: string}}, required: [b]}}, required: [a]}}}, required: [items]}"
)


@pytest.mark.parametrize(
    ("layout", "code", "mentions"),
    [
        (
            "{kind: table, rows: items, columns: [{field: a.c, label: C}]}",
            "unknown-field",
            ["a.c", "note.add", "b"],
        ),
        ("{kind: table, rows: itmes, columns: []}", "unknown-field", ["itmes", "items"]),
        ("{kind: table, rows: items.0, columns: []}", "unknown-field", ["no list"]),
        ("{kind: card, columns: [{field: a, label: A}]}", "unknown-field", ["items"]),
        ("{kind: card, headline: '{x}', columns: []}", "unknown-field", ["x"]),
        ("{kind: card, headline: 'a }', columns: []}", "bad-slot", ["brace"]),
        ("{kind: block, body: x}", "unknown-field", ["x"]),
        ("{kind: block, rows: items, body: items}", "misplaced-key", ["rows", "kind block"]),
        ("{kind: table, columns: []}", "missing-key", ["rows"]),
        ("{kind: crad, columns: []}", "wrong-value", ["crad", "card"]),
        ("{kind: card, columns: [{field: items, label: I, format: tmie}]}", "wrong-value", ["tmie", "time"]),
        ("{kind: card, columns: [{field: 'a b', label: I}]}", "bad-name", ["dotted path"]),
        ("{kind: list, rows: itmes}", "unknown-field", ["itmes", "items"]),
        ("{kind: list, columns: []}", "missing-key", ["rows"]),
        ("{kind: page}", "missing-key", ["parts"]),
        ("{kind: page, parts: [tow]}", "unknown-layout", ["tow", "two"]),
        ("{kind: page, parts: [one]}", "unknown-layout", ["one", "no page"]),
        ("{kind: page, parts: [bad]}", "unknown-field", ["nowhere"]),
        ("{kind: page, parts: [two], rows: items}", "misplaced-key", ["rows", "kind page"]),
    ],
)
def test_layout_is_refused(layout: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    old = "{type: object, properties: {id: {type: string}}, required: [id]}"
    text = edited((old, ROWS), ("{id: n1}", "{}"), ("toolset: base", "toolset: base\n    text: one"))
    others = "two: {kind: list, rows: items}, bad: {kind: block, body: nowhere}"
    layouts = f"layouts: {{one: {layout}, {others}}}\n"
    found = faults(tmp_path, {"domains/note.yaml": text, "text_layouts.yaml": layouts})
    only(found, code, *mentions)


@pytest.mark.parametrize(
    ("completer", "code", "mentions"),
    [
        ("{action: note.ad, items: items, value: a.b}", "unknown-action", ["note.ad", "note.add"]),
        ("{action: note.add, items: items, value: a.b}", "wrong-value", ["no read action"]),
        ("{action: note.get, items: items, value: a.b}", "wrong-value", ["text", "missing"]),
        (
            "{action: note.get, input: {text: a}, items: itmes, value: a.b}",
            "unknown-field",
            ["itmes", "items"],
        ),
        ("{action: note.get, input: {text: a}, items: items, value: a.c}", "unknown-field", ["a.c"]),
        ("{action: note.get, input: {text: a}, items: items, value: a.b, help: x}", "unknown-field", ["x"]),
        ("{action: note, items: items, value: a.b}", "bad-name", ["lane.list"]),
    ],
)
def test_completer_is_refused(completer: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    old = "{type: object, properties: {id: {type: string}}, required: [id]}"
    text = edited((old, ROWS), ("{id: n1}", "{}"))
    text += text[text.index("  add:") :].replace("  add:", "  get:").replace("effect: write", "effect: read")
    found = faults(
        tmp_path, {"domains/note.yaml": text, "completions.yaml": f"completers: {{notes: {completer}}}\n"}
    )
    only(found, code, *mentions)
