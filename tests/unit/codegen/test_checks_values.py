"""Schemas that cannot hold, keywords outside the subset, defaults, enums, patterns, unions and outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.checks import patterns
from tests.unit.codegen.specs_on_disk import NOTE, codes, edited, faults, load, note, only

COUNT = "{type: integer, minimum: 1, maximum: 9, optional: true}"
TEXT = "{type: string, minLength: 1, maxLength: 500, description: What to remember.}"
LEVEL = "{type: string, enum: [low, high], default: low, cli: {short: -l}}"
OUTPUT = "{type: object, properties: {id: {type: string}}, required: [id]}"


@pytest.mark.parametrize(
    ("schema", "code", "mentions"),
    [
        ("{type: integer, minimum: 9, maximum: 1}", "schema-bounds", ["minimum", "maximum"]),
        ("{type: integer, exclusiveMinimum: 1, maximum: 1}", "schema-bounds", ["exclusiveMinimum"]),
        ("{type: integer, exclusiveMinimum: 1, exclusiveMaximum: 2}", "schema-bounds", ["no value"]),
        ("{type: number, exclusiveMinimum: 1, exclusiveMaximum: 1}", "schema-bounds", ["no value"]),
        ("{type: string, minLength: 3, maxLength: 2}", "schema-bounds", ["minLength", "maxLength"]),
        ("{type: array, items: {type: string}, minItems: 3, maxItems: 2}", "schema-bounds", ["minItems"]),
        ("{type: integer, minimum: 1, exclusiveMinimum: 1}", "misplaced-key", ["exclude each other"]),
        ("{type: integer, maximum: 1.5}", "wrong-type", ["1.5"]),
        ("{type: interger}", "wrong-value", ["interger", "integer"]),
        ("{type: [string, null]}", "wrong-type", ["null", "quote it"]),
        ("{type: ['null', string]}", "wrong-value", ['[string, "null"]']),
        ("{type: [string, integer]}", "wrong-value", ['"null"']),
        ("{type: any}", "wrong-value", ["any", "array"]),
        ("{}", "missing-key", ["type"]),
        ("{type: string, maximum: 5}", "misplaced-key", ["maximum", "maxLength"]),
        ("{type: integer, maxLength: 5}", "misplaced-key", ["maxLength", "maximum"]),
        ("{type: array, maxLength: 5, items: {type: string}}", "misplaced-key", ["maxItems"]),
        ("{type: array}", "missing-key", ["items", "type array"]),
        ("{type: object}", "missing-key", ["properties", "additionalProperties: true"]),
        ("{type: string, enum: [a, a]}", "schema-enum", ["a", "twice"]),
        ("{type: string, enum: []}", "wrong-value", ["at least 1"]),
        ("{type: string, enum: [a], minLength: 1}", "misplaced-key", ["enum", "minLength"]),
        ("{type: string, const: a, pattern: a}", "misplaced-key", ["const", "pattern"]),
        ("{type: string, format: date, maxLength: 9}", "misplaced-key", ["format", "maxLength"]),
        ("{type: string, format: email}", "wrong-value", ["email", "date"]),
        ("{type: integer, enum: ['1']}", "misplaced-key", ["enum", "type: string"]),
        ("{type: boolean, nullable: true}", "misplaced-key", ['[boolean, "null"]']),
        (
            "{type: array, items: {type: array, items: {type: string}}, uniqueItems: true}",
            "misplaced-key",
            [],
        ),
        ("{type: object, properties: {a: {type: string}}, required: [b]}", "unknown-field", ["b", "a"]),
        ("{type: object, properties: {a: {type: string}}, required: [a, a]}", "duplicate-value", ["twice"]),
        ("{type: object, properties: {a: {type: string}}, additionalProperties: true}", "misplaced-key", []),
        (
            "{type: object, additionalProperties: {type: string}, required: [a]}",
            "misplaced-key",
            ["required"],
        ),
        (
            "{type: object, properties: {aB: {type: string}, a_b: {type: string}}}",
            "name-collision",
            ["aB", "a_b"],
        ),
    ],
)
def test_schema_is_refused(schema: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    schema = (
        schema
        if "optional" in schema
        else f"{schema[:-1].rstrip()}{', ' if len(schema) > 2 else ''}optional: true}}"
    )
    only(note(tmp_path, (COUNT, schema)), code, *mentions)


@pytest.mark.parametrize(
    "keyword", ["anyOf", "allOf", "not", "if", "patternProperties", "multipleOf", "$defs"]
)
def test_keyword_outside_the_subset_says_what_to_write(keyword: str, tmp_path: Path) -> None:
    found = note(tmp_path, (COUNT, f"{{type: integer, optional: true, {keyword}: {{}}}}"))
    assert only(found, "schema-keyword", keyword).help.startswith(("write", "leave", "declare"))


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_public_3_combinator_at_the_root_of_an_output_is_refused(keyword: str, tmp_path: Path) -> None:
    types = {
        "types/all.yaml": "types:\n"
        "  A: {type: object, properties: {kind: {type: string, const: a}}, required: [kind]}\n"
        "  B: {type: object, properties: {kind: {type: string, const: b}}, required: [kind]}\n"
    }
    root = f"{{{keyword}: [{{$ref: A}}, {{$ref: B}}], discriminator: kind}}"
    text = edited((OUTPUT, root), ("output: {id: n1}", "output: {kind: a}"))
    found = faults(tmp_path, {"domains/note.yaml": text, **types})
    assert set(codes(found)) <= {"schema-keyword", "schema-root", "missing-key"}
    assert found


@pytest.mark.parametrize(
    ("values", "bad"),
    [
        ("[NO, ~, x]", "~"),
        ("[NO, true]", "true"),
        ("[null]", "null"),
        ("[1e3]", "1e3"),
        ("[010]", "010"),
        ("[0x10]", "0x10"),
    ],
)
def test_generator_1_unquoted_enum_value_of_another_type_is_refused(
    values: str, bad: str, tmp_path: Path
) -> None:
    found = note(tmp_path, ("enum: [low, high], default: low", f"enum: {values}, optional: true"))
    assert only(found, "wrong-type", f'"{bad}"', "quote it").span.line == 13


def test_generator_2_unquoted_enum_values_that_are_text_stay_as_written(tmp_path: Path) -> None:
    words = ["NO", "YES", "on", "off", "y", "n", "2020_01_01", "2020-01-01", "12:30", "1_000", "1.2.3"]
    text = edited(("enum: [low, high], default: low", f"enum: [{', '.join(words)}], default: NO"))
    specs = load(tmp_path, {"domains/note.yaml": text})
    assert list(specs.actions[0].fields[1].schema.enum) == words  # type: ignore[attr-defined]
    assert specs.actions[0].fields[1].schema.default == "NO"


@pytest.mark.parametrize(
    ("schema", "mentions"),
    [
        ("{type: string, enum: [low, high], default: hihg}", ["hihg", "high"]),
        ("{type: string, default: 5}", ["5", "quote it"]),
        ("{type: string, maxLength: 2, default: abc}", ["abc", "longer"]),
        ("{type: string, pattern: ^a$, default: abc}", ["abc", "match"]),
        ("{type: string, format: date, default: 2026-02-30}", ["2026-02-30", "date"]),
        ("{type: integer, default: '5'}", ["5", "integer"]),
        ("{type: integer, default: 1.5}", ["1.5"]),
        ("{type: integer, maximum: 4, default: 5}", ["5", "greater"]),
        ("{type: integer, default: true}", ["true", "integer"]),
        ("{type: boolean, default: no}", ["no", "boolean"]),
        ("{type: string, default: null}", ["null", "optional: true"]),
        ("{type: array, items: {type: string}, default: [a]}", ["must be empty"]),
        ("{type: object, additionalProperties: true, default: {a: 1}}", ["must be empty"]),
        ("{type: array, items: {type: string}, minItems: 1, default: []}", ["fewer"]),
    ],
)
def test_default_has_to_fit(schema: str, mentions: list[str], tmp_path: Path) -> None:
    only(note(tmp_path, (COUNT, schema)), "schema-default", *mentions)


def test_generator_2_numbers_are_normalised(tmp_path: Path) -> None:
    fields = "{type: number, minimum: 1e3, maximum: 0x7D0, default: 1e3}"
    specs = load(tmp_path, {"domains/note.yaml": edited((COUNT, fields))})
    schema = specs.actions[0].fields[2].schema
    assert (schema.minimum, schema.maximum, schema.default) == (1000.0, 2000.0, 1000.0)  # type: ignore[attr-defined]
    free = load(
        tmp_path,
        {"domains/note.yaml": edited((COUNT, "{type: integer, exclusiveMaximum: 4.0, optional: true}"))},
    )
    bounds = free.actions[0].fields[2].schema
    assert (bounds.minimum, bounds.maximum, bounds.exclusive_maximum) == (-(2**63), None, 4)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "(?!x)",
            "(?=x)",
            "(?<=x)",
            "(?<!x)",
            "(?P<n>x)",
            "(?i)x",
            r"\d+",
            r"\D",
            r"\w",
            r"\s",
            r"\S",
            r"\b",
            r"\A",
            r"\Z",
        ),
        *(
            r"\p{L}",
            r"(a)\1",
            "(a",
            "a)",
            "[a",
            "*a",
            "a{2",
            "a++",
            "a{3,1}",
            "[z-a]",
            r"\q",
            "[a&&b]",
            "[[:alpha:]]",
            "\\",
        ),
    ],
)
def test_generator_14_pattern_that_engines_read_differently_is_refused(pattern: str, tmp_path: Path) -> None:
    quoted = pattern.replace("'", "''")
    found = note(
        tmp_path, ("minLength: 1, maxLength: 500", f"pattern: '{quoted}'"), ("output: {id: n1}", "output: {}")
    )
    assert set(codes(found)) <= {"schema-pattern", "bad-example"}
    first = next(one for one in found if one.code == "schema-pattern")
    assert "pattern" in first.message
    assert first.help
    assert patterns.problem(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        *(
            "^[0-9]+$",
            "^(?:a|b)*$",
            r"^a\.b\-c$",
            r"^[\]\[^-]$",
            "^[A-Za-z0-9_.-]{1,64}$",
            "(a+)+$",
            "a{2,3}?",
            "^$",
            "é",
        ),
        *(r"^\\$", r"\u0041", r"\x41", r"^[\n\t]$", r'"\\"', "a--b", "[a+b]", "a|b", ".*?x"),
    ],
)
def test_pattern_of_the_subset_is_taken(pattern: str) -> None:
    assert patterns.problem(pattern) is None


BRANCH = "{{type: object, properties: {{kind: {0}, n: {{type: integer}}}}, required: [{1}]}}"
TAG_A, TAG_B = "{type: string, const: a}", "{type: string, const: b}"


@pytest.mark.parametrize(
    ("a", "b", "mentions"),
    [
        (BRANCH.format(TAG_A, "kind, n"), BRANCH.format(TAG_A, "kind, n"), ["same tag", "a"]),
        (BRANCH.format(TAG_A, "kind, n"), BRANCH.format("{type: string}", "kind, n"), ["B", "kind"]),
        (BRANCH.format(TAG_A, "kind, n"), BRANCH.format(TAG_B, "n"), ["B", "required"]),
        (BRANCH.format(TAG_A, "kind, n"), BRANCH.format("{type: integer}", "kind, n"), ["B"]),
        (
            BRANCH.format(TAG_A, "kind, n"),
            BRANCH.format('{type: [string, "null"], const: b}', "kind, n"),
            ["B"],
        ),
    ],
)
def test_branches_of_a_union_need_tags(a: str, b: str, mentions: list[str], tmp_path: Path) -> None:
    field = "{oneOf: [{$ref: A}, {$ref: B}], discriminator: kind, optional: true}"
    types = f"types:\n  A: {a}\n  B: {b}\n"
    found = faults(tmp_path, {"domains/note.yaml": edited((COUNT, field)), "types/all.yaml": types})
    only(found, "schema-union", *mentions)


def test_union_without_discriminator_is_refused(tmp_path: Path) -> None:
    only(
        note(tmp_path, (COUNT, "{oneOf: [{$ref: A}, {$ref: B}], optional: true}")),
        "missing-key",
        "discriminator",
    )


@pytest.mark.parametrize(
    ("types", "code", "mentions"),
    [
        ("lane: {type: object, properties: {}}", "bad-name", ["lane", "PascalCase"]),
        ("Lane: {type: string}", "bad-name", ["Lane", "snake_case"]),
        ("other: {$ref: third}\n  third: {type: string}", "bad-name", ["renames"]),
        ('Lane: {type: [object, "null"], properties: {}}', "misplaced-key", ["nullable: true"]),
        ("Note: {type: object, properties: {n: {$ref: Note}}}", "recursive-ref", ["Note → Note"]),
        (
            "A: {type: object, properties: {b: {type: array, items: {$ref: B}}}}\n"
            "  B: {type: object, properties: {a: {$ref: A}}}",
            "recursive-ref",
            ["A → B → A"],
        ),
        ("some: {type: array, items: {$ref: nowhere}}", "unknown-ref", ["nowhere"]),
        ("Any: {type: object, properties: {}}", "reserved-name", ["Any"]),
        ("ValueError: {type: object, properties: {}}", "reserved-name", ["ValueError"]),
        (
            "Lane: {type: object, properties: {}}\n  LANE: {type: object, properties: {}}",
            "name-collision",
            ["LANE"],
        ),
        (
            "Lane: {type: object, properties: {at: {type: object, properties: {}}}}\n"
            "  LaneAt: {type: object, properties: {}}",
            "name-collision",
            ["LaneAt", "Lane.at"],
        ),
        ("NoteAddInput: {type: object, properties: {}}", "name-collision", ["note.add", "NoteAddInput"]),
        ("bad name: {type: string}", "bad-name", ["bad name"]),
    ],
)
def test_type_is_refused(types: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    only(faults(tmp_path, {"types/all.yaml": f"types:\n  {types}\n"}), code, *mentions)


def test_type_declared_in_two_files_names_both(tmp_path: Path) -> None:
    one = "types:\n  lane_ref: {type: string}\n"
    found = faults(tmp_path, {"types/one.yaml": one, "types/two.yaml": one})
    assert only(found, "name-collision", "specs/types/one.yaml:2:3").span.file == "specs/types/two.yaml"


@pytest.mark.parametrize(
    ("output", "code", "mentions"),
    [
        ("{type: string}", "schema-root", ["object"]),
        ("{type: array, items: {type: string}}", "schema-root", ["{items, total, next}"]),
        ("{type: object, additionalProperties: true}", "schema-root", []),
        ('{type: [object, "null"], properties: {}}', "schema-root", []),
        (
            "{type: object, properties: {id: {type: string}, x: {type: string}}, required: [id]}",
            "schema-optional",
            ["x"],
        ),
        ("{$ref: Thing, nullable: true}", "schema-root", []),
        ("{$ref: Part}", "schema-optional", ["x"]),
        ("{$ref: word}", "schema-root", []),
    ],
)
def test_output_is_refused(output: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    types = (
        "types:\n  Thing: {type: object, properties: {}}\n  word: {type: string}\n"
        "  Part: {type: object, properties: {x: {type: string}}}\n"
    )
    text = edited((OUTPUT, output), ("output: {id: n1}", "output: {}"))
    only(faults(tmp_path, {"domains/note.yaml": text, "types/all.yaml": types}), code, *mentions)


def test_faulty_value_drags_nothing_along(tmp_path: Path) -> None:
    """Examples, rules and options of a field that is not understood are not judged by a guess."""
    found = note(tmp_path, (TEXT, "{type: strnig, cli: {positional: true}}"), (LEVEL, "{$ref: nowhere}"))
    assert codes(found) == ["wrong-value", "unknown-ref"]


def test_all_mistakes_are_found_in_one_run_and_sorted(tmp_path: Path) -> None:
    files = {
        "domains/note.yaml": NOTE.replace("effect: write", "efect: write").replace(
            "toolset: base", "toolset: bsae"
        ),
        "roles.yaml": "roles:\n  external: {rank: 0, summary: &a Anyone., effects: [raed]}\n",
        "errors.yaml": b"errors: \xff\n",
    }
    found = faults(tmp_path, files)
    assert [one.span.file for one in found] == sorted(one.span.file for one in found)
    assert {"yaml-encoding", "unknown-key", "yaml-anchor", "wrong-value"} <= set(codes(found))
