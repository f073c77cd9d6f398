"""Everybody in a whole run, as agents that look before they go on: what each does next follows from how things stand, so that
they may be broken off anywhere."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness.test_whole_run import (
    FINISH,
    FORM,
    LEADS,
    MODELS,
    OVER,
    REVIEW,
    STORE,
    Play,
)
from tests.support.github.state import Repository
from tests.support.model import Call, Say, anthropic, openai_responses
from tests.support.model.script import Answer
from tests.unit.runs.samples import PLAN

PATIENCE = 30.0
"""Seconds for which a database that was left by a killed process is tried again."""

STOPPED = ("interrupted", "failed")
SHORT = 20_000
"""Milliseconds that the lead waits for agents before it looks again."""


@dataclass(frozen=True)
class Look:
    """How things stand: the manifest, the chats by session, and the lanes by id."""

    manifest: dict[str, Any]
    chats: dict[str, dict[str, Any]]
    lanes: dict[str, dict[str, Any]]

    def agent(self, name: str) -> dict[str, Any] | None:
        return next((one for one in self.manifest["agents"] if one["displayName"] == name), None)

    def task(self, name: str) -> dict[str, Any]:
        return next(one for one in self.manifest["tasks"] if one["id"] == name)

    def folder(self, name: str) -> Path:
        """Where an agent works."""
        agent = self.agent(name)
        assert agent is not None
        return Path(self.lanes[self.chats[agent["sessionId"]]["lane_id"]]["path"])


class Knowing:
    """Reads what a runtime has stored, also while it is killed."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def rows(self, query: str, *values: Any) -> list[dict[str, Any]]:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with sqlite3.connect(f"file:{self._database}?mode=ro", uri=True, timeout=5) as db:
                    db.row_factory = sqlite3.Row
                    return [dict(row) for row in db.execute(query, values)]
            except sqlite3.OperationalError:  # what the killed one was writing is taken back by the next one
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def look(self, run: str) -> Look:
        (row,) = self.rows(
            "SELECT manifest, (SELECT json_group_array(json(task)) FROM (SELECT task FROM run_tasks"
            " WHERE run_id = runs.id ORDER BY place)) AS tasks FROM runs WHERE id = ?",
            run,
        )
        manifest = {**json.loads(row["manifest"]), "tasks": json.loads(row["tasks"])}
        chats = {
            one["session_id"]: one
            for one in self.rows(
                "SELECT c.*, (SELECT count(*) FROM chat_messages m WHERE m.session_id = c.session_id"
                " AND m.state = 'queued') AS queued FROM chats c"
            )
        }
        lanes = {one["id"]: one for one in self.rows("SELECT * FROM lanes WHERE state = 'active'")}
        return Look(manifest, chats, lanes)


