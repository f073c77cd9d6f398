"""A whole run with real programs, whose runtime is killed at any moment: it comes to the same end, with the same agents, each
told everything once."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from ade_runtime.client import starts
from ade_runtime.storage.soundness import inspect_whole_file
from tests.harness.test_whole_run import (
    MODELS,
    User,
    at_github,
    check_commits,
    check_pull,
)
from tests.stress.whole_run import STOPPED, Knowing, Lookers
from tests.support.command import Command, command
from tests.support.model import Model
from tests.support.programs import CACHE

pytestmark = [pytest.mark.stress, pytest.mark.harness, pytest.mark.timeout(7200)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")
KILLS = int(os.environ.get("ADE_TEST_KILLS", "100"))
SEED = int(os.environ.get("ADE_TEST_SEED", "0")) or random.SystemRandom().randrange(10**6)
IN_ONE_RUN = 25
BLIND = 3.0
"""Seconds after the start of a runtime within which some of its ends fall, whatever it is at."""

BUSY = 8
"""The others fall after so many things at most have happened since, ..."""

AFTER = 0.6
"""... so many seconds later at most."""

LONGEST = 20.0
"""Seconds after which nothing more is waited for."""

LIMIT = 900.0
"""Seconds for a run."""

MAY_BE_REFUSED = frozenset(
    [
        *("etag_conflict", "git_locked", "operation_in_progress", "nothing_to_commit", "spawn_in_progress"),
        *("run_agent_over", "github_unreachable"),
    ]
)
"""What an agent is refused that goes on where it was broken off, and was not quite."""


class Killing(threading.Thread):
    """Kills the runtime again and again, so many times."""

    def __init__(self, ade: Command, knowing: Knowing, dice: random.Random, most: int) -> None:
        super().__init__(daemon=True)
        self._ade, self._knowing, self._dice, self._most = ade, knowing, dice, most
        self._enough = threading.Event()
        self.done = 0

    def run(self) -> None:
        last = None
        while self.done < self._most and not self._enough.is_set():
            try:
                pid = self._ade.pid
            except KeyError:  # whoever has just taken the lock has not said yet who it is
                pid = None
            if pid is None or pid == last:
                self._enough.wait(0.02)
                continue
            self._until_its_time()
            if self._enough.is_set():
                return
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            else:
                self.done += 1
            last = pid
            starts.clear(str(self._ade.home))  # so many ends in a row would be taken for a crash loop

    def _until_its_time(self) -> None:
        if self._dice.random() < 0.5:
            self._enough.wait(self._dice.uniform(0.1, BLIND))
            return
        end, wanted = time.monotonic() + LONGEST, self._happened() + self._dice.randint(1, BUSY)
        while self._happened() < wanted and time.monotonic() < end and not self._enough.wait(0.05):
            pass
        self._enough.wait(self._dice.uniform(0, AFTER))

    def _happened(self) -> int:
        query = "SELECT (SELECT count(*) FROM chat_entries) + (SELECT count(*) FROM run_history) AS number"
        return int(self._knowing.rows(query)[0]["number"])

    def stop(self) -> None:
        self._enough.set()
        self.join()


class Patient(User):
    """Tries again what a killed runtime did not answer."""

    def __init__(self, *args: Any, knowing: Knowing, lookers: Lookers) -> None:
        super().__init__(*args)
        self._knowing, self._lookers = knowing, lookers

    def json(self, *argv: str) -> Any:
        end = time.monotonic() + 60
        while True:
            starts.clear(str(self._ade.home))
            try:
                return super().json(*argv)
            except (AssertionError, subprocess.TimeoutExpired):
                if time.monotonic() > end:
                    raise

    def attempt(self, *argv: str) -> None:
        """What may have been done by the time it is tried again."""
        starts.clear(str(self._ade.home))
        try:
            self._ade.run(*argv, cwd=self._project)
        except subprocess.TimeoutExpired:
            return

    def until_over(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._lookers.problems and not self._model.problems:
            run: dict[str, Any] = self.json("runs", "show", self.run)
            if run["state"] != "active":
                return run
            if run["asks"] is not None:
                self._answer(run)
            time.sleep(0.3)
        raise AssertionError(f"not over: {self._lookers.problems} {self._model.problems} {self.account()}")

    def _answer(self, run: dict[str, Any]) -> None:
        if run["asks"] == "approval":
            self.attempt("runs", "approve", self.run, "--sha256", run["plan_sha256"])
        else:
            text = MODELS["label"] if run["asks"] == "models" else "Passkeys only"
            self.attempt("runs", "answer", self.run, text)

    def until_told(self, sessions: list[str], seconds: float) -> None:
        """Wait until everybody has been told everything, and no turn runs."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.json("runs", "show", self.run)
            look = self._knowing.look(self.run)
            open_ones = self._knowing.rows(
                "SELECT id FROM run_outbox WHERE run_id = ? AND state IN ('pending', 'delivering')", self.run
            )
            waiting = [name for name in sessions if look.chats[name]["queued"]]
            running = [name for name in sessions if look.chats[name]["state"] in ("running", "waiting")]
            if not (open_ones or waiting or running):
                return
            for name in waiting:
                if look.chats[name]["state"] in STOPPED:
                    self.attempt("chats", "resume", name)
            time.sleep(0.3)
        raise AssertionError(f"not told: {self.account()}")

    def account(self) -> str:
        """What a person would want to know of a run that does not end."""
        look = self._knowing.look(self.run)
        chats = [
            {
                name: chat[name]
                for name in ("session_id", "provider", "state", "turn", "queued", "problem", "ref")
            }
            for chat in look.chats.values()
        ]
        last = self._knowing.rows(
            "SELECT session_id, turn, kind, text FROM chat_entries ORDER BY id DESC LIMIT 40"
        )
        agents = [(one["displayName"], one["sessionId"], one["status"]) for one in look.manifest["agents"]]
        said = "\n".join(str({**one, "text": one["text"][:300]}) for one in reversed(last))
        return f"{agents}\n{chats}\n{self._lookers.refusals} {self._lookers.asked}\n{said}"


