"""Providers: every row is complete in the generated table, and a program that nobody looks for is refused."""

from __future__ import annotations

from pathlib import Path

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


def test_the_generated_table_says_what_the_specs_say() -> None:
    specs = load_specs(ROOT)
    assert list(PROVIDERS) == sorted(specs.providers)
    for name, entry in PROVIDERS.items():
        assert entry.program in EXTERNAL_TOOLS
        assert dict(entry.permission_modes) == dict(specs.providers[name].permission_modes)
        told = specs.providers[name].terminal
        assert (entry.terminal is None) == (told is None)
        if entry.terminal is not None and told is not None:
            assert dict(entry.terminal.permission_modes) == dict(told.permission_modes)
            assert (entry.terminal.arguments, entry.terminal.model) == (told.arguments, told.model)


def test_no_two_codex_programs_in_terminals_share_a_daemon() -> None:
    codex = PROVIDERS["codex"].terminal
    assert codex is not None and "--no-daemon" in codex.arguments
