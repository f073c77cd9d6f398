"""Chats with the real Droid over the Agent Client Protocol, a custom model on loopback, and an account that nobody asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.model import Call, Model, Say
from tests.support.model.openai_chat import results
from tests.support.programs import DROID, installed
from tests.support.talk import settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
NOWHERE = "http://127.0.0.1:9"


class Talk:
    def __init__(self, ade: Command, project: Path, model: Model) -> None:
        self.ade, self.project, self.model = ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def hold(self, text: str, *argv: str) -> dict[str, Any]:
        """A chat once its first turn is over."""
        made = self.run("chats", "create", "--provider", "droid", "--lane", "fix", text, *argv)
        return settled(self.run, made["session"])

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.run("lanes", "list")["items"]]


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    program = installed(DROID, "droid").parent
    stack: list[Any] = []

    def make(*answers: Any, key: str = "fk-scripted") -> Talk:
        server = Model(*answers)
        place = command(tmp_path)
        stack.extend((server, place))
        server.__enter__()
        ade = place.__enter__()
        ade.env |= {"PATH": f"{program}:{ade.env['PATH']}"}
        ade.env |= {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1"}
        ade.env |= {"FACTORY_API_KEY": key} if key else {}
        settings = Path(ade.env["HOME"]) / ".factory" / "settings.json"
        settings.parent.mkdir()
        model: dict[str, Any] = {
            "model": "scripted",
            "displayName": "Scripted",
            "baseUrl": f"{server.url}/v1",
            "apiKey": "x",
        }
        model |= {"provider": "generic-chat-completion-api", "maxOutputTokens": 1000}
        settings.write_text(json.dumps({"customModels": [model], "model": "custom:scripted"}))
        project = ade.make_project(tmp_path / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(ade, project, server)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)


def loading(tool: str) -> Call:
    """Droid's models load the tools of a server before they call them."""
    return Call("ToolSearch", {"query": f"select:ade___{tool}"})


def test_its_model_makes_a_lane_with_the_tools_that_are_lent_to_it(talk: Any) -> None:
    place = talk(loading("create_lane"), Call("ade___create_lane", {"name": "by droid"}), Say("Made it."))
    chat = place.hold("Make a lane")
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling"), chat
    assert "by droid" in place.lanes()
    assert "by droid" in results(place.model.requests[-1])[-1]
    assert "You work under ADE" in json.dumps(place.model.requests[0]["messages"])
    place.run("chats", "end", chat["session"])
    assert not [one for one in place.run("mcp", "leases")["items"] if one["state"] == "live"]


def test_what_the_role_may_not_do_is_refused_and_the_model_reads_why(talk: Any) -> None:
    commit = {"lane": "other", "message": "Mine", "allow_empty": True}
    place = talk(loading("commit_changes"), Call("ade___commit_changes", commit), Say("Refused."))
    place.run("lanes", "create", "other")
    place.hold("Commit in the other lane")
    told = results(place.model.requests[-1])[-1]
    assert "policy_denied" in told
    assert "is another one" in told


@pytest.mark.parametrize("mode", ["auto", "plan", "edit", "full-auto"])
def test_it_takes_each_mode(talk: Any, mode: str) -> None:
    place = talk(Say("Hello."))
    chat = place.hold("Say hello", "--permission-mode", mode)
    assert chat["state"] == "idle", chat


def test_without_an_account_it_says_how_to_sign_in(talk: Any) -> None:
    chat = talk(key="").hold("Hello")
    assert chat["state"] == "failed"
    assert "FACTORY_API_KEY" in chat["problem"]
