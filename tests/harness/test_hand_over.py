"""A chat that the real Claude Code begins, Codex goes on with, and Claude Code ends, with one scripted model for both."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.codex import DIRECT, codex_environment
from tests.support.command import Command, command
from tests.support.model import Call, Model, Say
from tests.support.programs import CACHE, CODEX, installed
from tests.support.talk import settled

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")


@pytest.fixture
def base() -> Iterator[Path]:
    """Not below the temporary folder: Codex does not start from there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="h", dir=CACHE)).resolve()
    yield folder
    shutil.rmtree(folder)


def prepare(ade: Command, base: Path, model: Model) -> Path:
    """A project with lane fix, and a runtime both of whose programs speak to the model."""
    program = installed(CODEX, "codex").parent
    ade.env |= codex_environment(base / "codex", model.url, DIRECT, ade.env["PATH"], program)
    ade.env |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "test", "DISABLE_TELEMETRY": "1"}
    ade.env |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "TMPDIR": str(base / "tmp")}
    (base / "tmp").mkdir()
    project = ade.make_project(base / "project")
    ade.json("lanes", "create", "fix", cwd=project)
    return project


def test_each_program_reads_what_was_said_before_and_keeps_the_tools(base: Path) -> None:
    script = (
        Say("Claude was here."),
        Call("create_lane", {"name": "by codex"}),
        Say("Codex made it."),
        Call("create_lane", {"name": "by claude"}),
        Say("Claude again."),
    )
    with Model(*script) as model, command(base) as ade:
        project = prepare(ade, base, model)

        def run(*argv: str) -> Any:
            return ade.json(*argv, cwd=project)

        def turn(text: str) -> dict[str, Any]:
            run("chats", "send", session, text)
            found = settled(run, session)
            assert found["state"] == "idle", found
            return found

        made = run("chats", "create", "--lane", "fix", "--provider", "claude", "Remember the word heron")
        session = made["session"]
        assert settled(run, session)["state"] == "idle"
        run("chats", "hand-over", session, "--provider", "codex")
        chat = turn("Make a lane")
        assert (chat["provider"], chat["capability_mode"]) == ("codex", "full_tooling")
        told = json.dumps(next(body for body in reversed(model.requests) if "input" in body)["input"])
        assert "heron" in told
        assert "Claude was here." in told
        run("chats", "hand-over", session, "--provider", "claude")
        chat = turn("And another one")
        assert (chat["provider"], chat["capability_mode"]) == ("claude", "full_tooling")
        told = json.dumps(model.requests[-1]["messages"])
        assert "Codex made it." in told
        assert [lane["name"] for lane in run("lanes", "list")["items"]] == [
            "primary",
            "fix",
            "by codex",
            "by claude",
        ]
        said = [entry["text"] for entry in run("chats", "transcript", session)["items"]]
        for text in ("Claude was here.", "Codex made it.", "Claude again."):
            assert said.count(text) == 1
