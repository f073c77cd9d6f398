"""Faults of the system this one follows, each closed over the whole real catalogue of actions.

A test is named after its row of the inventory. Rows 14, 15 and 27 are in ``test_every_action.py`` and
``integration/lanes/test_merge.py``.
"""

from __future__ import annotations

import ast
import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.roles import ROLES, TOOLSETS
from ade_runtime.cli.catalog import default_catalog
from ade_runtime.cli.params import FieldParam
from ade_runtime.cli.parse import HelpText, Invocation, UsageProblem, parse
from ade_runtime.contracts import Effect, Exit
from ade_runtime.pipeline.call import Identity
from ade_runtime.pipeline.permission import check_allowed
from ade_runtime.storage.schema import audit
from tests.support.ways import Headless, Socket
from tests.support.work import Work, opened

ROOT = Path(__file__).parents[2]
SAMPLES = {"text": "x", "integer": "1", "number": "1.5", "json": "{}", "boolean": "true"}


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("First", **{"README.md": "# Sample\n"})
        yield made


@pytest.fixture
async def way(tmp_path: Path) -> AsyncIterator[Socket]:
    async with Socket(tmp_path / "ade-home", tmp_path, {}) as opened_way:
        yield opened_way


def every_command() -> list[Any]:
    catalog = default_catalog()
    return [
        (group, info, catalog.command(group, info)) for group in catalog.groups for info in group.commands
    ]


# -- contracts


def test_fault_46_the_two_ways_to_start_an_agent_have_one_name_each_and_point_to_each_other() -> None:
    starting = {entry.id: entry.tool for entry in ACTIONS.values() if "spawn" in entry.id + entry.tool}
    assert starting == {"agent.spawn": "spawn_agent", "run.spawn_agent": "spawnAgent"}, (
        "the second is a run's lead's"
    )
    assert "agent" not in TOOLSETS[ACTIONS["run.spawn_agent"].toolset].roles
    told = {(group.name, info.name): spec.description for group, info, spec in every_command()}
    assert "`ade agents spawn`" in told["chats", "create"]
    assert "`ade chats create --help`" in next(
        g.summary for g in default_catalog().groups if g.name == "agents"
    )
    assert "agent" in TOOLSETS[ACTIONS["agent.spawn"].toolset].roles
    assert "agent" not in TOOLSETS[ACTIONS["chat.create"].toolset].roles, (
        "an agent has one way to start another"
    )
    assert "ade chats list" in str(errors.AgentNotFound(agent="x").hint)
    assert "ade agents list" in str(errors.ChatNotFound(session="x").hint)


async def test_fault_11_every_call_is_validated_and_all_problems_are_told(way: Socket) -> None:
    arguments = {"name": 5, "description": "", "nmae": "x", "base": ["main"]}
    answer = await way.request("ade/actions/call", {"name": "lane.create", "arguments": arguments})
    assert answer["error"]["code"] == -32602
    problems = answer["error"]["data"]["details"]["problems"]
    assert {problem["path"] for problem in problems} == {"name", "description", "nmae", "base"}
    assert any("did you mean name" in problem["message"] for problem in problems)
    for arguments in ({"format": "x"}, {"kind": "nowhere"}):
        answer = await way.request("ade/actions/call", {"name": "git.branches", "arguments": arguments})
        assert answer["error"]["data"]["code"] == "invalid_arguments"


@cache
def read_attributes() -> set[str]:
    """Every attribute the runtime reads: inputs travel under many names. The git actions are held to more,
    handler by handler, in ``unit/git/test_declared.py``.
    """
    files = (ROOT / "ade_runtime").rglob("*.py")
    nodes = (node for path in files for node in ast.walk(ast.parse(path.read_text())))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}


def test_fault_12_every_declared_field_is_read_and_undeclared_ones_are_refused() -> None:
    for entry in ACTIONS.values():
        model = entry.input_model
        assert model.model_config.get("extra") == "forbid", entry.id
        unread = set(model.model_fields) - read_attributes()
        assert not unread, f"{entry.id}: {sorted(unread)} are declared and never read"


