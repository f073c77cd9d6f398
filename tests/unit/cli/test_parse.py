"""Reading command lines.

Rows 36 to 41 of the fault inventory and rows 10, 13 and 15 of the generator reports.
"""

from __future__ import annotations

from typing import Any

import pytest

from ade_runtime.cli.catalog import Catalog, default_catalog
from ade_runtime.cli.parse import (
    HelpText,
    Invocation,
    LocalCommand,
    NeedsText,
    Outcome,
    UsageProblem,
    parse,
)


def read(catalog: Catalog, *argv: str, **more: Any) -> Outcome:
    return parse(argv, catalog=catalog, cwd="/home/me", **more)


def call(catalog: Catalog, *argv: str, **more: Any) -> Invocation:
    outcome = read(catalog, *argv, **more)
    assert isinstance(outcome, Invocation), outcome
    return outcome


def problem(catalog: Catalog, *argv: str, **more: Any) -> UsageProblem:
    outcome = read(catalog, *argv, **more)
    assert isinstance(outcome, UsageProblem), outcome
    assert outcome.exit == 2
    assert outcome.code == "invalid_arguments"
    return outcome


def test_absent_options_never_reach_the_wire(catalog: Catalog) -> None:
    assert call(catalog, "lanes", "create", "fix").arguments == {"name": "fix"}
    assert call(catalog, "lane", "list").arguments == {}


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["--force"], "force", True),
        (["--no-force"], "force", False),
        (["--force=true"], "force", True),
        (["--force=false"], "force", False),
        (["--force", "--no-force"], "force", False),
        (["--base", "main"], "base", "main"),
        (["--base=main"], "base", "main"),
        (["--base="], "base", ""),
        (["--base=--json"], "base", "--json"),
        (["--base", "-x"], "base", "-x"),
        (["-b", "main"], "base", "main"),
        (["-bmain"], "base", "main"),
        (["-b=main"], "base", "main"),
        (["--label", "a", "-l", "b"], "label", ["a", "b"]),
        (["--label", "a,b"], "label", ["a,b"]),
        (["--label", ""], "label", [""]),
        (["--depth", "-4"], "depth", -4),
        (["--depth=-4"], "depth", -4),
        (["--ratio", "-1.5e3"], "ratio", -1500.0),
        (["--ratio", "2"], "ratio", 2),
        (["--size", "1", "--size", "-2"], "size", [1, -2]),
        (["--options", '{"a": [1, null]}'], "options", {"a": [1, None]}),
        (["--kind", "attached"], "kind", "attached"),
        (["--arg", "depth=-4"], "depth", -4),
        (["--arg", "base=123"], "base", "123"),
        (["--arg", "base=a=b"], "base", "a=b"),
        (["--arg", "base=true"], "base", "true"),
        (["--arg", "force=true"], "force", True),
        (["--arg", "label=a", "--arg", "label=b"], "label", ["a", "b"]),
        (["--arg-json", "label=[]"], "label", []),
        (["--arg-json", "base=null"], "base", None),
        (["--arg-json", "base=123"], "base", 123),
        (["--input-json", '{"base": "x"}'], "base", "x"),
        (["--input-json", '{"base": "x"}', "--base", "y"], "base", "y"),
        (["--input-json", '{"unknown": 1}'], "unknown", 1),
    ],
)
def test_values(catalog: Catalog, words: list[str], field: str, value: Any) -> None:
    for line in ([*words, "fix"], ["fix", *words]):
        got = call(catalog, "lanes", "create", *line).arguments
        assert got == {"name": "fix", field: value}
        assert type(got[field]) is type(value)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--depth", "4.0"], "--depth: '4.0' is not an integer"),
        (["--depth", "1_000"], "is not an integer"),
        (["--depth", "٤"], "is not an integer"),
        (["--depth", " 4"], "is not an integer"),
        (["--depth", "+4"], "is not an integer"),
        (["--depth", "010"], "is not an integer"),
        (["--depth", "9" * 5000], "64-bit"),
        (["--ratio", "nan"], "is not a number"),
        (["--ratio", "1e999"], "largest number"),
        (["--options", '{"a":1,"a":2}'], "twice"),
        (["--options", "[NaN]"], "NaN"),
        (["--options", "[" * 100_000], "nested too deeply"),
        (["--options", "{"], "is not JSON"),
        (["--kind", "worktre"], "did you mean worktree?"),
        (["--kind", ""], "must be worktree or attached"),
        (["--force=yes"], "takes no value"),
        (["--json=1"], "takes no value"),
        (["--base"], "--base needs a value"),
        (["--base", "--json"], "is an option"),
        (["--base", "--"], "is an option"),
        (["--arg", "depth"], "takes FIELD=VALUE"),
        (["--arg", "depth=x"], "is not an integer"),
        (["--arg", "bse=x"], "names no field"),
        (["--arg-json", "base={"], "is not JSON"),
        (["--base", "a", "--arg", "base=b"], "given twice"),
        (["--input-json", "[1]"], "must hold a JSON object"),
        (["--input-json", "{"], "is not JSON"),
        (["--input-json", "@"], "names no file"),
        (["more"], "unexpected argument: more"),
        (["--timeout", "5 parsecs"], "is not a duration"),
        (["--timeout", "0s"], "more than 0"),
        (["--jq", ".a", "--text"], "--jq"),
        (["--project="], "--project needs a value"),
    ],
)
def test_refused_values(catalog: Catalog, words: list[str], says: str) -> None:
    got = problem(catalog, "lanes", "create", "fix", *words)
    assert says in got.message
    assert "\n" not in got.message
    assert len(got.message) < 400


