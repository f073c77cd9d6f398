"""A whole run: Claude Code leads, Codex and Claude Code work, Claude Code checks, with one scripted model for all of
them and the answers of the user from another terminal."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.roles import TOOLSETS
from tests.support.command import Command, command
from tests.support.model import Call, Cast, Model, Say, anthropic, openai_responses
from tests.support.programs import CACHE
from tests.unit.runs.samples import PLAN

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")

LEADS = "You lead this run."
STORE, FORM, REVIEW = "Store the passkeys", "Draw the form", "Review what was made"
PLAIN = {"reasoningEffort": None, "fastMode": False}
MODELS = {
    "label": "Codex and Claude",
    "default": {"provider": "claude", "modelId": "claude-opus-4-5", **PLAIN},
}
MODELS["byTag"] = {
    "backend": {"provider": "codex", "modelId": "fake", "reasoningEffort": None, "fastMode": False}
}


def brief(goal: str, scope: str) -> str:
    return (
        f"## Goal\n{goal}\n## Context\nA shop.\n## Scope\n{scope}\n## Constraints\nNothing else.\n"
        "## Done when\nIt is committed.\n## Report\nThe commit.\n"
    )


def last(body: dict[str, Any]) -> dict[str, Any]:
    """The document that the last tool gave, empty before the first."""
    dialect = openai_responses if "input" in body else anthropic
    results = dialect.results(body)
    if not results:
        return {}
    text = results[-1]
    assert "{" in text, text
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
    assert "error" not in found, found
    return found


class Play:
    """The lines of everybody. ``run`` is known once the run is made."""

    def __init__(self) -> None:
        self.run = ""

    def act(self, action: str, **arguments: Any) -> Call:
        """An action of the run by its own tool, under Claude Code's name; what is callable is made from the last answer."""
        entry = ACTIONS[f"run.{action}"]
        server = TOOLSETS[entry.toolset].server
        return Call(f"mcp__{server}__{entry.tool}", lambda body: self._given(body, arguments))

    def run_it(self, action: str, **arguments: Any) -> Call:
        """The same by the tool that runs any action, which every program shows its model from the start."""
        return Call(
            "actions_run",
            lambda body: {"action": f"run.{action}", "arguments": self._given(body, arguments)},
        )

    def _given(self, body: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        before = last(body)
        given = {name: value(before) if callable(value) else value for name, value in arguments.items()}
        return {"run": self.run, **given}

    def lead(self) -> list[Any]:
        tasks = [
            ("T-1", STORE, "developing"),
            ("T-2", FORM, "developing"),
            ("T-3", REVIEW, "validating"),
        ]
        step = {
            "id": "tests",
            "concern": "It works",
            "prompt": "Look at both files.",
            "scope": "mission_exit",
        }
        step |= {"required": True, "evidenceRequired": True, "appliesToTaskIds": []}
        operations = [
            {"op": "add", "path": "/tasks/-", "object": {"id": name, "title": title, "phaseId": phase}}
            for name, title, phase in tasks
        ]
        operations.append({"op": "add", "path": "/validationStrategy/steps/-", "object": step})
        return [
            self.act(
                "record_codebase_intake",
                project_shape="A shop",
                test_stack="pytest",
                in_flight_work="none",
                touches_ui_surface=True,
            ),
            *(self.act("ask_planning_round", kind=kind, question=f"What of {kind}?") for kind in ROUNDS),
            self.act("manifest_patch", etag=lambda run: run["etag"], operations=operations),
            self.act("ask_user_for_model_selection", options=[MODELS]),
            self.act("choose_finishing_mode", mode="worktree"),
            self.act("plan_write", text=PLAN, replaces=lambda run: run["plan_sha256"]),
            self.act("request_plan_approval"),
            self.spawn("Storer", "worker", STORE, "store.txt", tag="backend", step="T-1"),
            self.spawn("Drawer", "worker", FORM, "form.txt", step="T-2"),
            self.act("agents"),
            self.wait(lambda one: one["role"] == "worker"),
            self.spawn("Checker", "validator", REVIEW, "Everything.", step="T-3"),
            self.act("agents"),
            self.wait(lambda one: one["role"] == "validator"),
            self.run_it("show"),
            self.act("manifest_patch", etag=lambda run: run["result"]["etag"], operations=[OVER]),
            Say("The run is over."),
        ]

    def spawn(self, name: str, role: str, goal: str, scope: str, **more: str) -> Call:
        return self.act(
            "spawn_agent", name=name, role=role, brief=brief(goal, scope), permission_mode="edit", **more
        )

    def wait(self, fits: Any) -> Call:
        def sessions(found: dict[str, Any]) -> list[str]:
            return [one["session"] for one in found["items"] if fits(one)]

        return self.act("await_agent", sessions=sessions, timeout_ms=240_000)

    def works(self, task: str, file: str) -> list[Any]:
        write = {"path": file, "content": f"{task}\n"}
        return [
            self.run_it("claim_task", task=task),
            Call("actions_run", {"action": "file.write", "arguments": write}),
            Call("commit_changes", {"message": f"Do {task}", "stage_all": True}),
            self.run_it(
                "release_task", task=task, status="done", summary=f"{file} is there.", evidence=[file]
            ),
            Say(f"{task} is done."),
        ]

    def checks(self) -> list[Any]:
        return [
            self.run_it("claim_task", task="T-3"),
            self.run_it(
                "record_validation_run", step="tests", passed=True, evidence=["Both files are there."]
            ),
            self.run_it("release_task", task="T-3", status="done", summary="It holds.", evidence=["looked"]),
            Say("T-3 is done."),
        ]

    def cast(self) -> Cast:
        return Cast(
            {
                LEADS: self.lead(),
                STORE: self.works("T-1", "store.txt"),
                FORM: self.works("T-2", "form.txt"),
                REVIEW: self.checks(),
            }
        )


OVER = {"op": "replace", "path": "/phases/{id:wrapup}/status", "text": "done"}
ROUNDS = ("functional", "ui", "extras")


class User:
    """Whoever answers from another terminal."""

    def __init__(self, ade: Command, project: Path, run: str, model: Model) -> None:
        self._ade, self._project, self._run, self._model = ade, project, run, model
        self.answered: list[str] = []

    def json(self, *argv: str) -> Any:
        return self._ade.json(*argv, cwd=self._project)

    def until_over(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._model.problems:
            run: dict[str, Any] = self.json("runs", "show", self._run)
            if run["state"] != "active":
                return run
            if self._chat_ended(run):
                break
            if run["asks"] is not None:
                self._answer(run)
            time.sleep(0.5)
        entries = self.json("chats", "transcript", run["lead"], "--limit", "500")["items"]
        told = [(one["kind"], one["text"]) for one in entries]
        raise AssertionError(
            f"not over: {self._model.problems} {run}\n{self.json('runs', 'agents', self._run)}\n{told}"
        )

    def _chat_ended(self, run: dict[str, Any]) -> bool:
        """Whether the lead has said its last, although nothing is asked."""
        chat = self.json("chats", "show", run["lead"])
        at_rest = chat["state"] in ("idle", "failed") and chat["turn"] > 0 and not chat["queued"]
        return at_rest and run["asks"] is None

    def _answer(self, run: dict[str, Any]) -> None:
        self.answered.append(run["asks"])
        if run["asks"] == "approval":
            self.json("runs", "approve", self._run, "--sha256", run["plan_sha256"])
        elif run["asks"] == "models":
            self.json("runs", "answer", self._run, MODELS["label"])
        else:
            self.json("runs", "answer", self._run, "Passkeys only")


@pytest.fixture
def base() -> Iterator[Path]:
    """Not below the temporary folder: Codex does not start from there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="w", dir=CACHE)).resolve()
    yield folder
    shutil.rmtree(folder)


def test_a_goal_becomes_checked_commits_of_two_programs(base: Path) -> None:
    from tests.harness.test_hand_over import prepare

    play = Play()
    with Model(cast=play.cast()) as model, command(base) as ade:
        project = prepare(ade, base, model)
        play.run = ade.json("runs", "create", "Login", "--goal", "Passkeys", cwd=project)["id"]
        user = User(ade, project, play.run, model)
        user.json("runs", "lead", play.run, "--provider", "claude")
        over = user.until_over(500)
        assert (over["state"], over["phase"], over["done"]) == ("completed", "wrapup", 3)
        assert user.answered == ["round", "round", "round", "models", "approval"]
        agents = {one["name"]: one for one in user.json("runs", "agents", play.run)["items"]}
        assert {one["status"] for name, one in agents.items() if name != "Lead"} == {"completed"}
        assert (agents["Storer"]["provider"], agents["Drawer"]["provider"]) == ("codex", "claude")
        lanes = {one["name"]: Path(one["path"]) for one in user.json("lanes", "list")["items"]}
        for name, file in (("Storer", "store.txt"), ("Drawer", "form.txt")):
            log = subprocess.run(
                ["git", "log", "--format=%s", "--name-only", "-1"],
                cwd=lanes[agents[name]["lane"]],
                env=ade.env,
                capture_output=True,
                text=True,
                check=True,
            )
            assert log.stdout.split("\n")[2] == file
        edges = user.json("runs", "lineage", play.run)["items"]
        assert [one["status"] for one in edges] == ["completed"] * 3
        told = user.json("runs", "messages", play.run)["items"]
        assert {one["state"] for one in told} == {"delivered"}
        briefs = [one for one in told if one["kind"] == "brief"]
        for one in briefs:
            said = user.json("chats", "transcript", one["target"])["items"]
            assert sum(entry["kind"] == "user" and one["text"] in entry["text"] for entry in said) == 1