class Lookers(Play):
    """Answers whoever asks with the next thing for them to do. ``refusals`` counts what tools refused, by code."""

    def __init__(self, mode: str, knowing: Knowing, repository: Repository, env: Mapping[str, str]) -> None:
        super().__init__(mode)
        self._knowing, self._repository, self._env = knowing, repository, dict(env)
        self._lock = threading.Lock()
        self.refusals: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.problems: list[str] = []
        self._parts = {
            LEADS: self._lead,
            STORE: lambda look: self._worker(look, "Storer", "T-1", "store.txt"),
            FORM: lambda look: self._worker(look, "Drawer", "T-2", "form.txt"),
            REVIEW: self._checker,
            FINISH: self._finisher,
        }

    def next(self, body: Mapping[str, Any]) -> Answer:
        told = json.dumps(body)
        for words, part in self._parts.items():
            if words in told:
                with self._lock:
                    self.asked[words] += 1
                    self._note_refusal(dict(body))
                try:
                    return part(self._knowing.look(self.run))
                except Exception as problem:
                    self.problems.append(f"{words}: {problem!r}")
                    return Say("I am lost.")
        return Say("done")

    def _note_refusal(self, body: dict[str, Any]) -> None:
        dialect = openai_responses if "input" in body else anthropic
        text = (dialect.results(body) or [""])[-1]
        if '"error"' in text:
            found = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
            self.refusals[str(found.get("error", {}).get("code", text[:200]))] += 1

    def _made(self, body: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments

    # -- the lead

    def _lead(self, look: Look) -> Answer:
        manifest = look.manifest
        if manifest["currentPhase"] == "planning":
            return self._planning(look)
        agents = [("Storer", "worker", STORE, "store.txt", {"tag": "backend", "step": "T-1"})]
        agents.append(("Drawer", "worker", FORM, "form.txt", {"step": "T-2"}))
        stages = [agents, [("Checker", "validator", REVIEW, "Everything.", {"step": "T-3"})]]
        if self.mode == "pr":
            stages.append([("Finisher", "worker", FINISH, "The lane.", {"step": "T-4", "lane": "fix"})])
        for stage in stages:
            for name, role, goal, scope, more in stage:
                if look.agent(name) is None:
                    return self.spawn(name, role, goal, scope, **more)
            rows = [look.agent(name) for name, *_ in stage]
            if open_ones := [one for one in rows if one and one["status"] not in ("completed", "failed")]:
                return self._see_to(look, open_ones)
        if self.mode == "worktree" and manifest["phases"][-1]["status"] != "done":
            return self.act("manifest_patch", etag=manifest["etag"], operations=[OVER])
        return Say("The run is over.")

    def _planning(self, look: Look) -> Answer:
        manifest = look.manifest
        planning = manifest["leadState"]["planning"]
        if planning["stage"] == "intake":
            return self.intake()
        if planning["stage"].startswith("round_") and planning["stage"] != "rounds_complete":
            kind = planning["stage"].removeprefix("round_")
            return self.act("ask_planning_round", kind=kind, question=f"What of {kind}?")
        if not manifest["tasks"]:
            return self.act("manifest_patch", etag=manifest["etag"], operations=self.tasks())
        if manifest["modelRouting"]["default"] is None:
            return self.act("ask_user_for_model_selection", options=[MODELS])
        if manifest["finishing"] is None:
            return self.act("choose_finishing_mode", mode=self.mode)
        plan = (Path(manifest["bundlePath"]) / "plan.md").read_bytes()
        if plan != PLAN.encode():
            return self.act("plan_write", text=PLAN, replaces=hashlib.sha256(plan).hexdigest())
        return self.act("request_plan_approval")

    def _see_to(self, look: Look, agents: list[dict[str, Any]]) -> Answer:
        """Have those go on that have come to rest, and wait for the others."""
        for agent in agents:
            chat = look.chats[agent["sessionId"]]
            if chat["state"] == "failed" or (chat["state"] == "idle" and not chat["queued"] and chat["turn"]):
                text = f"Go on where you were in turn {chat['turn']}."
                key = f"{agent['sessionId']} {chat['turn']}"
                return self.act("message_agent", to=agent["sessionId"], text=text, key=key)
        return self.act(
            "await_agent",
            sessions=[one["sessionId"] for one in agents],
            wait_for="any",
            timeout_ms=SHORT,
        )

    # -- the others

    def _worker(self, look: Look, name: str, task: str, file: str) -> Answer:
        status = look.task(task)["status"]
        folder = look.folder(name)
        if status == "done":
            return Say(f"{task} is done.")
        if status == "pending":
            return self.run_it("claim_task", task=task)
        if f"Do {task}" not in self._log(folder):
            if not (folder / file).exists():
                return self.any("file.write", path=file, content=f"{task}\n")
            return Call("commit_changes", {"message": f"Do {task}", "stage_all": True})
        return self.run_it(
            "release_task", task=task, status="done", summary=f"{file} is there.", evidence=[file]
        )

    def _checker(self, look: Look) -> Answer:
        task = look.task("T-3")
        if task["status"] == "done":
            return Say("T-3 is done.")
        if task["status"] == "pending":
            return self.run_it("claim_task", task="T-3")
        if not look.manifest["validationStrategy"]["checklist"]:
            return self.run_it(
                "record_validation_run", step="tests", passed=True, evidence=["Both are there."]
            )
        return self.run_it(
            "release_task", task="T-3", status="done", summary="It holds.", evidence=["looked"]
        )

    def _finisher(self, look: Look) -> Answer:
        task = look.task("T-4")
        if task["status"] == "done":
            return Say("T-4 is done.")
        if task["status"] == "pending":
            return self.run_it("claim_task", task="T-4")
        folder = look.folder("Finisher")
        if self._git(folder, "rev-parse", "--verify", "--quiet", "CHERRY_PICK_HEAD"):
            return self.any("git.merge_abort")
        log = self._log(folder)
        wanted = [name for name, task in (("Storer", "T-1"), ("Drawer", "T-2")) if f"Do {task}" not in log]
        if wanted:
            branches = [self._git(look.folder(name), "branch", "--show-current") for name in wanted]
            return self.any("git.cherry_pick", commits=branches)
        branch = self._git(folder, "branch", "--show-current")
        if self._repository.tip(branch) != self._git(folder, "rev-parse", "HEAD"):
            return self.any("git.push")
        if not self._repository.pulls:
            return self.any("pr.create_from_lane", title="Log in with a passkey")
        (pull, *_) = self._repository.pulls
        if not look.manifest["assets"]:
            url = f"https://github.com/octo/shop/pull/{pull.number}"
            return self.run_it("register_asset", kind="pr_link", url=url, pr_number=pull.number)
        return self.run_it("release_task", task="T-4", status="done", summary="It is open.", evidence=["1"])

    def _log(self, folder: Path) -> list[str]:
        return self._git(folder, "log", "--format=%s", "main..").split("\n")

    def _git(self, folder: Path, *argv: str) -> str:
        done = subprocess.run(
            ["git", *argv], cwd=folder, env=self._env, capture_output=True, text=True, check=False
        )
        return done.stdout.strip()