def test_generator_13_absent_null_and_valued_are_three_things(catalog: Catalog) -> None:
    line = ["lanes", "create", "fix"]
    assert "base" not in call(catalog, *line).arguments
    assert call(catalog, *line, "--arg-json", "base=null").arguments["base"] is None
    assert call(catalog, *line, "--input-json", '{"base": null}').arguments["base"] is None
    assert call(catalog, *line, "--base", "null").arguments["base"] == "null"
    assert call(catalog, *line, "--base", "").arguments["base"] == ""
    assert (
        "exactly one" in problem(catalog, "lanes", "wake", "--cron", "x", "--arg-json", "run_at=null").message
    )


def test_fault_36_options_with_values_never_take_a_positional_for_one(catalog: Catalog) -> None:
    """Whether an option takes a value is declared with it, so no other table can be wrong about it."""
    values = {"text": "x", "integer": "1", "number": "1.5", "json": "{}"}
    target = catalog.command(*(catalog.action("lane.create") or pytest.fail("not there")))
    for param in target.fields:
        value = param.choices[0] if param.choices else values.get(param.kind, "")
        words = [param.flag] if param.is_switch else [param.flags[0], value]
        if param.field == "name":
            continue
        for line in (["fix", *words], [*words, "fix"]):
            assert call(catalog, "lanes", "create", *line).arguments["name"] == "fix"
            assert isinstance(read(catalog, "lanes", "create", *line, "--help"), HelpText)
            assert isinstance(read(catalog, "lanes", "create", "--help", *line), HelpText)


def test_field_given_by_position_or_flag(catalog: Catalog) -> None:
    assert call(catalog, "lanes", "create", "--name", "fix").arguments == {"name": "fix"}
    assert call(catalog, "lanes", "create", "--arg", "name=fix").arguments == {"name": "fix"}
    assert call(catalog, "lanes", "create", "--", "--upload-pack=x").arguments == {"name": "--upload-pack=x"}
    assert call(catalog, "lanes", "create", "-").arguments == {"name": "-"}
    assert "unexpected" in problem(catalog, "lanes", "create", "--name", "a", "b").message
    assert problem(catalog, "lanes", "create").message == "ade lanes create needs NAME."
    assert problem(catalog, "lanes", "create", "--force").message == "ade lanes create needs NAME."


