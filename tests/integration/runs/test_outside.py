"""What agents of a run change outside of their lanes, by real shells: found, told, and left as it is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.runs.staff import BRIEF
from tests.integration.runs.test_at_work import Run
from tests.support import acp_program
from tests.support.command import command

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with command(tmp_path) as ade:
        folder = acp_program.install(tmp_path / "programs", "shells", "gemini")
        ade.env["PATH"] = f"{folder}:{ade.env['PATH']}"
        made = Run(ade, ade.make_project(tmp_path / "project"))
        git(made.project, "branch", "old")
        made.approve()
        yield made


def git(folder: Path, *argv: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *argv], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def works(run: Run, *lines: str, **more: Any) -> dict[str, Any]:
    """An agent whose shell has run these lines in its first turn, which is over."""
    agent = run.spawn(brief=BRIEF + "".join(f"$ {line}\n" for line in lines), **more)
    run.until(lambda: ended(run, agent["session"]))
    return agent


def ended(run: Run, session: str, turns: int = 1) -> bool:
    found = run.act("get_agent_transcript", session=session)["items"]
    return sum(one["kind"] == "ended" for one in found) >= turns


def outside(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run.act("outside")["items"]
    return found


def test_what_an_agents_shell_changes_elsewhere_is_found_told_and_left(run: Run) -> None:
    main = run.project
    lines = (
        "echo mine > mine.txt && git add mine.txt && git commit -qm Mine",
        f"echo more > {main}/stray.txt",
        f"git -C {main} branch -f old HEAD && git -C {main} config core.abbrev 9",
    )
    agent = works(run, *lines)
    found = {one["kind"]: one for one in outside(run)}
    assert set(found) == {"files", "settings"}, "git moved old to where it was, and its own commit is its own"
    assert (found["files"]["lane"], found["files"]["paths"], found["files"]["sole"]) == (
        "primary",
        ["stray.txt"],
        True,
    )
    assert (main / "stray.txt").read_text() == "more\n", "nothing is put back"
    assert {one["session"] for one in found.values()} == {agent["session"]}

    shown = run.act("show")
    assert shown["outside"] == 2
    watched = run.ade.run("runs", "watch", run.id, "--text", cwd=main).stdout
    assert "Changed outside of lanes (2)" in watched and "stray.txt" in watched
    drawn = run.act("timeline")["drawing"]
    assert "Outside of lanes:" in drawn and "stray.txt" in drawn
    told = [one for one in run.act("messages")["items"] if one["target"] == shown["lead"]]
    assert sum("stray.txt" in one["text"] for one in told) == 1
    decided = run.act("section", section="decisions")["items"]
    assert sum("stray.txt" in one["text"] for one in decided) == 1
    kinds = [one["kind"] for one in run.act("history")["items"]]
    assert kinds.count("outside_lane") == 1
    events = run.ask("events", "poll", "--category", "run", "--limit", "1000")["items"]
    assert sum(one["type"] == "run.outside" for one in events) == 2


def test_commits_branches_and_folders_of_others_are_found_once(run: Run) -> None:
    main = run.project
    other = run.ask("lanes", "create", "other")
    lines = (
        f"cd {main} && echo x > x.txt && git add x.txt && git commit -qm X",
        f"git -C {main} branch -D old",
        f"rm -rf {other['path']}",
    )
    agent = works(run, *lines)
    found = {one["kind"]: one for one in outside(run)}
    assert set(found) == {"commit", "ref", "folder"}
    assert (found["commit"]["ref"], found["commit"]["after"]) == ("main", git(main, "rev-parse", "main"))
    assert (found["ref"]["ref"], found["ref"]["after"]) == ("old", None)
    assert found["folder"]["lane"] == "other"
    run.act("message_agent", to=agent["session"], text="$ true")
    run.until(lambda: ended(run, agent["session"], turns=2))
    assert len(outside(run)) == 3, "what was told is told once"


def test_what_another_session_or_a_call_of_ade_may_have_done_is_laid_at_nobodys_door(run: Run) -> None:
    """Two agents at once: each waits in its turn until the other has begun, then one writes into the primary checkout."""
    main, meet = run.project, run.ade.base
    begin = "touch {0}/{1} && while ! test -e {0}/{2}; do sleep 0.05; done"
    one = run.spawn(
        name="Store",
        brief=f"{BRIEF}$ {begin.format(meet, 'a', 'b')}\n$ echo x > {main}/stray.txt\n$ touch {meet}/c\n",
    )
    other = run.spawn(
        name="Form",
        tag="form",
        brief=f"{BRIEF}$ echo mine > mine.txt\n$ {begin.format(meet, 'b', 'c')}\n",
    )
    for agent in (one, other):
        run.until(lambda agent=agent: ended(run, agent["session"]))
    (found,) = outside(run)
    sessions = {found["session"], *found["others"]}
    assert sessions == {one["session"], other["session"]}, "mine.txt is in a lane in which somebody works"
    assert not found["sole"] and "It may also have been" in found["text"]


def test_what_ade_itself_does_meanwhile_is_no_finding(run: Run) -> None:
    main, meet = run.project, run.ade.base
    agent = run.spawn(brief=f"{BRIEF}$ touch {meet}/a && while ! test -e {meet}/b; do sleep 0.05; done\n")
    run.until((meet / "a").exists)
    (main / "by-hand.txt").write_text("x\n")
    run.ask("git", "commit", "--lane", "primary", "-m", "By the owner", "--stage-all")
    run.ask("lanes", "create", "meanwhile")
    (meet / "b").touch()
    run.until(lambda: ended(run, agent["session"]))
    assert outside(run) == []


def test_a_program_that_was_enlisted_is_looked_at_when_it_gives_a_task_back(run: Run) -> None:
    """A shell of its own, with its token, in a lane of its own."""
    main = run.project
    lane = run.ask("lanes", "create", "by-hand")
    started = run.ask(
        "sessions", "start", "--run", run.id, "--interaction-mode", "worker", "--lane", "by-hand"
    )
    session = started["session"]["id"]
    run.act("enlist", session=session, name="Hand")
    script = f"""
    {run.ade.program} runs claim {run.id} T-1
    echo mine > mine.txt
    echo stray > {main}/stray.txt
    {run.ade.program} runs release {run.id} T-1 done --summary Made
    """
    env = run.ade.env | {
        "ADE_SESSION_TOKEN": started["token"],
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
    }
    done = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=lane["path"], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (found,) = run.until(lambda: outside(run))
    assert (found["agent"], found["paths"], found["lane"]) == ("Hand", ["stray.txt"], "primary")
