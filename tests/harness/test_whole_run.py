"""A whole run: Claude Code leads, Codex and Claude Code work, Claude Code checks, with one scripted model for all of
them and the answers of the user from another terminal. It ends in its lane, or as a pull request."""

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
from ade_runtime.integrations.github.signin import SECRET
from tests.support.command import Command, command
from tests.support.github.hub import TOKEN, stand_in
from tests.support.github.state import Repository
from tests.support.model import Call, Cast, Model, Say, anthropic, openai_responses
from tests.support.programs import CACHE
from tests.unit.runs.samples import PLAN

pytestmark = [pytest.mark.harness, pytest.mark.timeout(600)]
pytest.importorskip("claude_agent_sdk", reason="the claude extra is not installed")

LEADS = "You lead this run."
STORE, FORM, REVIEW = "Store the passkeys", "Draw the form", "Review what was made"
FINISH = "Open the pull request"
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
    """The lines of everybody. ``run`` is known once the run is made; ``mode`` is how it ends."""

    def __init__(self, mode: str) -> None:
        self.run = ""
        self.mode = mode

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

    def any(self, action: str, **arguments: Any) -> Call:
        """Any other action by that tool."""
        return Call("actions_run", lambda body: {"action": action, "arguments": self._made(body, arguments)})

    def _given(self, body: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        return {"run": self.run, **self._made(body, arguments)}

    def _made(self, body: dict[str, Any], arguments: dict[str, Any]) -> dict[str, Any]:
        before = last(body)
        return {name: value(before) if callable(value) else value for name, value in arguments.items()}

    def tasks(self) -> list[dict[str, Any]]:
        """Operations that put the tasks and the step to be validated into the run."""
        tasks = [
            ("T-1", STORE, "developing"),
            ("T-2", FORM, "developing"),
            ("T-3", REVIEW, "validating"),
        ]
        if self.mode == "pr":
            tasks.append(("T-4", FINISH, "wrapup"))
        step = {
            "id": "tests",
            "concern": "It works",
            "prompt": "Look at both files.",
            "scope": "mission_exit",
        }
        step |= {"required": True, "evidenceRequired": True, "appliesToTaskIds": []}
        operations: list[dict[str, Any]] = [
            {"op": "add", "path": "/tasks/-", "object": {"id": name, "title": title, "phaseId": phase}}
            for name, title, phase in tasks
        ]
        operations.append({"op": "add", "path": "/validationStrategy/steps/-", "object": step})
        return operations

    def intake(self) -> Call:
        return self.act(
            "record_codebase_intake",
            project_shape="A shop",
            test_stack="pytest",
            in_flight_work="none",
            touches_ui_surface=True,
        )

    def lead(self) -> list[Any]:
        return [
            self.intake(),
            *(self.act("ask_planning_round", kind=kind, question=f"What of {kind}?") for kind in ROUNDS),
            self.act("manifest_patch", etag=lambda run: run["etag"], operations=self.tasks()),
            self.act("ask_user_for_model_selection", options=[MODELS]),
            self.act("choose_finishing_mode", mode=self.mode),
            self.act("plan_write", text=PLAN, replaces=lambda run: run["plan_sha256"]),
            self.act("request_plan_approval"),
            self.spawn("Storer", "worker", STORE, "store.txt", tag="backend", step="T-1"),
            self.spawn("Drawer", "worker", FORM, "form.txt", step="T-2"),
            self.act("agents"),
            self.wait(lambda one: one["role"] == "worker"),
            self.spawn("Checker", "validator", REVIEW, "Everything.", step="T-3"),
            self.act("agents"),
            self.wait(lambda one: one["role"] == "validator"),
            *(self.finishing() if self.mode == "pr" else self.ending()),
            Say("The run is over."),
        ]

    def ending(self) -> list[Any]:
        """Nothing is left to be done, which only the lead can know."""
        return [
            self.run_it("show"),
            self.act("manifest_patch", etag=lambda run: run["result"]["etag"], operations=[OVER]),
        ]

    def finishing(self) -> list[Any]:
        """One more worker, in the run's own lane."""
        return [
            self.spawn("Finisher", "worker", FINISH, "The lane of the run.", step="T-4", lane="fix"),
            self.act("agents"),
            self.wait(lambda one: one["name"] == "Finisher"),
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

    def finishes(self) -> list[Any]:
        def branches(found: dict[str, Any]) -> list[str]:
            lanes = {one["name"].split()[0]: one["branch"] for one in found["result"]["items"]}
            return [lanes["Storer"], lanes["Drawer"]]

        def pull(found: dict[str, Any]) -> dict[str, Any]:
            made: dict[str, Any] = found["result"]["pull"]
            return made

        return [
            self.run_it("claim_task", task="T-4"),
            self.any("lane.list"),
            self.any("git.cherry_pick", commits=branches),
            self.any("git.push"),
            self.any("pr.create_from_lane", title="Log in with a passkey"),
            self.run_it(
                "register_asset",
                kind="pr_link",
                url=lambda found: pull(found)["url"],
                pr_number=lambda found: pull(found)["number"],
            ),
            self.run_it("release_task", task="T-4", status="done", summary="It is open.", evidence=["1"]),
            Say("T-4 is done."),
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
                FINISH: self.finishes(),
            }
        )


OVER = {"op": "replace", "path": "/phases/{id:wrapup}/status", "text": "done"}
ROUNDS = ("functional", "ui", "extras")


class User:
    """Whoever answers from another terminal."""

    def __init__(self, ade: Command, project: Path, run: str, model: Model) -> None:
        self._ade, self._project, self.run, self._model = ade, project, run, model
        self.answered: list[str] = []

    def json(self, *argv: str) -> Any:
        return self._ade.json(*argv, cwd=self._project)

    def until_over(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._model.problems:
            run: dict[str, Any] = self.json("runs", "show", self.run)
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
            f"not over: {self._model.problems} {run}\n{self.json('runs', 'agents', self.run)}\n{told}"
        )

    def _chat_ended(self, run: dict[str, Any]) -> bool:
        """Whether the lead has said its last, although nothing is asked."""
        chat = self.json("chats", "show", run["lead"])
        at_rest = chat["state"] in ("idle", "failed") and chat["turn"] > 0 and not chat["queued"]
        return at_rest and run["asks"] is None

    def _answer(self, run: dict[str, Any]) -> None:
        self.answered.append(run["asks"])
        if run["asks"] == "approval":
            self.json("runs", "approve", self.run, "--sha256", run["plan_sha256"])
        elif run["asks"] == "models":
            self.json("runs", "answer", self.run, MODELS["label"])
        else:
            self.json("runs", "answer", self.run, "Passkeys only")


@pytest.fixture
def base() -> Iterator[Path]:
    """Not below the temporary folder: Codex does not start from there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="w", dir=CACHE)).resolve()
    yield folder
    shutil.rmtree(folder)


def at_github(ade: Command, project: Path) -> Repository:
    """The project's remote is octo/shop at the stand-in, and the owner has stored a token for it."""
    hub = stand_in()
    hub.clear()
    ade.env["ADE_GITHUB_API"] = hub.address
    bare = ade.base / "octo" / "shop.git"
    for argv in (
        ("init", "--quiet", "--bare", "-b", "main", str(bare)),
        ("remote", "add", "origin", str(bare)),
        ("push", "--quiet", "-u", "origin", "main"),
    ):
        subprocess.run(["git", *argv], cwd=project, env=ade.env, check=True)
    ade.json("runtime", "restart", cwd=project)
    ade.json("secrets", "set", SECRET, "--machine", stdin=TOKEN, cwd=project)
    return hub.add("octo/shop", bare)


def check_commits(user: User, ade: Command) -> None:
    """Each worker has committed its file, once, in a lane of its own."""
    agents = {one["name"]: one for one in user.json("runs", "agents", user.run)["items"]}
    lanes = {one["name"]: Path(one["path"]) for one in user.json("lanes", "list")["items"]}
    for name, task, file in (("Storer", "T-1", "store.txt"), ("Drawer", "T-2", "form.txt")):
        log = subprocess.run(
            ["git", "log", "--format=%s", "--name-only", "main.."],
            cwd=lanes[agents[name]["lane"]],
            env=ade.env,
            capture_output=True,
            text=True,
            check=True,
        )
        assert log.stdout.split() == ["Do", task, file]


def check_pull(user: User, repository: Repository) -> None:
    """There is one pull request, with what both have made, and the run knows it."""
    (pull,) = repository.pulls
    assert (pull.title, pull.state, pull.base) == ("Log in with a passkey", "open", "main")
    assert repository.numbers(pull)["changed_files"] == 2
    log = repository.run("log", "--format=%s", "--reverse", f"main..{pull.head}")
    assert log.split("\n") == ["Do T-1", "Do T-2"]
    (link,) = user.json("runs", "section", user.run, "assets")["items"]
    assert (link["kind"], link["externalRef"]["prNumber"]) == ("pr_link", pull.number)


@pytest.mark.parametrize("mode", ["worktree", "pr"])
def test_a_goal_becomes_checked_commits_of_two_programs(base: Path, mode: str) -> None:
    from tests.harness.test_hand_over import prepare

    play = Play(mode)
    with Model(cast=play.cast()) as model, command(base) as ade:
        project = prepare(ade, base, model)
        repository = at_github(ade, project)
        made = ade.json("runs", "create", "Login", "--goal", "Passkeys", "--lane", "fix", cwd=project)
        play.run = made["id"]
        user = User(ade, project, play.run, model)
        user.json("runs", "lead", play.run, "--provider", "claude")
        over = user.until_over(500)
        tasks = 4 if mode == "pr" else 3
        assert (over["state"], over["phase"], over["done"]) == ("completed", "wrapup", tasks)
        assert user.answered == ["round", "round", "round", "models", "approval"]
        agents = {one["name"]: one for one in user.json("runs", "agents", play.run)["items"]}
        assert {one["status"] for name, one in agents.items() if name != "Lead"} == {"completed"}
        assert (agents["Storer"]["provider"], agents["Drawer"]["provider"]) == ("codex", "claude")
        edges = user.json("runs", "lineage", play.run)["items"]
        assert [one["status"] for one in edges] == ["completed"] * tasks
        told = user.json("runs", "messages", play.run)["items"]
        assert {one["state"] for one in told} == {"delivered"}
        for one in (brief for brief in told if brief["kind"] == "brief"):
            said = user.json("chats", "transcript", one["target"])["items"]
            assert sum(entry["kind"] == "user" and one["text"] in entry["text"] for entry in said) == 1
        check_commits(user, ade)
        if mode == "pr":
            check_pull(user, repository)
        else:
            assert (repository.pulls, repository.tip("ade/fix")) == ([], None)