def test_generator_15_negative_positional_and_list_positional(catalog: Catalog) -> None:
    assert call(catalog, "lanes", "shift", "-4").arguments == {"by": -4}
    assert call(catalog, "lanes", "shift", "-4", "a", "b").arguments == {"by": -4, "path": ["a", "b"]}
    assert call(catalog, "lanes", "shift", "-4", "--", "-a", "--b").arguments == {
        "by": -4,
        "path": ["-a", "--b"],
    }


def test_fault_38_globals_stand_anywhere(catalog: Catalog) -> None:
    for argv in (
        ["--json", "lanes", "create", "fix"],
        ["lanes", "--json", "create", "fix"],
        ["lanes", "create", "--json", "fix"],
        ["lanes", "create", "fix", "--json"],
        ["--text", "lanes", "create", "fix", "--json"],
    ):
        assert call(catalog, *argv).options.output == "json"
    got = call(
        catalog,
        *["--project", "/p", "lanes", "-q", "create", "fix", "--timeout", "1500ms", "--role", "agent"],
        *["--headless", "--no-color", "--request-id", "r1", "--socket", "/s"],
    ).options
    assert (got.project, got.quiet, got.timeout, got.role) == ("/p", True, 1.5, "agent")
    assert (got.headless, got.no_color, got.request_id, got.socket) == (True, True, "r1", "/s")
    assert call(catalog, "lanes", "list").options.output == "auto"
    assert call(catalog, "lanes", "list", "--jq", ".items").options.output == "json"


def test_fault_37_unknown_names_are_refused_with_suggestions(catalog: Catalog) -> None:
    assert "`ade lanes create`" in problem(catalog, "lanes", "creat").hint
    assert "`ade lanes create --force`" in problem(catalog, "lanes", "force").hint
    assert "`ade lanes`" in problem(catalog, "lnes", "create").hint
    assert "`ade lanes create`" in problem(catalog, "create").hint
    assert "`ade lanes create`" in problem(catalog, "lane.create").hint
    assert "`ade lanes create`" in problem(catalog, "create_lane").hint
    assert "--parent-lane" in problem(catalog, "lanes", "create", "--parent-lan", "x").hint
    assert "--project" in problem(catalog, "--projet", "x", "lanes", "list").hint
    assert problem(catalog, "lanes", "create", "fix", "-z").message == "ade lanes create has no option -z."


def test_fault_39_problem_keeps_the_output_mode(catalog: Catalog) -> None:
    assert problem(catalog, "lanes", "create", "--bogus", "--json").options.output == "json"
    assert problem(catalog, "--text", "lanes", "create").options.output == "text"
    assert problem(catalog, "bogus", "--jq", ".x").options.output == "json"
    envelope = problem(catalog, "lanes", "create").envelope()
    assert envelope["code"] == "invalid_arguments"
    assert "ade lanes create --help" in envelope["hint"]


@pytest.mark.parametrize(
    "argv",
    [
        ["lanes", "create", "--help"],
        ["lanes", "create", "-h"],
        ["lanes", "create", "--bogus", "--help"],
        ["lanes", "create", "--base", "--help"],
        ["lanes", "create", "a", "b", "c", "--help"],
        ["lanes", "create", "--depth", "x", "-h"],
        ["--help", "lanes", "create"],
        ["help", "lanes", "create"],
        ["lane", "--help", "create"],
    ],
)
def test_generator_10_help_always_helps(catalog: Catalog, argv: list[str]) -> None:
    outcome = read(catalog, *argv)
    assert isinstance(outcome, HelpText), outcome
    assert outcome.text.startswith("Usage: ade lanes create [OPTIONS] NAME\n")


def test_help_is_not_taken_from_values(catalog: Catalog) -> None:
    assert call(catalog, "lanes", "create", "--base=--help", "x").arguments["base"] == "--help"
    assert call(catalog, "lanes", "create", "--", "--help").arguments == {"name": "--help"}


