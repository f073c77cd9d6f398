"""Chats with further real programs over the Agent Client Protocol, each of them one row of specs/providers.yaml, and a scripted
model on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, command
from tests.support.model import Call, Model, Say, anthropic, openai_chat
from tests.support.programs import CLAUDE_ACP, COPILOT, installed
from tests.support.talk import settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
NOWHERE = "http://127.0.0.1:9"
PACKAGES = {"copilot": (COPILOT, "copilot"), "claude_acp": (CLAUDE_ACP, "claude-agent-acp")}
CALLED = {"copilot": "ade-{}", "claude_acp": "mcp__ade__{}"}
READ = {"copilot": openai_chat.results, "claude_acp": anthropic.results}


def settings(provider: str, url: str) -> dict[str, str]:
    """What makes a program speak to the scripted model, and to nobody else."""
    offline = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1"}
    if provider == "copilot":
        return {"COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_MODEL": "fake", "COPILOT_OFFLINE": "true"}
    return offline | {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "test",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
    }


class Talk:
    def __init__(self, provider: str, ade: Command, project: Path, model: Model) -> None:
        self.provider, self.ade, self.project, self.model = provider, ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def hold(self, text: str, *argv: str) -> dict[str, Any]:
        """A chat once its first turn is over."""
        made = self.run("chats", "create", "--provider", self.provider, "--lane", "fix", text, *argv)
        return settled(self.run, made["session"])

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.run("lanes", "list")["items"]]

    def told(self) -> str:
        """What the model was last given back by a tool."""
        return str(READ[self.provider](self.model.requests[-1])[-1])


@pytest.fixture(params=PACKAGES)
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    provider = request.param
    program = installed(*PACKAGES[provider]).parent
    stack: list[Any] = []

    def make(*answers: Any) -> Talk:
        server = Model(*answers)
        place = command(tmp_path)
        stack.extend((server, place))
        server.__enter__()
        ade = place.__enter__()
        ade.env |= {"PATH": f"{program}:{ade.env['PATH']}"} | settings(provider, server.url)
        project = ade.make_project(tmp_path / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(provider, ade, project, server)

    make.tool = CALLED[provider].format  # type: ignore[attr-defined]
    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)


def test_its_model_makes_a_lane_unasked_with_the_tools_that_are_lent_to_it(talk: Any) -> None:
    place = talk(Call(talk.tool("create_lane"), {"name": "by its model"}), Say("Made it."))
    chat = place.hold("Make a lane")
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling"), chat[
        "problem"
    ]
    assert "by its model" in place.lanes()
    assert "by its model" in place.told()
    assert "You work under ADE" in json.dumps(place.model.requests)
    place.run("chats", "end", chat["session"])
    assert not [one for one in place.run("mcp", "leases")["items"] if one["state"] == "live"]


def test_what_the_role_may_not_do_is_refused_and_the_model_reads_why(talk: Any) -> None:
    commit = {"lane": "other", "message": "Mine", "allow_empty": True}
    place = talk(Call(talk.tool("commit_changes"), commit), Say("Refused."))
    place.run("lanes", "create", "other")
    chat = place.hold("Commit in the other lane")
    assert chat["state"] == "idle", chat["problem"]
    assert "policy_denied" in place.told() and "is another one" in place.told()


@pytest.mark.parametrize("mode", ["plan", "edit", "full-auto"])
def test_it_takes_each_mode(talk: Any, mode: str) -> None:
    chat = talk(Say("Hello.")).hold("Say hello", "--permission-mode", mode)
    assert chat["state"] == "idle", chat["problem"]
