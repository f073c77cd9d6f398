"""Agents in terminals: a stand-in for the program records what it was started with, and asks who it is."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.terminals.conftest import Shop
from tests.support.command import ADE, Command
from tests.support.holders import marks

TASK = "Find the word MARIGOLD in the fields."
PROGRAM = """\
#!{python}
import json, os, subprocess, sys
if sys.argv[1:] == ["--version"]:
    print("9.9.9 (Claude Code)")
    sys.exit()
given = [word.partition("=")[2] for word in sys.argv if word.startswith("--append-system-prompt-file=")]
brief = given[0] if given else sys.argv[-1].removeprefix("Read the whole of ").partition(" first:")[0]
told = {{"argv": sys.argv, "env": dict(os.environ), "tty": os.isatty(0), "cwd": os.getcwd(), "brief": open(brief).read()}}
who = subprocess.run([{ade!r}, "auth", "status", "--json"], capture_output=True, text=True)
told["who"] = json.loads(who.stdout)
with open({notes!r}, "a") as notes:
    notes.write(json.dumps(told) + "\\n")
print("READY", flush=True)
for line in sys.stdin:
    sys.exit(int(line))
"""


class Stand:
    """Programs ``codex`` and ``claude`` that note down how they are started."""

    def __init__(self, shop: Shop, folder: Path) -> None:
        self.shop, self.notes = shop, folder / "notes"
        folder.mkdir()
        for name in ("codex", "claude"):
            path = folder / name
            path.write_text(PROGRAM.format(python=sys.executable, ade=str(ADE), notes=str(self.notes)))
            path.chmod(0o755)
        shop.ade.env["PATH"] = f"{folder}:{shop.ade.env['PATH']}"

    def spawn(self, *argv: str, lane: str = "one", **options: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.shop.ade.json(
            "agents", "spawn", TASK, "-l", lane, *argv, cwd=self.shop.project, **options
        )
        return found

    def told(self, agent: dict[str, Any]) -> dict[str, Any]:
        """What the program of an agent noted, once it is up."""
        self.shop.read_until(agent["id"], "READY")
        rows = [json.loads(line) for line in self.notes.read_text().splitlines()]
        return next(row for row in rows if agent["id"] in " ".join(row["argv"]))

    def end(self, agent: dict[str, Any], code: int) -> None:
        """Let the program end by itself."""
        self.shop.ade.json("terminals", "write", agent["id"], str(code), "--key", "enter")


@pytest.fixture
def stand(shop: Shop, tmp_path: Path) -> Stand:
    return Stand(shop, tmp_path / "programs")


def who_is(ade: Command, token: str) -> subprocess.CompletedProcess[str]:
    return ade.run("auth", "status", "--json", env={"ADE_SESSION_TOKEN": token})


def test_the_token_is_in_the_environment_and_the_task_in_a_private_file(stand: Stand) -> None:
    agent = stand.spawn("-p", "codex", "-m", "gpt-6.2-sol", "--permission-mode", "plan")
    told = stand.told(agent)
    token, line = told["env"]["ADE_SESSION_TOKEN"], " ".join(told["argv"])
    assert told["argv"][1:6] == [
        "--no-daemon",
        "--sandbox=read-only",
        "--ask-for-approval=never",
        "--model=gpt-6.2-sol",
        "--",
    ]
    assert token not in line and "MARIGOLD" not in line
    assert TASK in told["brief"] and agent["lane_id"] in told["brief"]
    assert "Change nothing outside of it" in told["brief"] and "ade doctor" in told["brief"]
    brief = stand.shop.ade.home / "holders" / agent["id"] / "brief" / "brief.md"
    assert oct(brief.stat().st_mode & 0o777) == "0o600" and str(brief) in line
    for path in (stand.shop.ade.home / "holders").rglob("*"):
        assert not path.is_file() or token.encode() not in path.read_bytes()
    assert (told["cwd"], told["tty"]) == (str(stand.shop.folder), True)
    assert told["env"]["ADE_LANE_ID"] == agent["lane_id"] and "ADE_AGENT_SKILLS_DIRS" in told["env"]


def test_from_inside_it_is_the_session_that_was_made_for_it(stand: Stand) -> None:
    agent = stand.spawn()
    told = stand.told(agent)
    assert (told["who"]["session"], told["who"]["role"]) == (agent["session"], "agent")
    session = stand.shop.ade.json("sessions", "show", agent["session"])
    assert (session["kind"], session["capability_mode"]) == ("terminal", "fallback")
    assert (session["provider"], session["lane"], session["state"]) == ("claude", agent["lane_id"], "live")


def test_a_lost_reply_is_answered_with_the_same_agent_and_another_brief_is_refused(stand: Stand) -> None:
    argv = ("-p", "codex", "--request-id", "spawn-1")
    stand.shop.ade.run("agents", "spawn", TASK, "-l", "one", *argv, cwd=stand.shop.project)
    first, again = stand.spawn(*argv), stand.spawn(*argv)
    assert first["id"] == again["id"]
    assert len(marks(stand.shop.ade.home)) == 1
    assert [one["id"] for one in stand.shop.ade.json("agents", "list", cwd=stand.shop.project)["items"]] == [
        first["id"]
    ]
    other = ["agents", "spawn", "Something else.", "-l", "one", *argv]
    refused = stand.shop.ade.error(*other, exit_code=5, cwd=stand.shop.project)
    assert refused["code"] == "request_id_conflict" and "new request id" in refused["hint"]


def test_a_runtime_killed_before_it_answers_leaves_one_agent(stand: Stand) -> None:
    argv = ("-p", "codex", "--request-id", "spawn-2")
    first = stand.spawn(*argv)
    stand.told(first)
    stand.shop.ade.kill()
    with sqlite3.connect(
        stand.shop.ade.paths.database
    ) as database:  # as it was before the answer was written
        claim = json.dumps({"terminal": first["id"], "session": first["session"]})
        changed = database.execute(
            "UPDATE receipts SET output = NULL, claim = ? WHERE request_id = 'spawn-2'", [claim]
        )
        assert changed.rowcount == 1
    assert stand.spawn(*argv)["id"] == first["id"]
    assert len(marks(stand.shop.ade.home)) == 1


def test_stop_ends_all_that_it_started_and_its_token(stand: Stand) -> None:
    agent = stand.spawn()
    token = stand.told(agent)["env"]["ADE_SESSION_TOKEN"]
    assert json.loads(who_is(stand.shop.ade, token).stdout)["session"] == agent["session"]
    ended = stand.shop.ade.json("agents", "stop", agent["session"], "--grace", "0.1")
    assert (ended["state"], ended["leftovers"], ended["pid"]) == ("ended", False, None)
    with pytest.raises(ProcessLookupError):
        os.kill(agent["pid"], 0)
    assert who_is(stand.shop.ade, token).returncode != 0
    session = stand.shop.ade.json("sessions", "show", agent["session"])
    assert (session["state"], session["end_reason"]) == ("ended", "stopped")


@pytest.mark.parametrize("killed", [False, True], ids=["watched", "unwatched"])
def test_a_session_ends_with_its_program(stand: Stand, killed: bool) -> None:
    agent = stand.spawn()
    stand.told(agent)
    stand.end(agent, 3)
    if killed:
        stand.shop.ade.kill()
    for _ in range(200):  # nobody looks at the agent itself
        session = stand.shop.ade.json("sessions", "show", agent["session"])
        if session["state"] == "ended":
            break
    assert (session["state"], session["end_reason"]) == ("ended", "its program ended")
    shown = stand.shop.ade.json("agents", "show", agent["id"])
    assert (shown["state"], shown["exit_code"], shown["signal"]) == ("ended", 3, None)


def test_claude_gets_its_brief_in_its_system_prompt_and_its_tools_by_name(stand: Stand) -> None:
    (stand.shop.folder / "notes.md").write_text("Fields are yellow.\n")
    agent = stand.spawn(
        "--allowed-tools", "Edit", "--allowed-tools", "Bash(git status)", "--context-file", "notes.md"
    )
    told = stand.told(agent)
    brief = stand.shop.ade.home / "holders" / agent["id"] / "brief"
    assert told["argv"][1:5] == [
        "--permission-mode=default",
        f"--append-system-prompt-file={brief / 'brief.md'}",
        "--allowedTools=Edit,Bash(git status)",
        "--",
    ]
    assert str(stand.shop.folder / "notes.md") in told["brief"] and "yellow" not in told["brief"]


def test_a_session_spawns_in_its_own_lane_only_and_its_agents_are_below_it(stand: Stand) -> None:
    stand.shop.ade.json("lanes", "create", "two", cwd=stand.shop.project)
    made = stand.shop.ade.json("sessions", "start", "-l", "one", cwd=stand.shop.project)
    env = {"ADE_SESSION_TOKEN": made["token"]}
    denied = ["agents", "spawn", TASK, "-l", "two"]
    assert (
        stand.shop.ade.error(*denied, exit_code=3, env=env, cwd=stand.shop.project)["code"] == "policy_denied"
    )
    agent = stand.spawn(env=env)
    assert stand.shop.ade.json("sessions", "show", agent["session"])["parent"] == made["session"]["id"]
    owned = stand.spawn()
    stop = ["agents", "stop", owned["id"]]
    assert stand.shop.ade.error(*stop, exit_code=3, env=env)["code"] == "policy_denied"
    assert stand.shop.ade.json("agents", "stop", agent["id"], "--grace", "0", env=env)["state"] == "ended"


def test_a_missing_program_is_told_with_the_way_to_get_it(shop: Shop) -> None:
    shop.ade.env["PATH"] = "/usr/bin:/bin"
    argv = ["agents", "spawn", TASK, "-l", "one", "-p", "codex"]
    problem = shop.ade.error(*argv, exit_code=7, cwd=shop.project)
    assert problem["code"] == "agent_program_missing"
    assert "npm install -g @openai/codex" in problem["hint"] and "ade chats capabilities" in problem["hint"]
    live = [
        one for one in shop.ade.json("sessions", "list", cwd=shop.project)["items"] if one["state"] == "live"
    ]
    assert live == [] and marks(shop.ade.home) == []