def test_problems_name_their_fields_as_the_pipeline_does(catalog: Catalog) -> None:
    def paths(*argv: str) -> list[str]:
        return [one["path"] for one in problem(catalog, *argv).envelope()["details"]["problems"]]

    assert paths("lanes", "create") == ["name"]
    [missing] = problem(catalog, "lanes", "create").envelope()["details"]["problems"]
    assert missing == {"path": "name", "message": "is required"}
    assert paths("lanes", "create", "x", "--size", "1", "--size", "y") == ["size.1"]
    assert paths("lanes", "create", "x", "--kind", "y") == ["kind"]
    assert paths("lanes", "create", "x", "--arg", "depth=y") == ["depth"]
    assert paths("lanes", "create", "x", "--arg", "bse=y") == ["bse"]
    assert paths("lanes", "wake") == [""]


def test_help_of_groups_and_root(catalog: Catalog) -> None:
    for argv in ([], ["--help"], ["-h"], ["help"]):
        outcome = read(catalog, *argv)
        assert isinstance(outcome, HelpText)
        assert "  lanes    The lanes group." in outcome.text
        assert "  doctor" in outcome.text
    group = read(catalog, "lane")
    assert isinstance(group, HelpText)
    assert "  create  Do create." in group.text
    assert "Also: ade lane" in group.text


def test_generator_10_names_that_are_keywords(catalog: Catalog) -> None:
    got = call(
        catalog,
        "class",
        "import",
        "--class",
        "a",
        "--from",
        "b",
        "--lambda",
        "c",
        "--None",
        "d",
        "--match",
        "e",
    )
    assert got.arguments == {"class": "a", "from": "b", "lambda": "c", "None": "d", "match": "e"}
    assert call(catalog, "class", "help", "--async", "x").action_id == "class.help"
    assert isinstance(read(catalog, "class", "help", "--help"), HelpText)


def test_rules_across_fields(catalog: Catalog) -> None:
    assert (
        problem(catalog, "lanes", "wake").message
        == "Give exactly one of --cron, --run-at and --delay-seconds."
    )
    assert "exactly one" in problem(catalog, "lanes", "wake", "--cron", "x", "--run-at", "y").message
    assert call(catalog, "lanes", "wake", "--delay-seconds", "0").arguments == {"delay_seconds": 0}
    assert (
        problem(catalog, "lanes", "wake", "--run-at", "y", "--zone", "z").message
        == "--zone needs --cron too."
    )


def test_input_from_standard_input_or_a_file_is_asked_for(catalog: Catalog) -> None:
    line = ["lanes", "create", "--input-json"]
    assert read(catalog, *line, "-") == NeedsText(
        sources=("-",), options=call(catalog, "lanes", "list").options
    )
    asked = read(catalog, *line, "@../in.json")
    assert isinstance(asked, NeedsText)
    assert asked.sources == ("/home/in.json",)
    got = call(catalog, *line, "@../in.json", texts={"/home/in.json": '{"name": "fix"}'})
    assert got.arguments == {"name": "fix"}
    assert "/home/in.json" in problem(catalog, *line, "@../in.json", texts={"/home/in.json": "x"}).message


def test_fault_40_actions_run_reads_by_the_type_of_the_named_action(catalog: Catalog) -> None:
    got = call(catalog, "actions", "run", "lane.create", "--arg", "name=123", "--arg", "depth=4", "--dry-run")
    assert got.action_id == "lane.create"
    assert got.arguments == {"name": "123", "depth": 4}
    assert got.dry_run
    assert call(catalog, "actions", "run", "create_lane", "--arg", "name=x").action_id == "lane.create"
    got = call(catalog, "actions", "run", "lane.create", "--arguments", '{"name": "x"}', "--arg", "base=y")
    assert got.arguments == {"name": "x", "base": "y"}
    apart = call(catalog, "actions", "run", "lane.create", "--input-json", '{"name": "x"}', "--background")
    assert apart.action_id == "actions.run"
    assert apart.arguments == {"action": "lane.create", "arguments": {"name": "x"}, "background": True}
    assert "needs NAME" in problem(catalog, "actions", "run", "lane.create").message
    assert "needs ACTION" in problem(catalog, "actions", "run").message
    assert call(catalog, "actions", "run", "no.such", "--arg", "a=1").arguments == {"a": "1"}
    assert "JSON object" in problem(catalog, "actions", "run", "lane.create", "--arguments", "[]").message