@pytest.fixture
def cache() -> Iterator[Path]:
    """Not below the temporary folder: Codex does not start from there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="k", dir=CACHE)).resolve()
    yield folder
    shutil.rmtree(folder)


def test_a_run_comes_to_the_same_end_whenever_its_runtime_is_killed(cache: Path) -> None:
    dice = random.Random(SEED)
    killed, number = 0, 0
    while killed < KILLS:
        base = cache / f"r{number}"
        base.mkdir()
        mode = ("pr", "worktree")[number % 2]
        began = time.monotonic()
        done, refusals = one_run(base, mode, dice, min(IN_ONE_RUN, KILLS - killed))
        print(
            f"seed {SEED}, run {number} ({mode}): {done} kills in {time.monotonic() - began:.0f} s, {refusals}"
        )
        assert done, "the run was over before anything was killed"
        killed, number = killed + done, number + 1


def one_run(base: Path, mode: str, dice: random.Random, kills: int) -> tuple[int, dict[str, int]]:
    """A run whose runtime is killed so many times, fewer where it is over before; how many it were, and what was refused."""
    from tests.harness.test_hand_over import prepare

    with Model() as model, command(base) as ade:
        project = prepare(ade, base, model)
        repository = at_github(ade, project)
        knowing = Knowing(ade.paths.database)
        lookers = Lookers(mode, knowing, repository, ade.env)
        model.script = lookers  # type: ignore[assignment]
        made = ade.json("runs", "create", "Login", "--goal", "Passkeys", "--lane", "fix", cwd=project)
        lookers.run = made["id"]
        user = Patient(ade, project, lookers.run, model, knowing=knowing, lookers=lookers)
        user.json("runs", "lead", lookers.run, "--provider", "claude")
        killing = Killing(ade, knowing, dice, kills)
        killing.start()
        try:
            over = user.until_over(LIMIT)
        finally:
            killing.stop()
        assert (over["state"], over["phase"], over["done"]) == ("completed", "wrapup", over["tasks"])
        look = knowing.look(lookers.run)
        user.until_told([one["sessionId"] for one in look.manifest["agents"]], 120)
        check_agents(user, knowing, mode)
        check_told(knowing, lookers.run)
        check_commits(user, ade)
        if mode == "pr":
            check_pull(user, repository)
        assert not set(lookers.refusals) - MAY_BE_REFUSED, lookers.refusals
    inspect_whole_file(ade.paths.database)
    assert not left_over(ade.home)
    return killing.done, dict(lookers.refusals)


def check_agents(user: Patient, knowing: Knowing, mode: str) -> None:
    """Everybody was there once, did their task in one attempt, and was asked and answered once."""
    manifest = knowing.look(user.run).manifest
    names = ["Storer", "Drawer", "Checker"] + (["Finisher"] if mode == "pr" else [])
    agents = {one["displayName"]: one for one in manifest["agents"]}
    assert sorted(one["displayName"] for one in manifest["agents"]) == sorted(["Lead", *names])
    assert {agents[name]["status"] for name in names} == {"completed"}
    members = knowing.rows("SELECT id FROM sessions WHERE interaction_mode IN ('worker', 'validator')")
    assert sorted(one["id"] for one in members) == sorted(agents[name]["sessionId"] for name in names)
    assert len(knowing.rows("SELECT session_id FROM chats")) == len(names) + 1
    lanes = [one["name"].split()[0] for one in knowing.rows("SELECT name FROM lanes WHERE kind = 'worktree'")]
    assert sorted(lanes) == ["Checker", "Drawer", "Storer", "fix"]
    assert knowing.rows("SELECT name FROM deleted_lanes") == []
    for task in manifest["tasks"]:
        assert [one["outcome"] for one in task["attempts"]] == ["succeeded"], task
    assert [edge["status"] for edge in manifest["lineage"]] == ["completed"] * len(names)
    (item,) = manifest["validationStrategy"]["checklist"]
    assert [one["passed"] for one in item["runs"]] == [True]
    answers = knowing.rows("SELECT summary FROM run_history WHERE run_id = ? AND kind = 'answered'", user.run)
    assert len(answers) == 5


def check_told(knowing: Knowing, run: str) -> None:
    """What was promised was delivered, and stands in the transcript of its receiver once."""
    entries = knowing.rows("SELECT * FROM run_outbox WHERE run_id = ? ORDER BY place", run)
    assert {one["state"] for one in entries} == {"delivered"}
    kinds = [one["kind"] for one in entries]
    tasks = len(knowing.look(run).manifest["tasks"])
    assert (kinds.count("brief"), kinds.count("completion")) == (tasks, tasks)
    queued = knowing.rows("SELECT id, session_id, state, text FROM chat_messages ORDER BY place")
    assert {one["state"] for one in queued} == {"delivered"}
    assert len({one["id"] for one in queued}) == len(queued)
    for one in queued:
        said = knowing.rows(
            "SELECT text FROM chat_entries WHERE session_id = ? AND kind = 'user'", one["session_id"]
        )
        same = sum(
            other["text"] == one["text"] and other["session_id"] == one["session_id"] for other in queued
        )
        assert sum(entry["text"] == one["text"] for entry in said) == same == 1, one
    for entry in entries:
        told = [one for one in queued if one["id"] == f"msg_{entry['id'].removeprefix('out_')}"]
        assert [one["session_id"] for one in told] == [entry["target"]], entry


def left_over(home: Path) -> list[str]:
    """Programs of a runtime that is no more."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("ADE_HOME") == str(home):
                found.append(process)
        except psutil.Error:
            continue
    _, alive = psutil.wait_procs(found, timeout=10)
    return [" ".join(one.cmdline()) for one in alive]
