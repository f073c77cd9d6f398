"""Guidance: one body in every text, short, and naming only commands that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.diagnostics import SpecErrors
from codegen.emitters import guidance
from codegen.emitters.named_commands import CommandNames
from codegen.load import load_specs
from codegen.text import SpecText
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

ROOT = Path(__file__).parents[3]


def specs(root: Path, *, play: dict[str, Any] = PLAY, **texts: str) -> ir.Specs:
    folder = root / "specs" / "guidance"
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)
    return toy.specs(root, toy.domain(actions={"play": play, "rest": toy.action()}))


def made(found: ir.Specs) -> dict[str, str]:
    return {file.path.name: file.content for file in guidance.emit(found)}


def problems(found: ir.Specs) -> list[str]:
    with pytest.raises(SpecErrors) as caught:
        made(found)
    return [
        f"{one.span.line}:{one.span.column} {one.code} {one.message} {one.help}"
        for one in caught.value.diagnostics
    ]


def test_one_body_in_every_text(tmp_path: Path) -> None:
    files = made(
        specs(
            tmp_path,
            body="Groups: {{groups}}.\n",
            agent="# A\n\n{{body}}\n",
            other="{{body}} {{exit_codes}}\n",
        )
    )
    assert files["agent.md"] == "# A\n\nGroups: toys.\n"
    assert files["other.md"].startswith("Groups: toys. 0 done, 1 failed")
    assert set(files) == {"agent.md", "other.md"}


def test_no_guidance_no_files(tmp_path: Path) -> None:
    assert made(specs(tmp_path)) == {}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("x\ny `ade toys pla NAME`", "2:3 unknown-command there is no command `ade toys pla`"),
        ("`ade tys play`", "1:1 unknown-command there is no command `ade tys`"),
        ("``ade toys play --lod``", "1:1 unknown-command that command has no option --lod"),
        ("`ade toys play -z`", "1:1 unknown-command that command has no option -z"),
        ("`ade --jsn toys`", "1:1 unknown-command that command has no option --jsn"),
        ("a {{groop}}", "1:3 bad-slot there is no slot {{groop}}"),
        ("word " * 500, "1:1 too-long"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str, wanted: str) -> None:
    found = problems(specs(tmp_path, agent=text))
    assert len(found) == 1
    assert found[0].startswith(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "`ade toys play NAME --class X --no-loud -l a --json --input-json @FILE`",
        "`ade`, `ade --help`, `ade GROUP COMMAND --help`, `ade toys`, `ade toys COMMAND`",
        "`ade doctor`, `ade serve`, `ade toy-s`".replace(", `ade toy-s`", ""),
        "`ade toys go {name} -- -x`",
        "`$ADE_CLI_BIN_DIR/ade` and `adept nonsense` and ade toys nonsense",
        "`ade toys play -4`",
    ],
)
def test_what_exists_may_be_named(tmp_path: Path, text: str) -> None:
    assert made(specs(tmp_path, agent=text)) == {"agent.md": text}


def test_hints_descriptions_and_examples_are_checked_too(tmp_path: Path) -> None:
    play = {**PLAY, "guidance": "Then `ade toys rst`.", "description": "See `ade toys play --hush`."}
    found = problems(specs(tmp_path, play=play, agent="x"))
    assert [line.split(" ", 1)[1].split("  ")[0][:44] for line in found] == [
        "unknown-command that command has no option -",
        "unknown-command there is no command `ade toy",
    ]


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_spec_texts_never_reach_the_prompt(tmp_path: Path, text: str) -> None:
    plain = specs(tmp_path, body="Groups: {{groups}}.\n", agent="{{body}}\n")
    assert made(toy.poisoned(plain, text)) == made(plain)


def test_slots_are_names(tmp_path: Path) -> None:
    """Nothing in a slot is computed."""
    found = problems(specs(tmp_path, body="{{7*7}}\n", agent="{{body}}\n"))
    assert found == [
        "1:1 bad-slot there is no slot {{7*7}} "
        "the slots are body, exit_codes, groups, and tools with the name of a toolset"
    ]


def test_the_project_guidance(tmp_path: Path) -> None:
    project = load_specs(ROOT)
    files = made(project)
    assert set(files) == {
        "agent.md",
        "system_prompt.md",
        "inline_preamble.md",
        "scheduled_work.md",
        "cto.md",
        "memory_flush.md",
        "run_lead.md",
        "run_validator.md",
        "run_worker.md",
    }
    body = next(text.text.raw for text in project.guidance if text.name == "body")
    for name, text in files.items():
        assert guidance.tokens(text) <= 600
        assert "{{" not in text
        if name in ("scheduled_work.md", "cto.md", "memory_flush.md") or name.startswith("run_"):
            continue
        for part in ("`ade doctor`", "$ADE_CLI_PATH", "$ADE_CLI_BIN_DIR/ade", "`ade actions list --text`"):
            assert part in text
        assert text.index("PATH") < text.index("$ADE_CLI_PATH") < text.index("$ADE_CLI_BIN_DIR")
        assert body.split("\n", 1)[0] in text


@pytest.mark.parametrize("mode", ["lead", "worker", "validator"])
def test_fault_o24_a_member_of_a_run_is_told_of_tools_it_has(tmp_path: Path, mode: str) -> None:
    """Named in prose or in the list, each is in a toolset of that mode; what its mode alone has is told of."""
    project = load_specs(ROOT)
    own = {"orchestration_lead"} if mode == "lead" else {"orchestration_worker"}
    toolsets = {action.tool: action.toolset for action in project.actions}
    text = made(project)[f"run_{mode}.md"]
    named = {name for name in re.findall(r"`([A-Za-z_]+)`", text) if name in toolsets}
    assert {toolsets[name] for name in named} <= {*own, "orchestration_member"}
    if mode != "lead":
        assert named == {
            tool for tool, toolset in toolsets.items() if toolset in {*own, "orchestration_member"}
        }
    assert set(re.findall(r"`([a-z]+(?:[A-Z][a-z]+)+)`", text)) <= named


def test_a_tool_that_is_not_there_is_found_in_its_own_spelling(tmp_path: Path) -> None:
    found = problems(specs(tmp_path, body="Call `readSection`.\n", agent="{{body}}\n"))
    assert ["there is no action, tool, field or error readSection" in one for one in found] == [True]


def test_the_estimate_is_cautious() -> None:
    assert guidance.tokens("abcd" * 10) == 10
    assert guidance.tokens("a b c d e f g h i j") == 14


def test_command_names_know_aliases(tmp_path: Path) -> None:
    names = CommandNames(specs(tmp_path))
    assert names.problem(["ade", "toys", "go", "x"]) == ("", "")
    assert names.problem(["ls"]) == ("", "")
    assert SpecText("x").raw == "x"