def test_skeleton_and_dry_run(catalog: Catalog) -> None:
    outcome = read(catalog, "lanes", "create", "--skeleton")
    assert isinstance(outcome, HelpText)
    assert outcome.text == '{\n  "name": ""\n}\n'
    assert call(catalog, "lanes", "create", "x", "--dry-run").dry_run


def test_local_commands_and_version(catalog: Catalog) -> None:
    got = read(catalog, "--text", "doctor", "--deep", "x")
    assert got == LocalCommand(
        name="doctor", args=("--deep", "x"), options=call(catalog, "--text", "lanes", "list").options
    )
    helped = read(catalog, "--help", "serve")
    assert isinstance(helped, LocalCommand)
    assert helped.args == ("--help",)
    for argv in (["--version"], ["lanes", "--version"], ["lanes", "list", "--version"]):
        version = read(catalog, *argv)
        assert isinstance(version, LocalCommand)
        assert version.name == "version"


def test_undecodable_words_are_refused(catalog: Catalog) -> None:
    assert "UTF-8" in problem(catalog, "lanes", "create", "a\udcff").message
    assert "UTF-8" in problem(catalog, "lanes", "create", "a\0b").message


def test_messages_neutralise_control_characters(catalog: Catalog) -> None:
    got = problem(catalog, "lanes", "create", "x", "\x1b[31m\u202eevil\n")
    assert "\x1b" not in got.message
    assert "\u202e" not in got.message
    assert "\n" not in got.message


def test_a_group_that_also_stands_inside_another(catalog: Catalog) -> None:
    plain = parse(["class", "import", "--class", "x"], catalog=catalog)
    inner = parse(["actions", "odd", "import", "--class", "x"], catalog=catalog)
    assert isinstance(inner, Invocation) and isinstance(plain, Invocation)
    assert (inner.action_id, inner.arguments) == (plain.action_id, plain.arguments)
    page = parse(["actions", "odd", "--help"], catalog=catalog)
    assert isinstance(page, HelpText) and "Also: ade actions odd" in page.text
    outside = parse(["actions", "--help"], catalog=catalog)
    assert isinstance(outside, HelpText) and "The same as `ade class ...`." in outside.text
    wrong = parse(["actions", "od"], catalog=catalog)
    assert isinstance(wrong, UsageProblem) and "`ade actions odd`" in wrong.hint


@pytest.mark.parametrize("width", [80, 60, 40])
def test_help_of_every_command_fits_the_terminal_and_examples_stay_commands(width: int) -> None:
    known = default_catalog()
    pages = [["--help"], *([group.name, "--help"] for group in known.groups)]
    pages += [[group.name, info.name, "--help"] for group in known.groups for info in group.commands]
    for argv in pages:
        page = parse(argv, width=width)
        assert isinstance(page, HelpText)
        for line in page.text.splitlines():
            longest = max(map(len, line.split()), default=0)
            unbroken = "'" in line or longest + 26 > width  # a quoted word stays whole, and any long one
            assert len(line) <= width or unbroken, (argv, line)
    page = parse(["schedules", "create", "--help"], width=width)
    assert isinstance(page, HelpText)
    joined = page.text.replace(" \\\n     ", "")
    assert (
        "ade schedules create 'What is new?' --session CHAT --cron '0 9 * * 1-5' --zone Europe/Berlin"
        in joined
    )