def test_fault_13_every_action_has_a_typed_described_input_and_examples_that_are_run() -> None:
    for entry in ACTIONS.values():
        schemas = json.loads((ROOT / "ade_generated" / "schemas" / f"{entry.domain}.json").read_text())
        for name, schema in schemas["actions"][entry.id]["input"]["properties"].items():
            assert schema.get("description"), f"{entry.id}: {name} says nothing about itself"
            assert "type" in schema or "anyOf" in schema, f"{entry.id}: {name} has no type"
        table = json.loads((ROOT / "ade_generated" / "contract" / f"{entry.domain}.json").read_text())
        cases = [case for case in table["cases"] if case["action"] == entry.id]
        assert any("error" in case for case in cases), f"{entry.id} has no example that fails"
        assert any("error" not in case for case in cases), f"{entry.id} has no example that works"


def test_fault_16_permission_is_closed_by_default() -> None:
    """No list of names decides: what a role's effects do not hold and the spec does not open is denied."""
    for role in ROLES.values():
        someone = Identity(role=role.name, key=f"test:{role.name}", uid=0, session=None)
        for entry in ACTIONS.values():
            reached = entry.min_role is None or role.rank >= ROLES[entry.min_role].rank
            by_effect = str(entry.effect) in role.effects
            opened_by_spec = entry.min_role is not None and entry.effect in (Effect.READ, Effect.WRITE)
            if reached and (by_effect or opened_by_spec):
                check_allowed(entry, someone)
                continue
            with pytest.raises(errors.PolicyDenied):
                check_allowed(entry, someone)
    assert all(
        not {"write", "destructive", "secret"} & {*ROLES[name].effects} for name in ("external", "evaluator")
    )


@pytest.mark.parametrize(
    "arguments", [[], ["fix"], "fix", None, 1, [{"name": "fix"}], {"args": ["fix"]}, {"": "fix"}]
)
async def test_fault_17_arguments_are_one_object_and_nothing_else(way: Socket, arguments: Any) -> None:
    answer = await way.request("ade/actions/call", {"name": "lane.create", "arguments": arguments})
    assert answer["error"]["code"] == -32602, answer


async def test_fault_18_the_effect_drives_audit_and_dry_runs(work: Work) -> None:
    await work.call("lane.list")
    await work.call("lane.create", name="fix")
    await work.refused("lane.create", name="fix")
    await work.call("lane.delete", lane="fix")

    def rows(connection: Any) -> list[Any]:
        return [
            tuple(row) for row in connection.execute(select(audit.c.action, audit.c.effect, audit.c.outcome))
        ]

    assert await work.runtime.services.database.read(rows) == [
        ("lane.create", "write", "ok"),
        ("lane.create", "write", "lane_name_taken"),
        ("lane.delete", "destructive", "ok"),
    ]


async def test_fault_18_a_dry_run_shows_the_effect_and_makes_nothing(tmp_path: Path) -> None:
    async with Headless(tmp_path / "ade-home", tmp_path, {}) as headless:
        target = tmp_path / "new"
        answer = await headless.run(["projects", "create", str(target), "--dry-run", "--json"])
        assert answer["exit"] == 0, answer
        assert json.loads(answer["stdout"])["effect"] == "write"
        assert not target.exists()


# -- the command line


def given(param: FieldParam) -> list[str]:
    """A spelling of the field with a value that fits its type."""
    if param.is_switch:
        return [param.flag]
    value = param.choices[0] if param.choices else SAMPLES.get(param.kind, "x")
    return (
        [*param.flag.split(" ")[:-1], f"--arg={param.field}={value}"]
        if not param.flags
        else [param.flag, value]
    )


