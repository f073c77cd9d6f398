"""Providers: every row is complete in the generated table, and a program that nobody looks for is refused."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from ade_generated.external_tools import EXTERNAL_TOOLS
from ade_generated.providers import PROVIDERS
from codegen.load import load_specs
from tests.unit.codegen.specs_on_disk import faults, only

ROOT = Path(__file__).parents[3]
ROW = (
    "{title: Toy, summary: A toy., program: toy, adapter: toy, tools: mcp, steer: false, "
    "permission_modes: {default: ask}, hint: Install it.}"
)
TOOL = "external_tools: {toy: {title: Toy, programs: [toy], version_args: [--version], version_pattern: '^([0-9]+)$'}}\n"


def test_a_program_that_nobody_looks_for_is_refused(tmp_path: Path) -> None:
    files = {
        "external_tools.yaml": TOOL,
        "providers.yaml": "providers:\n  toy: " + ROW.replace("program: toy", "program: tyo"),
    }
    only(faults(tmp_path, files), "unknown-program", "tyo", "toy")


def test_a_mode_that_ade_does_not_have_is_refused(tmp_path: Path) -> None:
    files = {
        "external_tools.yaml": TOOL,
        "providers.yaml": "providers:\n  toy: " + ROW.replace("{default:", "{yolo:"),
    }
    assert any("yolo" in fault.message for fault in faults(tmp_path, files))


def test_a_terminal_holds_the_same_modes_as_a_chat(tmp_path: Path) -> None:
    terminal = "terminal: {permission_modes: {default: [], plan: [--read-only]}, model: --model}, hint:"
    files = {
        "external_tools.yaml": TOOL,
        "providers.yaml": "providers:\n  toy: " + ROW.replace("hint:", terminal),
    }
    only(faults(tmp_path, files), "terminal-modes", "plan")


@pytest.mark.parametrize(
    ("change", "code", "says"),
    [
        (("adapter: toy", "adapter: acp"), "acp-adapter", "belong together"),
        (("hint:", "acp: {tool_names: ['x_{tool}']}, hint:"), "acp-adapter", "belong together"),
        (("adapter: toy", "adapter: acp, acp: {tool_names: [x_tool]}"), "bad-name", "{tool}"),
        (("adapter: toy", "adapter: acp, acp: {late_tools: true}"), "missing-key", "tool_names"),
    ],
)
def test_a_program_over_acp_says_how_it_calls_tools(
    change: tuple[str, str], code: str, says: str, tmp_path: Path
) -> None:
    files = {"external_tools.yaml": TOOL, "providers.yaml": "providers:\n  toy: " + ROW.replace(*change)}
    only(faults(tmp_path, files), code, says)


def test_a_new_program_over_acp_is_a_row_and_no_code() -> None:
    """No module of the adapter knows a program by name."""
    folder = ROOT / "ade_runtime" / "chat" / "providers"
    named = [name for name, entry in PROVIDERS.items() if entry.adapter == "acp"]
    for module in folder.glob("acp*.py"):
        strings = [
            node.value
            for node in ast.walk(ast.parse(module.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not [text for text in strings if text in named], module.name


def test_the_generated_table_says_what_the_specs_say() -> None:
    specs = load_specs(ROOT)
    assert list(PROVIDERS) == sorted(specs.providers)
    for name, entry in PROVIDERS.items():
        assert entry.program in EXTERNAL_TOOLS
        assert dict(entry.permission_modes) == dict(specs.providers[name].permission_modes)
        acp = specs.providers[name].acp
        assert (entry.acp is None) == (acp is None) == (entry.adapter != "acp")
        if entry.acp is not None and acp is not None:
            assert (entry.acp.tool_names, dict(entry.acp.plan_environment)) == (
                acp.tool_names,
                dict(acp.plan_environment),
            )
        told = specs.providers[name].terminal
        assert (entry.terminal is None) == (told is None)
        if entry.terminal is not None and told is not None:
            assert dict(entry.terminal.permission_modes) == dict(told.permission_modes)
            assert (entry.terminal.arguments, entry.terminal.model) == (told.arguments, told.model)


def test_no_two_codex_programs_in_terminals_share_a_daemon() -> None:
    codex = PROVIDERS["codex"].terminal
    assert codex is not None and "--no-daemon" in codex.arguments
