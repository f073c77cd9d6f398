"""Nothing that anybody reads names a command or a tool that cannot be called: prompts, skills, help, messages of the program
itself, and the documentation. What a worker's model reads names nothing that a worker may not call.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.agents import brief
from ade_runtime.chat import flush, prompt
from ade_runtime.chat.providers import codex_tools, plan_mode
from ade_runtime.cli.catalog import default_catalog
from ade_runtime.cli.parse import HelpText, parse
from ade_runtime.tooling import mcp_server
from ade_runtime.tooling.definitions import all_tools
from codegen.emitters.named_commands import CommandNames
from codegen.load import load_specs

ROOT = Path(__file__).parents[2]
SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z]+)+\b")
PAGES = sorted(
    page for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")] if ".venv" not in page.parts
)
WORKER = {action for action, entry in ACTIONS.items() if "agent" in TOOLSETS[entry.toolset].roles}
NOT_A_WORKERS = {entry.tool for action, entry in ACTIONS.items() if action not in WORKER}


@cache
def names() -> CommandNames:
    return CommandNames(load_specs(ROOT))


def commands(text: str) -> Iterator[str]:
    """Command lines that stand in code spans, each of several names in ``ade lanes list|show`` by itself."""
    for match in SPAN.finditer(text.replace("\\`", "`")):
        words = match[2].split()
        if words[:1] == ["ade"]:
            for choice in product(*(word.split("|") for word in words[1:3])):
                yield " ".join(["ade", *choice, *words[3:]])


def check_commands(text: str, where: str) -> None:
    for command in commands(text):
        problem, advice = names().problem(command.split())
        assert not problem, f"{where}: `{command}`: {problem}; {advice}"


def guidance() -> dict[str, str]:
    folder = ROOT / "ade_generated"
    return {str(file.relative_to(folder)): file.read_text() for file in (folder / "guidance").glob("*.md")}


def skills() -> dict[str, str]:
    folder = ROOT / "ade_generated" / "skills"
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.md")}


def spoken() -> dict[str, str]:
    """What the program itself puts before a model."""
    return {
        "nowhere": prompt.NOWHERE,
        "flush": flush.text(),
        "begin": brief.BEGIN,
        "codex": codex_tools.FINDING,
        "mcp": mcp_server.INSTRUCTIONS,
        "plan": plan_mode.IN_PLAN_MODE,
    }


def tool_texts() -> dict[str, str]:
    """By action, all that a model reads about its tool."""
    return {
        tool.action: f"{tool.description} {json.dumps(tool.input_schema)} {tool.title}"
        for tool in all_tools()
    }


def programs_strings() -> Iterator[tuple[str, str]]:
    """Every text of the runtime's own code, with slots for what is filled in, and where it stands."""
    for file in sorted((ROOT / "ade_runtime").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            where = f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield where, node.value
            elif isinstance(node, ast.JoinedStr):
                parts = [one.value if isinstance(one, ast.Constant) else "{x}" for one in node.values]
                yield where, "".join(str(part) for part in parts)


@pytest.mark.parametrize("source", [guidance, skills, spoken, tool_texts])
def test_what_agents_read_names_commands_that_exist(source: Any) -> None:
    found = source()
    assert found
    for where, text in found.items():
        check_commands(text, where)


def test_what_agents_read_names_tools_that_exist() -> None:
    known = {entry.tool for entry in ACTIONS.values()} | {kind.code for kind in every_error()}
    known |= {name for entry in ACTIONS.values() for name in entry.input_model.model_fields}
    for where, text in {**guidance(), **skills(), **spoken()}.items():
        spans = [match[2] for match in SPAN.finditer(text)]
        for word in {word for span in spans for word in WORD.findall(span) if span == word}:
            assert word in known, f"{where}: there is no {word}"


def every_error() -> list[Any]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and hasattr(kind, "code")]


def test_what_a_worker_reads_names_nothing_that_only_others_may_call() -> None:
    texts = {action: text for action, text in tool_texts().items() if action in WORKER}
    others = ("cto", "flush", "lead")
    texts |= {name: text for name, text in guidance().items() if not any(word in name for word in others)}
    texts |= {name: text for name, text in spoken().items() if name != "flush"}
    for where, text in texts.items():
        named = {word for word in re.findall(r"[A-Za-z_]+", text) if word in NOT_A_WORKERS}
        assert not named, f"{where} names {sorted(named)}"
        for command in commands(text):
            action = action_of(command)
            assert action is None or action in WORKER, f"{where} names `{command}`"


def action_of(command: str) -> str | None:
    words = command.split()[1:3]
    for group in default_catalog().groups:
        for info in group.commands:
            if len(words) == 2 and words[0] in (group.name, *group.aliases) and words[1] == info.name:
                return str(info.action)
    return None


def test_help_names_commands_that_exist() -> None:
    lines = [[]] + [[group.name] for group in default_catalog().groups]
    lines += [[group.name, info.name] for group in default_catalog().groups for info in group.commands]
    for line in lines:
        shown = parse([*line, "--help"], width=100, cwd="/")
        assert isinstance(shown, HelpText), line
        check_commands(shown.text, " ".join(line))


def test_what_the_program_says_names_commands_that_exist() -> None:
    for where, text in programs_strings():
        if "`ade " in text:
            check_commands(text, where)


def test_hints_of_errors_name_commands_that_exist() -> None:
    source = (files("ade_generated") / "errors.py").read_text()
    strings = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    for text in strings:
        if isinstance(text, str):
            check_commands(text, "ade_generated/errors.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_name_commands_that_exist(page: Path) -> None:
    check_commands(FENCE.sub("", page.read_text()), page.name)


def test_the_check_sees_what_is_wrong() -> None:
    with pytest.raises(AssertionError):
        check_commands("Use `ade lanes craete`.", "here")
    with pytest.raises(AssertionError):
        check_commands("Use `ade lanes create X --nonsense`.", "here")
    with pytest.raises(AssertionError):
        check_commands("Use `ade lanes list|shwo`.", "here")
    check_commands("Use `ade lanes list|show`, `ade lanes create NAME` or `git push`.", "here")