def test_fault_36_no_option_of_any_command_swallows_a_positional_or_help() -> None:
    for group, info, command in every_command():
        line = [group.name, info.name]
        places = [param for param in command.fields if param.positional]
        values = [param.choices[0] if param.choices else SAMPLES.get(param.kind, "x") for param in places[:1]]
        for param in command.fields:
            if param.positional or not param.flags:
                continue
            before = parse([*line, *given(param), *values, "--help"])
            assert isinstance(before, HelpText), (info.action, param.field)
            got = parse([*line, *given(param), *values])
            if isinstance(got, Invocation) and places and info.action != "actions.run":
                first = got.arguments[places[0].field]
                assert first in (values[0], [values[0]]) or str(first) == values[0], (
                    info.action,
                    param.field,
                )


def test_fault_37_unknown_flags_and_commands_are_refused_with_suggestions() -> None:
    for group, info, command in every_command():
        for param in command.fields:
            if not param.flags or len(param.flag) < 6:
                continue
            wrong = param.flag[:-2] + param.flag[-1] + param.flag[-2] + "x"
            outcome = parse([group.name, info.name, f"{wrong}=1"])
            assert isinstance(outcome, UsageProblem), (info.action, wrong)
            assert param.flag in (outcome.hint or "") or "Did you mean" in (outcome.hint or ""), (
                info.action,
                wrong,
            )
        outcome = parse([group.name, info.name + "x"])
        assert isinstance(outcome, UsageProblem)
        assert f"`ade {group.name} {info.name}`" in (outcome.hint or ""), info.action


def test_fault_38_output_modes_are_switches_that_stand_anywhere() -> None:
    for group, info, command in every_command():
        places = [param for param in command.fields if param.positional and param.required]
        line = [group.name, info.name, *("1" if param.kind == "integer" else "x" for param in places)]
        for at in range(len(line) + 1):
            outcome = parse([*line[:at], "--text", *line[at:]])
            if isinstance(outcome, Invocation | UsageProblem):
                assert outcome.options.output == "text", (info.action, at)
        assert not [param for param in command.fields if {"--text", "--json"} & {*param.flags}], info.action


async def test_fault_39_errors_are_json_with_an_exit_code_by_kind(work: Work, tmp_path: Path) -> None:
    async with Headless(tmp_path / "ade-home", work.main.root, work.main.env) as headless:
        for argv, code, wanted in (
            (["lanes", "create", "--no-such"], "invalid_arguments", Exit.USAGE),
            (["lanes", "create", "x", "--role", "external"], "policy_denied", Exit.DENIED),
            (["lanes", "show", "nowhere"], "lane_not_found", Exit.NOT_FOUND),
            (["lanes", "create", "primary"], "lane_name_taken", Exit.CONFLICT),
            (["git", "commit", "--lane", "primary", "-m", "x"], "nothing_to_commit", None),
        ):
            answer = await headless.run([*argv, "--json"])
            error = json.loads(answer["stderr"])["error"]
            assert (error["code"], answer["stdout"]) == (code, ""), answer
            assert error["message"] and error["hint"]
            assert wanted is None or answer["exit"] == wanted, answer
    kinds = {
        Exit(kind.exit) for kind in vars(errors).values() if isinstance(kind, type) and hasattr(kind, "exit")
    }
    assert {Exit.DENIED, Exit.UNAVAILABLE, Exit.TIMED_OUT, Exit.RATE_LIMITED} <= kinds


def test_fault_40_text_is_read_by_the_declared_type() -> None:
    """``123``, ``true`` and ``null`` stay text where text is declared, in every command."""
    for group, info, command in every_command():
        for param in command.fields:
            if param.kind != "text" or param.choices:
                continue
            for text in ("123", "true", "null", "1e3"):
                outcome = parse([group.name, info.name, f"--arg={param.field}={text}"])
                if isinstance(outcome, Invocation) and info.action != "actions.run":
                    assert outcome.arguments[param.field] in (text, [text]), (info.action, param.field)


def test_fault_41_commands_are_generated_a_module_a_domain() -> None:
    modules = {path.stem for path in (ROOT / "ade_generated" / "cli").glob("*.py")} - {"__init__", "index"}
    assert modules == {entry.domain for entry in ACTIONS.values()}
    for path in (ROOT / "ade_runtime" / "cli").glob("*.py"):
        assert len(path.read_text().splitlines()) <= 420, path.name
