"""The generated commands: they parse to the arguments their examples mean, and show texts as they were
written.
"""

from __future__ import annotations

import ast
import json
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.cli.help import visible
from ade_runtime.cli.params import FieldParam
from ade_runtime.cli.parse import HelpText, Invocation, UsageProblem, parse
from codegen import ir
from codegen.emitters import cli
from codegen.emitters.samples import command_line, command_words, skeleton
from codegen.load import load_specs
from tests.unit.codegen import toy

ROOT = Path(__file__).parents[3]

PLAY = toy.action(
    description="All about it.",
    guidance="Play fair.",
    effect="write",
    cli={"name": "play", "aliases": ["go"]},
    errors=["toy_broken"],
    input={
        "name": {
            "type": "string",
            "minLength": 1,
            "maxLength": 9,
            "description": "Its name.",
            "cli": {"positional": True},
        },
        "class": {"type": "string", "optional": True, "description": "A keyword."},
        "from": {"type": "string", "optional": True, "description": "Another."},
        "depth": {
            "type": "integer",
            "optional": True,
            "minimum": -9,
            "maximum": 9,
            "description": "How deep.",
        },
        "ratio": {"type": "number", "default": 0.5, "description": "How much."},
        "loud": {"type": "boolean", "optional": True, "description": "Noise."},
        "kind": {"type": "string", "enum": ["soft", "hard"], "default": "soft", "description": "Which."},
        "labels": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": 20},
            "maxItems": 5,
            "optional": True,
            "description": "Words.",
            "cli": {"short": "-l", "flag": "--label"},
        },
        "when": {"type": "string", "format": "date", "optional": True, "description": "Day."},
        "extra": {"type": "object", "additionalProperties": True, "optional": True, "description": "Free."},
        "cron": {"type": "string", "optional": True, "description": "Rule."},
        "delay": {
            "type": "integer",
            "minimum": 0,
            "maximum": 60,
            "optional": True,
            "description": "Seconds.",
        },
    },
    rules=[{"at_most_one_of": ["cron", "delay"]}],
    examples=[
        {"title": "Plain", "input": {"name": "x"}, "output": {}},
        {
            "title": "Much",
            "input": {
                "name": "-f it's",
                "depth": -4,
                "ratio": 1,
                "loud": False,
                "labels": ["-a", "b c"],
                "kind": "hard",
                "extra": {"a": [None, "é"]},
                "class": "$(touch marker)",
                "from": "",
            },
            "output": {},
        },
        {"title": "Empty list", "input": {"name": "x", "labels": []}, "output": {}},
        {"title": "Broken", "input": {"name": "y"}, "error": {"code": "toy_broken"}},
        {"title": "Refused", "input": {"name": ""}, "error": {"code": "invalid_arguments", "path": "name"}},
    ],
)


@pytest.fixture
def specs(tmp_path: Path) -> ir.Specs:
    return toy.specs(tmp_path, toy.domain(actions={"play": PLAY, "rest": toy.action()}))


def read(specs: ir.Specs, *argv: str, **more: Any) -> Any:
    return parse(argv, catalog=toy.catalog(cli.emit(specs)), cwd="/", **more)


def help_of(specs: ir.Specs, *argv: str, width: int = 80) -> str:
    outcome = read(specs, *argv, "--help", width=width)
    assert isinstance(outcome, HelpText), outcome
    return outcome.text


def test_examples_parse_back_to_their_inputs(specs: ir.Specs) -> None:
    only = specs.domains[0]
    for example in only.actions[0].examples:
        words = command_words(only, only.actions[0], example.input, specs)
        assert words is not None
        outcome = read(specs, *words)
        assert isinstance(outcome, Invocation), outcome
        assert outcome.arguments == example.input
        line = command_line(only, only.actions[0], example.input, specs)
        assert line is None or shlex.split(line)[1:] == words


def test_help_says_what_there_is_to_know(specs: ir.Specs) -> None:
    text = help_of(specs, "toys", "play")
    for part in (
        "Usage: ade toys play [OPTIONS] NAME",
        "All about it.",
        "Play fair.",
        "NAME  Its name. [required; text, 1 to 9 characters; also --name]",
        "--class TEXT",
        "an integer, -9 to 9",
        "default 0.5",
        "--[no-]loud",
        "one of soft, hard; default soft",
        "-l, --label TEXT",
        "a date like 2026-01-31",
        "Give at most one of --cron and --delay.",
        "ade toys play x",
        "# Broken (ends with toy_broken)",
        "toy_broken (5)",
        "124 timed out",
        "Also called: go.",
    ):
        assert part in text
    assert "invalid_arguments)" not in text
    assert all(len(line) <= 80 for line in text.split("\n"))
    assert all(len(line) <= 120 for line in help_of(specs, "toys", "play", width=120).split("\n"))


def test_values_by_declared_type(specs: ir.Specs) -> None:
    got = read(
        specs, "toys", "go", "123", "--ratio", "1e2", "--when", "2026-01-31", "--arg", "class=1", "--no-loud"
    )
    assert got.arguments == {"name": "123", "ratio": 100.0, "when": "2026-01-31", "class": "1", "loud": False}
    problem = read(specs, "toys", "play", "x", "--kind", "hrd")
    assert isinstance(problem, UsageProblem)
    assert "did you mean hard?" in problem.message
    assert read(specs, "toys", "play").message == "ade toys play needs NAME."
    assert "at most one" in read(specs, "toys", "play", "x", "--cron", "a", "--delay", "1").message


