"""One walk over all actions: what is advertised anywhere is callable everywhere, and the other way round."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.pipeline import pipeline
from ade_runtime.pipeline.capabilities import Lack
from ade_runtime.pipeline.handlers import registry_problems
from tests.support.sample import git_environment
from tests.support.ways import Headless, Socket, SocketCommand

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
CTO = ("--role", "cto")
"""The role that sees every toolset."""
ESTABLISHED = {"mintdeeplink", "searchworkspace", "spawnagent"}
"""Names that two tools bear in two spellings, because that is what each is known by."""
NO_SUCH_FIELD = {"no_such_field_of_any_action": 1}


@pytest.fixture(autouse=True)
def whole_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that can do everything an action may need, so that all actions are there."""
    names = {name for entry in ACTIONS.values() for name in entry.requires}
    monkeypatch.setattr(pipeline, "machine_detectors", lambda: {name: lambda environ: None for name in names})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in git_environment(tmp_path / "user").items():
        if name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
            monkeypatch.setenv(name, value)
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def test_fault_14_every_spec_has_a_handler_and_every_handler_a_spec() -> None:
    assert registry_problems() == []


def test_fault_15_names_are_unique_over_all_surfaces() -> None:
    ids = list(ACTIONS)
    tools = [entry.tool for entry in ACTIONS.values()]
    commands = [entry.cli for entry in ACTIONS.values()]
    assert len(set(ids) | set(tools)) == len(ids) + len(tools), "an id or tool name stands for two things"
    assert len(set(commands)) == len(commands)
    folded = [tool.replace("_", "").replace("-", "").lower() for tool in tools]
    twice = {name for name in folded if folded.count(name) > 1}
    assert twice <= ESTABLISHED, "two tool names differ only in spelling"


async def test_public_9_every_action_is_listed_with_its_schemas_and_callable_by_both_names(
    project: Path, tmp_path: Path
) -> None:
    found: set[str] = set()
    async with Socket(tmp_path / "ade-home", project, {}) as way:
        for role, mode in (("cto", None), ("agent", "worker")):
            await way.become(role, mode)
            answer = await way.request("ade/actions/list", {"schemas": True, "limit": 1000})
            listed = {item["id"]: item for item in answer["result"]["items"]}
            for name in listed.keys() - found:
                await check_listed(way, listed[name])
            found |= listed.keys()
    assert found == ACTIONS.keys()


async def check_listed(way: Socket, item: dict[str, Any]) -> None:
    entry = ACTIONS[item["id"]]
    assert item["tool"] == entry.tool
    for side in ("input", "output"):
        schema = item[side]
        assert schema["type"] == "object"
        assert not schema.keys() & {"oneOf", "anyOf", "allOf", "not", "if", "$ref", "$defs"}
    for name in (entry.id, entry.tool):
        await expect_refusal(way, name)


async def expect_refusal(way: Socket, name: str) -> None:
    """The name reaches its action: an unknown field is refused by that action's own model."""
    answer = await way.request("ade/actions/call", {"name": name, "arguments": NO_SUCH_FIELD})
    error = answer["error"]["data"]
    assert error["code"] == "invalid_arguments", (name, error)
    assert any(problem["path"] == next(iter(NO_SUCH_FIELD)) for problem in error["details"]["problems"])


async def test_every_action_has_a_typed_command_with_help_and_a_generic_one(
    project: Path, tmp_path: Path
) -> None:
    async with Headless(tmp_path / "ade-home", project, {}) as way:
        root = (await way.run(["--help"]))["stdout"]
        for entry in ACTIONS.values():
            group, command = entry.cli
            assert group in root
            help_text = await way.run([group, command, "--help"])
            assert help_text["exit"] == 0, (entry.id, help_text)
            assert entry.summary in " ".join(help_text["stdout"].split())
            assert "Examples" in help_text["stdout"]
            assert "Exit codes" in help_text["stdout"] or "exit" in help_text["stdout"].lower()
            unknown = await way.run([group, command, "--no-such-flag-of-any-action", "--json"])
            assert unknown["exit"] == 2, (entry.id, unknown)
            generic = await way.run(
                ["actions", "run", entry.id, "--input-json", json.dumps(NO_SUCH_FIELD), "--json", *CTO]
            )
            error = json.loads(generic["stderr"])["error"]
            assert (generic["exit"], error["code"]) == (2, "invalid_arguments"), (entry.id, error)


async def test_every_action_describes_itself(project: Path, tmp_path: Path) -> None:
    async with SocketCommand(tmp_path / "ade-home", project, {}) as way:
        for entry in ACTIONS.values():
            answer = await way.run(["actions", "describe", entry.tool, "--json", *CTO])
            assert json.loads(answer["stdout"])["id"] == entry.id


async def test_fault_9_what_the_machine_lacks_is_hidden_on_every_way_in(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lack = Lack("there is no screen", "Get one.")
    names = {name for entry in ACTIONS.values() for name in entry.requires}
    monkeypatch.setattr(pipeline, "machine_detectors", lambda: dict.fromkeys(names, lambda environ: lack))
    hidden = [entry for entry in ACTIONS.values() if entry.requires]
    assert hidden
    async with Socket(tmp_path / "ade-home", project, {}) as way:
        answer = await way.request("ade/actions/list", {"limit": 1000})
        assert not {entry.id for entry in hidden} & {item["id"] for item in answer["result"]["items"]}
        for entry in hidden:
            for name in (entry.id, entry.tool):
                answer = await way.request("ade/actions/call", {"name": name, "arguments": {}})
                assert answer["error"]["data"]["code"] == "unknown_action"
    async with Headless(tmp_path / "ade-home", project, {}) as command:
        for entry in hidden:
            for line in (
                ["actions", "run", entry.id],
                ["actions", "describe", entry.tool],
                [*entry.cli, "--dry-run"],
            ):
                answer = await command.run([*line, "--json"])
                assert answer["exit"] in (2, 4), (line, answer)
            told = json.loads((await command.run(["actions", "explain", entry.id, "--json"]))["stdout"])
            assert (told["visible"], told["callable"]) == (False, False)
            assert told["reasons"] == [f"This machine lacks {entry.requires[0]}: there is no screen."]
            assert told["next"] == "Get one."


@pytest.mark.parametrize("domain", sorted({entry.domain for entry in ACTIONS.values()}))
def test_every_action_is_documented(domain: str) -> None:
    page = (REFERENCE / "actions" / f"{domain}.md").read_text()
    for entry in ACTIONS.values():
        if entry.domain == domain:
            assert entry.id in page
            assert entry.tool.replace("_", "\\_") in page or entry.tool in page
            assert " ".join(("ade", *entry.cli)) in page


def test_tool_definitions_are_the_actions(tmp_path: Path) -> None:
    defined: dict[str, Any] = {}
    for file in sorted((ROOT / "ade_generated" / "tools").glob("*.json")):
        document = json.loads(file.read_text())
        defined |= {tool["name"]: tool for tool in document["tools"]}
    assert defined.keys() == {entry.tool for entry in ACTIONS.values()}
