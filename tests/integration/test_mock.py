"""`ade serve --mock`: every action answers from its examples over every way in, and nothing is done."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from ade_runtime.machine.paths import Paths
from ade_runtime.mock.examples import examples, usual
from ade_runtime.mock.home import mark
from ade_runtime.pipeline.rate_limit import RateLimits
from ade_runtime.pipeline.schemas import output_schema
from ade_runtime.wire import WireError
from tests.support import ways
from tests.support.sample import differences
from tests.support.ways import WAYS, InProcess, Mcp, Outcome, Socket, SocketCommand, Way

ROOT = Path(__file__).parents[2]
NOT_MADE_UP = ("actions", "runtime")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "mock-home"
    mark(Paths.of_home(home), {"ADE_HOME": str(home)})
    return home


def role_for(action: str) -> dict[str, str]:
    return {} if "agent" in TOOLSETS[ACTIONS[action].toolset].roles else {"role": "cto"}


TEXTS = ("x", "sha256:" + "7" * 64, "7" * 64, "7", "a-b")


def typed(case: dict[str, Any]) -> dict[str, Any]:
    """The example with texts that its action takes where its fixtures' ids stand."""
    model = ACTIONS[case["action"]].input_model
    given = dict(case["input"])
    for name in given:
        for text in TEXTS:
            given[name] = json.loads(re.sub(r"\$\{[a-z_A-Z0-9]+\}", text, json.dumps(case["input"][name])))
            try:
                model.from_wire(given)
            except WireError as refusal:
                if any(str(problem.path).partition(".")[0] == name for problem in refusal.problems):
                    continue
            break
    return {**case, "input": given, "argv": None, "as": None, **role_for(case["action"])}


async def test_every_action_answers_as_its_example_does(home: Path, tmp_path: Path) -> None:
    async with InProcess(home, tmp_path, {}) as way:
        for entry in ACTIONS.values():
            if entry.domain in NOT_MADE_UP:
                continue
            for case in examples(entry):
                if "output" not in case:
                    continue
                outcome = await way.perform(typed(case))
                assert outcome.error is None, (entry.id, case["title"], outcome.error)
                jsonschema.Draft202012Validator(output_schema(entry)).validate(outcome.output)
                if "${" not in json.dumps(case):
                    first = next(
                        one for one in examples(entry) if "output" in one and one["input"] == case["input"]
                    )
                    assert differences(first["output"], outcome.output) == [], entry.id


