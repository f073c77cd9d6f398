"""Chats with the real Codex and a scripted model on loopback, in both ways that Codex shows tools to a model."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.codex import DIRECT, codex_environment
from tests.support.command import Command, command
from tests.support.model import Call, Model, Say
from tests.support.model.openai_responses import tools
from tests.support.programs import CACHE

pytestmark = [pytest.mark.harness, pytest.mark.timeout(300)]

PATIENCE = "55"


class Talk:
    """A project with lane fix, and a runtime whose Codex speaks to ``model``."""

    def __init__(self, ade: Command, project: Path, model: Model) -> None:
        self.ade, self.project, self.model = ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str, *argv: str) -> str:
        made = self.run("chats", "create", "--provider", "codex", "--lane", "fix", text, *argv)
        session: str = made["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        found: dict[str, Any] = self.run("chats", "wait", session, "--seconds", PATIENCE)
        return found

    def entries(self, session: str, *kinds: str) -> list[str]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry["text"] for entry in found if entry["kind"] in kinds]

    def lanes(self) -> list[str]:
        return [lane["name"] for lane in self.run("lanes", "list")["items"]]

    @property
    def lane(self) -> Path:
        return Path(self.run("lanes", "show", "fix")["path"])


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """Not below the temporary folder: Codex's sandbox lets that be written."""
    CACHE.mkdir(parents=True, exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="c", dir=CACHE)).resolve()
    stack: list[Any] = []

    def make(*answers: Any, model: str = DIRECT) -> Talk:
        server = Model(*answers)
        stack.append(server)
        server.__enter__()
        place = command(base)
        stack.append(place)
        ade = place.__enter__()
        ade.env |= codex_environment(base / "codex", server.url, model, ade.env["PATH"])
        project = base / "project"
        project.mkdir()
        for argv in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
            subprocess.run(["git", *argv], cwd=project, env=ade.env, check=True)
        ade.json("project", "add", str(project))
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(ade, project, server)

    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)
    shutil.rmtree(base)


def test_the_model_is_given_the_tools_of_its_role_and_a_lane_exists_afterwards(talk: Any) -> None:
    place = talk(Call("create_lane", {"name": "from the model"}), Say("Made it."))
    session = place.begin("Make a lane")
    chat = place.wait(session)
    assert (chat["state"], chat["turn"], chat["capability_mode"]) == ("idle", 1, "full_tooling"), chat
    assert place.entries(session, "user", "assistant") == ["Make a lane", "Made it."]
    assert "from the model" in place.lanes()
    listed = place.run("chats", "tools", "--session", session)["items"]
    first = sorted(f"ade.{tool['name']}" for tool in listed if tool["always"])
    assert sorted(name for name in tools(place.model.requests[0]) if name.startswith("ade")) == first
    prompt = json.dumps(place.model.requests[0]["input"])
    assert "You work under ADE" in prompt
    assert "lane fix" in prompt