def test_skeleton_is_an_input(specs: ir.Specs) -> None:
    outcome = read(specs, "toys", "play", "--skeleton")
    assert isinstance(outcome, HelpText)
    filled = json.loads(outcome.text)
    assert filled == skeleton(specs.domains[0].actions[0], specs)
    assert next(iter(filled)) == "name"
    assert filled["ratio"] == 0.5


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_generator_7_hostile_text_is_shown_and_never_acts(specs: ir.Specs, text: str, tmp_path: Path) -> None:
    poisoned = toy.poisoned(specs, text)
    files = list(cli.emit(poisoned))
    command = toy.catalog(files).command(*toy.catalog(files).action("toy.play") or pytest.fail("not there"))
    assert command.summary == command.description == command.guidance == text
    assert {param.help for param in command.fields} == {text}
    assert {example.title for example in command.examples} == {text}
    page = help_of(poisoned, "toys", "play")
    assert page.count(toy.squeezed(visible(text))[:20]) or toy.squeezed(visible(text)) in toy.squeezed(page)
    assert toy.squeezed(visible(text)) in toy.squeezed(page)
    assert "49" not in page
    assert toy.squeezed(visible(text)) in toy.squeezed(help_of(poisoned, "toys"))
    for file, plain in zip(files, cli.emit(specs), strict=True):
        assert shape(file.content) == shape(plain.content)
        assert file.content.isascii()
    assert not (tmp_path / "marker").exists()


def shape(source: str) -> str:
    """The syntax of a module with every text blanked out: what an escape that fails would change."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


def test_help_shows_lines_as_written(specs: ir.Specs) -> None:
    text = "First  line\n\n    indented \\ line\n\tlast"
    page = help_of(toy.poisoned(specs, text), "toys", "play")
    assert (
        "\nFirst  line\n\n    indented \\ line\n\\tlast\n" in page
        or "\nFirst  line\n\n    indented \\ line\n" in page
    )


def test_generator_10_keywords_everywhere(tmp_path: Path) -> None:
    fields = {
        name: {"type": "string", "optional": True, "description": "x"} for name in ("lambda", "None", "async")
    }
    made = toy.specs(
        tmp_path,
        toy.domain(
            "import",
            actions={"class": toy.action(input=fields), "help": toy.action()},
            cli={"group": "import"},
        ),
    )
    got = read(made, "import", "class", "--lambda", "a", "--None", "b", "--async", "c")
    assert got.arguments == {"lambda": "a", "None": "b", "async": "c"}
    assert read(made, "import", "help").action_id == "import.help"
    assert "Usage: ade import help" in help_of(made, "import", "help")


def test_fields_whose_flag_the_program_keeps(tmp_path: Path) -> None:
    """A positional field keeps its place; any other is still reachable by its own name."""
    fields = {
        "project": {"type": "string", "optional": True, "description": "x", "cli": {"positional": True}},
        "depth": {"type": "integer", "optional": True, "description": "x", "cli": {"flag": "--deep"}},
    }
    made = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=fields)}))
    got = read(made, "toys", "play", "shop", "--project", "/p", "--deep", "2")
    assert got.arguments == {"project": "shop", "depth": 2}
    assert got.options.project == "/p"
    shown = help_of(made, "toys", "play")
    assert "Usage: ade toys play [OPTIONS] [PROJECT]\n" in shown and "also --project-value" in shown
    assert "PROJECT_VALUE" not in shown
    reserved = FieldParam(
        field="json", kind="text", flags=(), metavar="TEXT", help="x", limits="text", required=True
    )
    assert reserved.shown_name == "--arg json="


def test_same_specs_same_bytes(specs: ir.Specs) -> None:
    assert list(cli.emit(specs)) == list(cli.emit(specs))


def test_help_needs_no_domain_module(tmp_path: Path) -> None:
    """``ade --help`` and ``ade GROUP --help`` are answered from the index alone."""
    code = (
        "import sys\n"
        "from ade_runtime.cli.parse import parse\n"
        "for argv in ([], ['--help'], ['lanes'], ['lanes', '--help']):\n"
        "    assert type(parse(argv)).__name__ == 'HelpText'\n"
        "loaded = [name for name in sys.modules if name.startswith('ade_generated.cli.')]\n"
        "assert loaded == ['ade_generated.cli.index'], loaded\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, cwd=tmp_path)


@cache
def real() -> ir.Specs:
    return load_specs(ROOT)


def test_every_example_of_the_project_parses_back() -> None:
    catalog = toy.catalog(cli.emit(real()))
    for domain in real().domains:
        for action in domain.actions:
            for example in action.examples:
                words = command_words(domain, action, example.input, real())
                outcome = parse(words, catalog=catalog, cwd="/") if words else None
                if action.id == cli.RUN_ACTION:
                    continue
                if isinstance(outcome, Invocation):
                    assert (outcome.action_id, outcome.arguments) == (action.id, example.input)
                elif outcome is not None:
                    assert isinstance(outcome, UsageProblem)
                    assert example.error is not None, (action.id, outcome.message)


def test_every_command_of_the_project_helps_and_has_a_skeleton() -> None:
    catalog = toy.catalog(cli.emit(real()))
    for domain in real().domains:
        for action in domain.actions:
            for words in ([domain.group, action.command, "-h"], ["actions", "run", action.id, "--help"]):
                outcome = parse(words, catalog=catalog, width=100)
                assert isinstance(outcome, HelpText)
            outcome = parse([domain.group, action.command, "--skeleton"], catalog=catalog)
            assert isinstance(outcome, HelpText)
            assert isinstance(json.loads(outcome.text), dict)


def test_fault_41_no_file_of_the_command_line_is_large() -> None:
    """Commands come from the specs, a module a domain; what they share fits on a few screens."""
    for file in cli.emit(real()):
        assert len(file.content) < 200_000, file.path
    for path in (ROOT / "ade_runtime" / "cli").glob("*.py"):
        assert len(path.read_text().splitlines()) <= 420, path.name
