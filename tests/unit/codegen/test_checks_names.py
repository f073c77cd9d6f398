"""Names collide nowhere, and every name that is used is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.checks.tables import PIPELINE_ERRORS
from codegen.ir import Span
from codegen.load import load_specs
from codegen.options import RESERVED
from tests.unit.codegen.specs_on_disk import (
    BASE,
    ERRORS,
    NOTE,
    ROLES,
    TOOLSETS,
    codes,
    edited,
    faults,
    load,
    note,
    only,
)

ROOT = Path(__file__).resolve().parents[3]
COUNT = "count: {type: integer, minimum: 1, maximum: 9, optional: true}"
OTHER = NOTE.replace("domain: note", "domain: memo").replace("group: notes", "group: memos")


@pytest.mark.parametrize(
    ("fields", "mentions"),
    [
        ("fooBar: {0}\n      foo_bar: {0}", ["fooBar", "foo_bar"]),
        ("foo-bar: {0}\n      foo_bar: {0}", ["foo-bar", "foo_bar"]),
        ("FooBar: {0}\n      fooBar: {0}", ["FooBar", "fooBar"]),
        ("foo.bar: {0}\n      foobar: {0}", ["foo.bar", "foobar"]),
        ("class: {0}\n      class_: {0}", ["class", "class_"]),
        ("cache: {{type: boolean, default: false}}\n      no_cache: {0}", ["--no-cache", "cache"]),
        ("a: {{type: string, optional: true, cli: {{short: -l}}}}", ["-l", "level"]),
        ("a: {{type: string, optional: true, cli: {{flag: --level}}}}", ["--level"]),
    ],
)
def test_generator_11_fields_of_one_action_collide(fields: str, mentions: list[str], tmp_path: Path) -> None:
    found = note(tmp_path, (COUNT, fields.format("{type: string, optional: true}")))
    only(found, "name-collision", *mentions)


def test_generator_4_two_fields_of_one_name_name_both_places(tmp_path: Path) -> None:
    found = note(tmp_path, (COUNT, "level: {type: string, optional: true}"))
    assert only(found, "yaml-duplicate-key", "level", "line 13").span.line == 14


@pytest.mark.parametrize(
    ("field", "code", "mentions"),
    [
        ("bad name: {type: string, optional: true}", "bad-name", ["bad name", "A-Z a-z 0-9 _ . -"]),
        ("é: {type: string, optional: true}", "bad-name", ["é"]),
        ("'': {type: string, optional: true}", "bad-name", ['""']),
        (f"{'x' * 65}: {{type: string, optional: true}}", "bad-name", ["64"]),
        ("_: {type: string, optional: true}", "bad-name", ["neither letter nor digit"]),
        ("a: {type: string, optional: true, cli: {short: -h}}", "reserved-name", ["-h"]),
        ("a: {type: string, optional: true, cli: {short: -q}}", "reserved-name", ["-q"]),
        ("a: {type: string, optional: true, cli: {short: -ab}}", "bad-name", ["one letter"]),
        ("a: {type: string, optional: true, cli: {short: -1}}", "wrong-type", ["one letter"]),
        ("a: {type: string, optional: true, cli: {flag: --help}}", "reserved-name", ["--help"]),
        ("a: {type: string, optional: true, cli: {flag: --json}}", "reserved-name", ["--json"]),
        ("a: {type: boolean, optional: true, cli: {flag: --color}}", "reserved-name", ["--no-color"]),
        ("a: {type: string, optional: true, cli: {flag: -a}}", "bad-name", ["-a"]),
        ("a: {type: string, optional: true, cli: {positional: true, short: -a}}", "misplaced-key", ["short"]),
        ("a: {type: boolean, optional: true, cli: {positional: true}}", "misplaced-key", ["boolean"]),
        (
            "a: {type: string, optional: true, cli: {complete: lanse}}",
            "unknown-completer",
            ["lanse", "lanes"],
        ),
        ("a: {type: integer, optional: true, cli: {complete: lanes}}", "misplaced-key", ["completed live"]),
        (
            "a: {type: string, optional: true, cli: {postional: true}}",
            "unknown-key",
            ["postional", "positional"],
        ),
        ("a: {$ref: nowhere, optional: true}", "unknown-ref", ["nowhere"]),
        ("a: {$ref: lane_rfe, optional: true}", "unknown-ref", ["lane_rfe", "lane_ref"]),
    ],
)
def test_field_is_refused(field: str, code: str, mentions: list[str], tmp_path: Path) -> None:
    files = {
        "domains/note.yaml": edited((COUNT, field)),
        "completions.yaml": "completers: {lanes: {action: memo.add, items: items, value: name}}\n",
        "types/all.yaml": "types: {lane_ref: {type: string}}\n",
        "domains/memo.yaml": OTHER.replace("effect: write", "effect: read")
        .replace(
            "{id: {type: string}}",
            "{items: {type: array, items: {type: object, additionalProperties: true}}}",
        )
        .replace("[id]", "[items]")
        .replace("{id: n1}", "{}")
        .replace("{type: string, minLength: 1,", "{type: string, default: a, minLength: 1,"),
    }
    only(faults(tmp_path, files), code, *mentions)


@pytest.mark.parametrize(
    ("first", "second", "mentions"),
    [
        ("{type: array, items: {type: string}, cli: {positional: true}}", "true", ["follow", "text"]),
        ("{type: string, optional: true, cli: {positional: true}}", "true", ["required", "optional"]),
    ],
)
def test_positionals_can_be_told_apart(first: str, second: str, mentions: list[str], tmp_path: Path) -> None:
    found = note(
        tmp_path,
        ("{type: string, minLength: 1, maxLength: 500, description: What to remember.}", first),
        (COUNT, f"count: {{type: integer, cli: {{positional: {second}}}}}"),
        (
            "input: {text: hello}",
            "input: {count: 1, text: [hello]}" if "array" in first else "input: {count: 1}",
        ),
        ('input: {text: ""}', "input: {count: x, text: [a]}" if "array" in first else "input: {count: x}"),
    )
    only(found, "misplaced-key", *mentions)


@pytest.mark.parametrize(
    "name", ["json", "help", "text", "timeout", "role", "project", "arg", "color", "dry_run"]
)
def test_field_named_like_an_option_of_every_command_gets_another(name: str, tmp_path: Path) -> None:
    specs = (
        load(tmp_path, {"domains/note.yaml": edited((COUNT, f"{name}: {{type: boolean, optional: true}}"))})
        if name != "text"
        else load(tmp_path)
    )
    field = next(field for field in specs.actions[0].fields if field.name == name)
    assert field.cli.flag == f"--{name.replace('_', '-')}-value"


def test_reserved_options_are_those_of_the_command_line() -> None:
    from ade_runtime.cli.globals import RESERVED_FLAGS

    assert RESERVED == RESERVED_FLAGS


@pytest.mark.parametrize(
    "name", ["schema", "copy", "model_config", "class", "from", "type", "id", "list", "self", "None", "1"]
)
def test_hostile_field_names_keep_their_spelling(name: str, tmp_path: Path) -> None:
    specs = load(
        tmp_path, {"domains/note.yaml": edited((COUNT, f"{name}: {{type: string, optional: true}}"))}
    )
    assert specs.actions[0].fields[2].name == name


def test_generator_4_domains_of_one_name_name_both_files(tmp_path: Path) -> None:
    found = faults(tmp_path, {"domains/other.yaml": NOTE})
    assert sorted(codes(found)) == ["name-collision", "unknown-file"]
    assert any("specs/domains/note.yaml:1:9" in one.message for one in found)


@pytest.mark.parametrize(
    ("edits", "code", "mentions"),
    [
        ([("group: memos", "group: notes")], "name-collision", ["notes", "domain note"]),
        ([("{group: memos}", "{group: memos, aliases: [notes]}")], "name-collision", ["notes"]),
        ([("{group: memos}", "{group: serve}")], "reserved-name", ["ade serve"]),
        ([("{group: memos}", "{group: memos, aliases: [help]}")], "reserved-name", ["ade help"]),
        ([("{group: memos}", "{group: memos, aliases: [memos]}")], "name-collision", ["memos"]),
        ([("{group: memos}", "{group: memos, within: [memo pad]}")], "unknown-command", ["memo", "memos"]),
        ([("{group: memos}", "{group: memos, within: [memos add]}")], "name-collision", ["ade memos add"]),
        (
            [("effect: write", "tool: note_add\n    effect: write")],
            "name-collision",
            ["note_add", "note.add"],
        ),
        ([("effect: write", "tool: noteAdd\n    effect: write")], "name-collision", ["noteAdd", "note_add"]),
        ([("effect: write", "tool: a b\n    effect: write")], "bad-name", ["a b"]),
        ([("effect: write", f"tool: {'x' * 41}\n    effect: write")], "bad-name", ["40"]),
        ([("  add:", f"  {'x' * 40}:")], "bad-name", ["40", "tool:"]),
        ([("  add:", "  Add:")], "bad-name", ["Add", "lower-case"]),
        ([("  add:", "  add-it:")], "bad-name", ["add-it"]),
        ([("group: memos", "group: Memos")], "bad-name", ["Memos"]),
        ([("toolset: base", "toolset: bsae")], "unknown-toolset", ["bsae", "base"]),
        ([("toolset: base", "toolset: base\n    min_role: agnet")], "unknown-role", ["agnet", "agent"]),
        ([("toolset: base", "toolset: base\n    rate_limit: som")], "unknown-rate-limit", ["som", "some"]),
        (
            [("toolset: base", "toolset: base\n    text: som_card")],
            "unknown-layout",
            ["som_card", "some_card"],
        ),
        ([("[invalid_arguments]", "[invalid_argument]")], "unknown-error", ["invalid_arguments"]),
        ([("[invalid_arguments]", "[timed_out, timed_out]")], "duplicate-value", ["timed_out"]),
        ([("toolset: base", "toolset: base\n    requires: [gihub]")], "wrong-value", ["gihub", "github"]),
        ([("toolset: base", "toolset: base\n    hidden_in: [chat]")], "wrong-value", ["standalone_chat"]),
        ([("toolset: base", "toolset: base\n    timeout: 60")], "wrong-type", ["60s"]),
        ([("toolset: base", "toolset: base\n    timeout: 60 s")], "bad-name", ["60s"]),
        ([("toolset: base", "toolset: base\n    timeout: 0s")], "bad-duration", ["60s"]),
        ([("toolset: base", "toolset: base\n    timeout: 25h")], "bad-duration", ["24h"]),
        ([("effect: write", "effect: wirte")], "wrong-value", ["wirte", "write"]),
        ([("effect: write", "effect: no")], "wrong-value", ["no"]),
        ([("    effect: write\n", "")], "missing-key", ["effect"]),
        ([("summary: Add a note.", "summary: 1.10")], "wrong-type", ["1.10", "quote it"]),
        ([("summary: Add a note.", "summary: true")], "wrong-type", ["true", "quote it"]),
        ([("summary: Add a note.", "summary:")], "wrong-type", ["nothing"]),
        ([("summary: Add a note.", "summary: ''")], "wrong-value", ["shorter"]),
        ([("summary: Add a note.", "summary: '   '")], "bad-name", ["not blank"]),
        ([("summary: Add a note.", 'summary: "a\\u202eb"')], "yaml-character", ["U+202E"]),
        ([("summary: Add a note.", 'summary: "a\\u200fb"')], "yaml-character", ["U+200F"]),
        ([("summary: Add a note.", 'summary: "a\\r\\nb"')], "yaml-character", ["U+000D"]),
        ([("domain: memo", "domain: Memo")], "bad-name", ["Memo"]),
        ([("domain: memo", "domain: types")], "unknown-file", ["types"]),
    ],
)
def test_second_domain_is_refused(
    edits: list[tuple[str, str]], code: str, mentions: list[str], tmp_path: Path
) -> None:
    files = {
        "domains/memo.yaml": edited(*edits, text=OTHER),
        "rate_limits.yaml": "rate_limits: {some: {summary: S., limit: 1, window: 1s, per: session}}\n",
        "text_layouts.yaml": "layouts: {some_card: {kind: block, body: id}}\n",
    }
    found = faults(tmp_path, files)
    if "types" in edits[0][1]:
        assert codes(found) == ["reserved-name", "unknown-file"]
    else:
        only(found, code, *mentions)


def test_generator_4_two_actions_of_one_name_name_both_places(tmp_path: Path) -> None:
    again = NOTE[NOTE.index("  add:") :]
    found = faults(tmp_path, {"domains/note.yaml": NOTE + again})
    only(found, "yaml-duplicate-key", "add", "line 6")


def test_generator_11_commands_of_one_group_collide(tmp_path: Path) -> None:
    again = NOTE[NOTE.index("  add:") :].replace("  add:", "  put:\n    cli: {aliases: [add]}")
    found = faults(tmp_path, {"domains/note.yaml": NOTE + again})
    only(found, "name-collision", "note.put", "note.add", "command")


@pytest.mark.parametrize(
    ("file", "text", "code", "mentions"),
    [
        ("roles.yaml", ROLES.replace("rank: 1", "rank: 0"), "duplicate-value", ["rank"]),
        ("roles.yaml", ROLES.replace("[read]", "[raed]"), "wrong-value", ["raed", "read"]),
        ("toolsets.yaml", TOOLSETS.replace("agent]", "agnet]"), "unknown-role", ["agnet", "agent"]),
        (
            "toolsets.yaml",
            TOOLSETS.replace("ade}", "ade, always: [note.ad]}"),
            "unknown-action",
            ["note.ad", "note.add"],
        ),
        (
            "errors.yaml",
            ERRORS + "  Bad: {summary: S., message: M., hint: H., exit: failed}\n",
            "bad-name",
            ["Bad"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: M., exit: failed}\n",
            "missing-key",
            ["hint"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: M., hint: H., exit: fialed}\n",
            "wrong-value",
            ["failed"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: '{x}', hint: H., exit: failed}\n",
            "bad-slot",
            ["x"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: 'a }', hint: H., exit: failed}\n",
            "bad-slot",
            ["brace"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: '{{x}}', hint: H., exit: failed}\n",
            "bad-slot",
            ["brace"],
        ),
        (
            "errors.yaml",
            ERRORS
            + "  bad: {summary: S., message: '{nmae}', hint: '{name}', exit: failed, params: {name: string}}\n",
            "bad-slot",
            ["nmae", "name"],
        ),
        (
            "errors.yaml",
            ERRORS + "  bad: {summary: S., message: M., hint: H., exit: failed, params: {name: string}}\n",
            "bad-slot",
            ["name", "neither"],
        ),
        (
            "errors.yaml",
            ERRORS
            + "  bad: {summary: S., message: '{hint}', hint: H., exit: failed, params: {hint: string}}\n",
            "reserved-name",
            ["hint"],
        ),
        (
            "errors.yaml",
            ERRORS + "  key_error: {summary: S., message: M., hint: H., exit: failed}\n",
            "reserved-name",
            [],
        ),
        (
            "rate_limits.yaml",
            "rate_limits: {a: {summary: S., limit: 1, window: 0s, per: session}}\n",
            "bad-duration",
            [],
        ),
        (
            "rate_limits.yaml",
            "rate_limits: {a: {summary: S., limit: 0, window: 1s, per: session}}\n",
            "wrong-value",
            ["1"],
        ),
        (
            "rate_limits.yaml",
            "rate_limits: {a: {summary: S., limit: 1, window: 60, per: session}}\n",
            "wrong-type",
            ["60s"],
        ),
        ("environment.yaml", "environment: {ade_home: {summary: S.}}\n", "bad-name", ["ADE_HOME"]),
        ("eviroment.yaml", "environment: {}\n", "unknown-file", ["eviroment.yaml", "environment.yaml"]),
        ("domains/x.yml", NOTE, "unknown-file", ["x.yml", ".yaml"]),
        ("types/sub/x.yaml", "types: {}\n", "unknown-file", ["sub"]),
    ],
)
def test_small_tables_are_refused(
    file: str, text: str, code: str, mentions: list[str], tmp_path: Path
) -> None:
    assert only(faults(tmp_path, {file: text}), code, *mentions).span.file.startswith("specs/")


def test_errors_too_alike_collide(tmp_path: Path) -> None:
    one = "summary: S., message: M., hint: H., exit: failed"
    found = faults(tmp_path, {"errors.yaml": ERRORS + f"  a_b: {{{one}}}\n  ab: {{{one}}}\n"})
    only(found, "name-collision", "ab", "a_b")


def test_unreadable_file_makes_no_name_unknown(tmp_path: Path) -> None:
    """What a broken file may declare is not reported a second time as missing."""
    found = faults(tmp_path, {"toolsets.yaml": "toolsets: {base: {\n"})
    assert set(codes(found)) == {"yaml-syntax"}


def test_the_pipelines_own_errors_are_declared() -> None:
    assert set(PIPELINE_ERRORS) <= set(load_specs(ROOT).errors)


def test_order_of_files_and_keys_does_not_show(tmp_path: Path) -> None:
    again = NOTE[NOTE.index("  add:") :].replace("  add:", "  aaa:")
    first = load(tmp_path / "a", {"domains/note.yaml": NOTE + again})
    assert [action.id for action in first.actions] == ["note.aaa", "note.add"]
    reversed_roles = "roles:\n" + "\n".join(reversed(ROLES.splitlines()[1:])) + "\n"
    assert list(load(tmp_path / "b", {"roles.yaml": reversed_roles}).roles) == ["agent", "external"]
    assert list(BASE) == ["domains/note.yaml", "roles.yaml", "toolsets.yaml", "errors.yaml"]


def test_guidance_may_not_hold_what_reorders_a_line(tmp_path: Path) -> None:
    found = faults(tmp_path, {"guidance/body.md": "Fine.\n\tTabs are fine.\nNot \u202e fine.\n"})
    assert only(found, "yaml-character", "U+202E").span == Span("specs/guidance/body.md", 3, 5)


def test_faulty_type_is_named_where_its_name_stands(tmp_path: Path) -> None:
    found = faults(tmp_path, {"types/all.yaml": "types:\n  Word:\n    type: string\n"})
    assert only(found, "bad-name", "Word").span == Span("specs/types/all.yaml", 2, 3)


def test_files_that_editors_hide_are_not_read(tmp_path: Path) -> None:
    assert faults(tmp_path, {"domains/.#note.yaml": "broken: {", ".errors.yaml": "\t"}) == ()
