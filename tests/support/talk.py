"""A chat with a real program and a scripted model on loopback, whichever of the programs it is."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.codex import DIRECT, codex_environment
from tests.support.codex_wire import Wire
from tests.support.command import Command, command
from tests.support.model import Call, Cast, Model, anthropic, openai_chat, openai_responses
from tests.support.opencode import opencode_environment
from tests.support.programs import CACHE, OPENCODE, installed

PATIENCE = "55"
START_SECONDS = 200.0
"""What a program may take until its model is asked: a machine that runs all of these tests takes a minute to start one."""

Offered = dict[str, tuple[str, dict[str, Any]]]
"""Description and input schema of the tools of ADE that a model was offered, by the name of the tool."""


def of_claude(body: dict[str, Any]) -> Offered:
    return {
        tool["name"].removeprefix("mcp__ade__"): (tool["description"], tool["input_schema"])
        for tool in body["tools"]
        if tool["name"].startswith("mcp__ade__") and not tool.get("defer_loading")
    }


def of_codex(body: dict[str, Any]) -> Offered:
    spaces = [tool for tool in body["tools"] if tool.get("type") == "namespace" and tool["name"] == "ade"]
    return {
        tool["name"]: (tool["description"], tool["parameters"])
        for space in spaces
        for tool in space["tools"]
        if not tool.get("defer_loading")
    }


def of_opencode(body: dict[str, Any]) -> Offered:
    functions = [tool["function"] for tool in body["tools"]]
    return {
        one["name"].removeprefix("ade_"): (one["description"], one["parameters"])
        for one in functions
        if one["name"].startswith("ade_")
    }


@dataclass(frozen=True)
class Program:
    """How a request of one is read, and what its own shell tool is called and takes."""

    offered: Callable[[dict[str, Any]], Offered]
    results: Callable[[dict[str, Any]], list[str]]
    shell: str
    command: str
    more: dict[str, Any]


PROGRAMS = {
    "claude": Program(of_claude, anthropic.results, "Bash", "command", {"description": "Look"}),
    "codex": Program(of_codex, openai_responses.results, "exec_command", "cmd", {"yield_time_ms": 30000}),
    "opencode": Program(of_opencode, openai_chat.results, "bash", "command", {"description": "Look"}),
}


def shell(provider: str, line: str) -> Call:
    """A call of the program's own shell."""
    program = PROGRAMS[provider]
    return Call(program.shell, {program.command: line, **program.more})


def settled(run: Callable[..., Any], session: str) -> dict[str, Any]:
    """The chat once no turn runs and none is about to; a busy machine takes minutes to start a program."""
    for _ in range(4):
        found: dict[str, Any] = run("chats", "wait", session, "--seconds", PATIENCE)
        if found["state"] != "running" and not (found["state"] == "idle" and found["queued"]):
            break
    return found


class Talk:
    """A project with lane fix, and a runtime whose ``provider`` speaks to ``model``."""

    def __init__(self, provider: str, ade: Command, project: Path, model: Model) -> None:
        self.provider, self.ade, self.project, self.model = provider, ade, project, model

    def run(self, *argv: str) -> Any:
        return self.ade.json(*argv, cwd=self.project)

    def begin(self, text: str, *argv: str, lane: str = "fix") -> str:
        made = self.run("chats", "create", "--provider", self.provider, "--lane", lane, text, *argv)
        session: str = made["session"]
        return session

    def wait(self, session: str) -> dict[str, Any]:
        return settled(self.run, session)

    def said(self, session: str) -> list[str]:
        return [entry["text"] for entry in self.entries(session, "assistant")]

    def entries(self, session: str, kind: str) -> list[dict[str, Any]]:
        found = self.run("chats", "transcript", session)["items"]
        return [entry for entry in found if entry["kind"] == kind]

    def asked(self, words: str = "") -> list[dict[str, Any]]:
        """Requests to the model that hold ``words``."""
        return [body for body in self.model.requests if words in json.dumps(body)]

    def told(self, words: str = "") -> list[str]:
        """What the model was given back by its tools, in the chat that ``words`` were said in."""
        return PROGRAMS[self.provider].results(self.asked(words)[-1])


def environment(provider: str, base: Path, url: str, path: str, **settings: Any) -> dict[str, str]:
    """What a runtime is started with, so that the program speaks to the model at ``url``; ``settings`` are OpenCode's."""
    if provider == "codex":
        return codex_environment(base / "codex", url, DIRECT, path, Wire(base / "wire").bin)
    if provider == "opencode":
        program = installed(OPENCODE, "opencode").parent
        return opencode_environment(base / "opencode", url, path, program, **settings)
    pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}
    return quiet | {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "test"}


@pytest.fixture(params=PROGRAMS)
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    """Codex is not held below the temporary folder: its sandbox lets that be written, and does not start from there."""
    base = tmp_path
    if request.param == "codex":
        CACHE.mkdir(parents=True, exist_ok=True)
        base = Path(tempfile.mkdtemp(prefix="s", dir=CACHE)).resolve()
    stack: list[Any] = []

    def make(*answers: Any, cast: Cast | None = None, **settings: Any) -> Talk:
        model, place = Model(*answers, cast=cast), command(base)
        stack.append(model)
        model.__enter__()
        stack.append(place)
        ade = place.__enter__()
        ade.env |= environment(request.param, base, model.url, ade.env["PATH"], **settings)
        ade.env["TMPDIR"] = str(base / "tmp")
        (base / "tmp").mkdir()
        project = ade.make_project(base / "project")
        ade.json("lanes", "create", "fix", cwd=project)
        return Talk(request.param, ade, project, model)

    make.provider = request.param  # type: ignore[attr-defined]
    yield make
    for one in reversed(stack):
        one.__exit__(None, None, None)
    if base != tmp_path:
        shutil.rmtree(base)
