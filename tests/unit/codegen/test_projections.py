"""What clients make of tools: names, refusals, losses, TypeScript; and the report that counts it all."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codegen import ir
from codegen.emitters import clients, report
from codegen.emitters.tools import definition
from codegen.failure import GenerationError
from codegen.load import load_specs
from codegen.projections import PROFILES, nodes, problems, project, typescript
from tests.unit.codegen import torture, toy

ROOT = Path(__file__).parents[3]
SHORT = {"type": "string", "maxLength": 5}
INPUT = {
    "name": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]+$", "description": "A name."},
    "share": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "optional": True},
    "day": {"type": "string", "format": "date", "optional": True},
    "tags": {"type": "array", "items": SHORT, "maxItems": 3, "uniqueItems": True, "optional": True},
    "level": {"type": ["string", "null"], "enum": ["low", "high"], "optional": True},
    "long": {"type": "string", "pattern": "^" + "(a|b)" * 13 + "$", "optional": True},
    "again": {"type": "boolean", "default": False},
}  # fmt: skip
EXAMPLES = [
    {"title": "Works", "input": {"name": "ab"}, "output": {}},
    {
        "title": "Fails",
        "input": {"name": "ab", "zz": 1},
        "error": {"code": "invalid_arguments", "path": "zz"},
    },
]


@pytest.fixture
def specs(tmp_path: Path) -> ir.Specs:
    return toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=INPUT, examples=EXAMPLES)}))


def test_each_client_gets_its_name_and_its_parts(specs: ir.Specs) -> None:
    [play] = specs.actions
    names = {key: project(play, specs, profile).name for key, profile in PROFILES.items()}
    assert names["claude"] == names["codex"] == "mcp__ade__toy_play"
    assert names["opencode"] == "ade_toy_play"
    assert names["gemini"] == names["mcp-2024-11-05"] == "toy_play"
    assert project(play, specs, PROFILES["mcp-2024-11-05"]).definition.keys() == {
        "name",
        "description",
        "inputSchema",
    }
    assert "outputSchema" in project(play, specs, PROFILES["mcp-2025-06-18"]).definition


def test_what_codex_does_not_show_is_said_or_reported(specs: ir.Specs) -> None:
    [play] = specs.actions
    shown = project(play, specs, PROFILES["codex"])
    hidden = PROFILES["codex"].hides
    assert all(not hidden & schema.keys() for _, schema in nodes(shown.definition["inputSchema"], ""))
    lost = {(loss.path, loss.keyword): loss.said for loss in shown.losses}
    assert [key for key, said in lost.items() if not said] == [("long", "pattern")]
    assert ("tags[]", "maxLength") in lost
    assert ("share", "minimum") not in lost or lost["share", "minimum"]
    assert project(play, specs, PROFILES["claude"]).losses == ()


def test_code_mode_reads_typescript(specs: ir.Specs) -> None:
    [play] = specs.actions
    code = project(play, specs, PROFILES["codex-code"]).declaration
    assert code.startswith("declare function mcp__ade__toy_play(args: { name: string; share?: number; ")
    assert 'level?: "low" | "high" | null;' in code
    assert code.endswith("): Promise<{ done: boolean }>;")


def test_typescript_of_every_kind_of_value(tmp_path: Path) -> None:
    found = toy.specs(tmp_path, torture.domain(), types=torture.TYPES)
    codes = [project(action, found, PROFILES["codex-code"]).declaration for action in found.actions]
    text = "\n".join(codes)
    assert "Record<string, unknown>" in text
    assert '"a.b-c"?: string' in text
    assert typescript({"type": ["array", "null"], "items": {"type": "integer"}}) == "Array<number> | null"
    tsc = shutil.which("tsc")
    if tsc is not None:
        file = tmp_path / "tools.d.ts"
        file.write_text(text)
        done = subprocess.run(
            [tsc, "--noEmit", "--strict", str(file)], capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stdout


def test_no_tool_of_the_project_breaks_a_client() -> None:
    project_specs = load_specs(ROOT)
    assert problems(project_specs) == []
    for action in project_specs.actions:
        for profile in PROFILES.values():
            assert len(project(action, project_specs, profile).name) <= profile.longest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tool": "t" * 60}, "is not taken"),
        ({"tool": "toy.play"}, "is not taken"),
    ],
)
def test_a_bad_name_is_found(change: dict[str, Any], words: str, specs: ir.Specs) -> None:
    from dataclasses import replace

    [domain] = specs.domains
    broken = replace(specs, domains=(replace(domain, actions=(replace(domain.actions[0], **change),)),))
    assert any(words in one for one in problems(broken))
    with pytest.raises(GenerationError, match="does not take"):
        list(report.emit(broken))


def test_names_that_a_client_mixes_up_are_found(specs: ir.Specs) -> None:
    from dataclasses import replace

    [domain] = specs.domains
    [play] = domain.actions
    twins = (replace(play, tool="a-b"), replace(play, tool="a_b", id="toy.other", name="other"))
    found = problems(replace(specs, domains=(replace(domain, actions=twins),)))
    assert found == [
        "codex: toy.other and toy.play are both mcp__ade__a_b",
        "codex-code: toy.other and toy.play are both mcp__ade__a_b",
    ]


def test_a_schema_that_costs_the_tool_is_found(specs: ir.Specs, monkeypatch: pytest.MonkeyPatch) -> None:
    [play] = specs.actions
    bad = definition(play, specs)
    bad["inputSchema"]["anyOf"] = [{}]
    bad["inputSchema"]["properties"]["a b"] = {"enum": [1], "format": "date", "exclusiveMinimum": 1}
    monkeypatch.setattr(
        "codegen.projections.definitions",
        lambda domain, specs: {action.id: bad for action in domain.actions},
    )
    found = "\n".join(problems(specs))
    for words in (
        "no plain object at its root",
        "the property a b",
        "an enum of something else",
        "format date",
        "exclusiveMinimum",
    ):
        assert words in found


def test_the_report_counts_and_shows_who_may_what(tmp_path: Path) -> None:
    roles = {
        "external": {"rank": 0, "summary": "Anyone.", "effects": ["read"]},
        "agent": {"rank": 1, "summary": "An agent.", "effects": ["read", "write"]},
        "boss": {"rank": 2, "summary": "A boss.", "effects": ["read", "write", "destructive"]},
    }
    toolsets = {"base": {"summary": "All.", "roles": ["external", "agent"], "server": "ade"}}
    actions = {
        "look": toy.action(errors=["toy_broken"]),
        "make": toy.action(effect="write"),
        "open": toy.action(effect="write", min_role="external"),
        "drop": toy.action(effect="destructive", min_role="agent"),
        "old": toy.action(deprecated={"since": "0.2.0", "use": "toy.look", "remove_after": "0.3.0"}),
    }
    found = toy.specs(tmp_path, toy.domain(actions=actions), roles=roles, toolsets=toolsets)
    [file] = report.emit(found)
    text = file.content
    assert "| Actions | 5: 1 destructive, 2 read, 2 write |" in text
    rows = {
        cells[0]: cells[1:4]
        for line in text.splitlines()
        if (cells := re.findall(r"[^| ]+", line)) and "toy." in cells[0]
    }
    assert rows["toy.look"] == ["yes", "yes", "-"]
    assert rows["toy.make"] == ["no", "yes", "-"]
    assert rows["toy.open"] == ["yes", "yes", "-"]
    assert rows["toy.drop"] == ["no", "no", "-"]
    assert "- toy_broken: toy.look" in text
    assert "- toy.old: since 0.2.0, goes after 0.3.0" in text
    assert "| codex |" in next(iter(clients.emit(found))).content
