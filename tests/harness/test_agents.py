"""An agent in a terminal: the real Codex and Claude Code, started by ``ade agents spawn``, and a scripted model on loopback."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.terminals.conftest import Shop
from tests.support.codex import DIRECT, codex_environment
from tests.support.command import ADE, command
from tests.support.model import Call, Hold, Model
from tests.support.model.anthropic import results as told_by_tools
from tests.support.model.openai_responses import results
from tests.support.programs import CACHE, CODEX, installed
from tests.support.repo import Repo
from tests.support.sample import IDENTITY
from tests.support.talk import environment

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]

TASK = "Find the word MARIGOLD in the fields."


def reading(body: dict[str, Any]) -> dict[str, Any]:
    """Read the brief that the command line names, and ask who one is."""
    found = re.search(r"Read the whole of (\S+) first:", json.dumps(body["input"]))
    assert found is not None
    return {"cmd": f"cat {found[1]}; {ADE} auth status --json", "yield_time_ms": 30000}


@pytest.fixture
def base() -> Iterator[Path]:
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="t", dir=CACHE)).resolve()
    yield folder
    shutil.rmtree(folder)


def test_codex_reads_its_brief_and_is_the_session_made_for_it(base: Path) -> None:
    codex, end = installed(CODEX, "codex"), Hold()
    with Model(Call("exec_command", reading), end) as model, command(base) as ade:
        repo = Repo(base, env=ade.env | IDENTITY)
        repo.commit("One", **{"a.txt": "a\n"})
        ade.env |= codex_environment(base / "codex", model.url, DIRECT, ade.env["PATH"], codex.parent)
        ade.json("project", "add", str(repo.root))
        lane = ade.json("lanes", "create", "one", cwd=repo.root)
        with (base / "codex" / "config.toml").open("a") as config:
            for folder in (repo.root, lane["path"]):
                config.write(f'[projects."{folder}"]\ntrust_level = "trusted"\n')
        argv = ("agents", "spawn", TASK, "-l", "one", "-p", "codex", "--permission-mode", "full-auto")
        agent = ade.json(*argv, cwd=repo.root)
        assert end.reached.wait(120), Shop(ade, repo.root, lane["id"], Path(lane["path"])).read(agent["id"])
        shown = results(model.requests[-1])[0]
        assert TASK in shown and agent["session"] in shown and "Change nothing outside of it" in shown
        assert TASK not in " ".join(ade.json("terminals", "read", agent["id"])["terminal"]["command"])
        assert ade.json("agents", "stop", agent["id"], "--grace", "1")["state"] == "ended"
        end.go()
        assert ade.json("sessions", "show", agent["session"])["state"] == "ended"


def settle_in(home: Path, folder: str, key: str) -> None:
    """What Claude Code asks a person once at its first start, answered; a shell may be used."""
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [key[-20:]]},
    }
    known["projects"] = {folder: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}}
    (home / ".claude.json").write_text(json.dumps(known))
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"allow": ["Bash"]}}))


def test_claude_code_reads_its_brief_and_is_the_session_made_for_it(tmp_path: Path) -> None:
    sdk = pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
    end = Hold()
    with (
        Model(Call("Bash", {"command": f"{ADE} auth status --json"}), end) as model,
        command(tmp_path) as ade,
    ):
        repo = Repo(tmp_path, env=ade.env | IDENTITY)
        repo.commit("One", **{"a.txt": "a\n"})
        programs = tmp_path / "programs"
        programs.mkdir()
        (programs / "claude").symlink_to(Path(sdk.__file__).parent / "_bundled" / "claude")
        ade.env |= environment("claude", tmp_path, model.url, ade.env["PATH"])
        ade.env["PATH"] = f"{programs}:{ade.env['PATH']}"
        ade.json("project", "add", str(repo.root))
        lane = ade.json("lanes", "create", "one", cwd=repo.root)
        settle_in(Path(ade.env["HOME"]), lane["path"], ade.env["ANTHROPIC_API_KEY"])
        agent = ade.json("agents", "spawn", TASK, "-l", "one", "-p", "claude", cwd=repo.root)
        assert end.reached.wait(60), Shop(ade, repo.root, lane["id"], Path(lane["path"])).read(agent["id"])
        assert agent["session"] in told_by_tools(model.requests[-1])[0]
        brief = json.dumps(model.requests[0]["system"])
        assert TASK in brief and "Change nothing outside of it" in brief
        assert TASK not in " ".join(ade.json("terminals", "read", agent["id"])["terminal"]["command"])
        assert ade.json("agents", "stop", agent["id"], "--grace", "1")["state"] == "ended"
        end.go()
        assert ade.json("sessions", "show", agent["session"])["state"] == "ended"