@pytest.mark.parametrize("way_in", [way for way in WAYS if way is not InProcess], ids=lambda way: way.name)
async def test_every_action_answers_over_every_way_in(
    way_in: type[Way], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with way_in(home, tmp_path, {}) as way:
        asked = 0
        for entry in ACTIONS.values():
            if entry.domain in NOT_MADE_UP or "cto" in role_for(entry.id).values():
                continue  # a session with another role cannot be had where sessions are made up
            outcome = await way.perform({**typed(usual(entry)), "role": None})
            if outcome.error is not None and outcome.error["code"] == "unknown_action":
                assert entry.toolset != "base"
                continue
            assert outcome.error is None, (entry.id, outcome.error)
            asked += 1
        assert asked > 100


async def test_errors_are_chosen_by_code_and_answers_by_title(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def admit(self: RateLimits, action: object, identity: object) -> None:
        """A client's own tests are not as many as these."""

    monkeypatch.setattr(RateLimits, "admit", admit)
    async with InProcess(home, tmp_path, {}) as way:
        for entry in ACTIONS.values():
            case = typed(usual(entry))
            for code in {*entry.errors, "timed_out"} if entry.id != "actions.run" else ():
                way.env = {"ADE_MOCK": f"error:{code}"}
                outcome = await way.perform(case)
                assert outcome.error is not None, (entry.id, code)
                assert outcome.error["code"] == code
                assert outcome.error["message"]
            for other in examples(entry) if entry.domain not in NOT_MADE_UP else ():
                way.env = {"ADE_MOCK": f"example:{other['title']}"}
                outcome = await way.perform(case)
                code = (outcome.error or {}).get("code")
                assert code == other.get("error", {}).get("code"), (entry.id, other["title"], outcome.error)


async def test_a_choice_over_the_socket_and_before_a_command(home: Path, tmp_path: Path) -> None:
    async with Socket(home, tmp_path, {}) as way:
        params = {"name": "lane.show", "arguments": {"lane": "x"}, "mock": "error:lane_not_found"}
        answer = await way.request("ade/actions/call", params)
        assert answer["error"]["data"]["code"] == "lane_not_found"
        assert "x" in answer["error"]["message"]
        params["mock"] = "error:no_such_code"
        refused = (await way.request("ade/actions/call", params))["error"]["data"]
        assert refused["code"] == "invalid_arguments"
        assert "lane_not_found" in refused["hint"]
        params["mock"] = "nonsense"
        refused = (await way.request("ade/actions/call", params))["error"]["data"]
        assert "error:CODE" in refused["hint"]
        answer = await way.request("ade/initialize", {})
        assert answer["result"]["capabilities"]["mock"] is True
        line = {
            "argv": ["lanes", "show", "x", "--json"],
            "cwd": "/",
            "env": {"ADE_MOCK": "error:lane_missing"},
        }
        shown = (await way.request("cli/run", {**line, "width": 80}))["result"]
        assert json.loads(shown["stderr"])["error"]["code"] in ("lane_missing", "invalid_arguments")


async def test_a_call_with_the_input_of_an_example_that_fails_fails_so(home: Path, tmp_path: Path) -> None:
    async with SocketCommand(home, tmp_path, {}) as way:
        for argv, code in (
            (["lanes", "show", "nowhere"], "lane_not_found"),
            (["actions", "run", "lane.create", "--arg", "name=--upload-pack=x"], "invalid_branch_name"),
        ):
            answer = await way.run([*argv, "--json"])
            assert json.loads(answer["stderr"])["error"]["code"] == code
        assert (await way.run(["lanes", "show", "somewhere", "--json"]))["exit"] == 0


async def test_a_list_has_as_many_elements_as_it_says(home: Path, tmp_path: Path) -> None:
    async with InProcess(home, tmp_path, {}) as way:
        for entry in ACTIONS.values():
            properties = output_schema(entry)["properties"]
            if entry.domain in NOT_MADE_UP or not {"items", "total"} <= properties.keys():
                continue
            answer = (await way.perform(typed(usual(entry)))).output
            assert answer["total"] in (None, len(answer["items"])) or answer.get("next"), entry.id


async def test_answers_repeat_what_was_asked(home: Path, tmp_path: Path) -> None:
    async with InProcess(home, tmp_path, {}) as way:
        assert (await way.call("lane.create", {"name": "my-own"}))["name"] == "my-own"


async def test_what_comes_before_a_handler_is_real(home: Path, tmp_path: Path) -> None:
    async with Socket(home, tmp_path, {}) as way:
        for entry in ACTIONS.values():
            params = {"name": entry.id, "arguments": {"no_such_field": 1}}
            error = (await way.request("ade/actions/call", params))["error"]["data"]
            assert error["code"] in ("invalid_arguments", "unknown_action"), (entry.id, error)
    async with SocketCommand(home, tmp_path, {}) as command:
        denied = await command.run(["lanes", "create", "x", "--role", "external", "--json"])
        assert denied["exit"] == 3
        hidden = await command.run(["actions", "explain", "cto.state", "--role", "agent", "--json"])
        assert hidden["exit"] in (0, 4)


async def test_nothing_is_touched(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "place"
    target.mkdir()
    async with InProcess(home, target, {}) as way:
        for action, arguments in (
            ("project.add", {"path": str(target)}),
            ("lane.create", {"name": "x"}),
            ("file.write", usual(ACTIONS["file.write"])["input"]),
        ):
            await way.call(action, arguments)
    assert list(target.iterdir()) == []


async def test_a_real_runtime_refuses_to_make_up_an_answer(tmp_path: Path) -> None:
    async with Socket(tmp_path / "home", tmp_path, {}) as way:
        params = {"name": "lane.list", "arguments": {}, "mock": "error:lane_not_found"}
        error = (await way.request("ade/actions/call", params))["error"]["data"]
        assert error["code"] == "invalid_arguments"
        assert "ade serve --mock" in error["hint"]
        assert (await way.request("ade/initialize", {}))["result"]["capabilities"]["mock"] is False


async def test_mcp_shows_made_up_answers_and_chosen_errors(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        ways, "CALLER_NAMES", frozenset(["ADE_MOCK"])
    )  # a client sends all that begins with ADE_
    async with Mcp(home, tmp_path, {"ADE_MOCK": "error:lane_name_taken"}) as way:
        outcome: Outcome = await way.perform(
            {"tool": "create_lane", "input": {"name": "x"}, "action": "lane.create"}
        )
        assert (outcome.error or {})["code"] == "lane_name_taken"


def ade(home: Path | None, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": str(more.pop("user")), **more}
    env |= {} if home is None else {"ADE_HOME": str(home)}
    argv = [sys.executable, str(ROOT / "scripts" / "ade"), *words]
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, cwd="/")


def test_the_command_starts_answers_and_stops(tmp_path: Path) -> None:
    user = str(tmp_path)
    home = tmp_path / "m"
    assert ade(None, "serve", "--mock", user=user).returncode == 2
    started = ade(home, "serve", "--mock", "--json", user=user)
    assert started.returncode == 0, started.stderr
    try:
        made = ade(home, "lanes", "create", "mine", "--json", user=user)
        assert json.loads(made.stdout)["name"] == "mine", made.stderr
        again = ade(home, "lanes", "create", "mine", "--json", user=user, ADE_MOCK="error:lane_name_taken")
        assert again.returncode == 5
        alone = ade(home, "lanes", "create", "alone", "--headless", "--json", user=user)
        assert json.loads(alone.stdout)["name"] == "alone", alone.stderr
    finally:
        assert ade(home, "runtime", "stop", user=user).returncode == 0
    assert not (tmp_path / ".ade").exists()


def test_a_home_that_was_used_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "h"
    assert ade(home, "projects", "list", "--headless", user=str(tmp_path)).returncode == 0
    refused = ade(home, "serve", "--mock", "--json", user=str(tmp_path))
    assert refused.returncode == 2
    assert "has been used" in refused.stderr
    assert not (home / "mock").exists()
