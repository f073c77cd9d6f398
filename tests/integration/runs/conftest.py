"""A run in a real repository, with a runtime in this process and sessions of every part."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from ade_runtime.client.in_process import Runtime
from ade_runtime.pipeline.identify import TOKEN_VARIABLE
from ade_runtime.runs import outbox, store
from ade_runtime.runs.document import Manifest, new_agent
from tests.support.repo import Repo
from tests.support.sample import IDENTITY, git_environment
from tests.unit.runs.samples import MODEL, NOW, PLAN


class House:
    """``run`` is the run's id. Calls are the owner's, or a session's by its token."""

    def __init__(self, runtime: Runtime, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runtime, self.project, self.monkeypatch = runtime, project, monkeypatch
        self.run = ""

    async def call(self, name: str, /, *, token: str | None = None, **arguments: Any) -> dict[str, Any]:
        """An action of the run domain by its name alone, or any by its id; the run is filled in."""
        action = name if "." in name else f"run.{name}"
        if "." not in name and name not in ("create", "list", "policy"):
            arguments.setdefault("run", self.run)
        with self.monkeypatch.context() as patch:
            if token is not None:
                patch.setenv(TOKEN_VARIABLE, token)
            return await self.runtime.call(action, arguments, project=self.project)

    async def manifest(self) -> Manifest:
        return await self.runtime.services.runs.manifest(self.run)

    async def join(self, role: str) -> str:
        """Put a session into the run, as its lead will spawn one, and give its token."""
        started = await self.call(
            "session.start", role="agent", kind="worker", run=self.run, interaction_mode=role
        )
        session = started["session"]["id"]

        def mutate(manifest: Manifest, now: str) -> None:
            manifest["agents"].append(new_agent(session, role, role, NOW))

        await self.runtime.services.runs.change(self.run, "test", "joined", role, mutate)
        return str(started["token"])

    async def develop(self, *tasks: dict[str, Any]) -> None:
        """Approve a whole plan and add tasks; without any, T-1 and T-2."""
        await self.complete()
        await self.call("request_plan_approval", wait=0)
        await self.call("approve")
        rows = tasks or ({"id": "T-1", "title": "Store"}, {"id": "T-2", "title": "Form"})
        await self.patch(*(("add", "/tasks/-", {"object": one}) for one in rows))

    async def enlist(self, role: str) -> str:
        """Take a session into the run as a person does, and give its token."""
        started = await self.call("session.start", run=self.run, interaction_mode=role)
        await self.call("enlist", session=started["session"]["id"])
        return str(started["token"])

    async def told(self, kind: str | None = None) -> list[str]:
        """What the run has promised to tell, in order; of one kind where it is named."""
        found = await self.runtime.services.database.read(lambda db: outbox.listed(db, self.run))
        return [one.text for one in found if kind in (None, one.kind)]

    async def token_of_lead(self) -> str:
        lead = (await self.call("show"))["lead"]
        return await self.runtime.services.sessions.renew(lead)

    async def store_raw(self, manifest: Manifest) -> None:
        """Write what nobody checked into the rows of the run."""
        from sqlalchemy import delete, insert

        from ade_runtime.storage.schema import run_tasks

        tasks = [
            {"run_id": self.run, "place": place, "task": json.dumps(one)}
            for place, one in enumerate(manifest.get("tasks", []))
        ]

        def write(db: Connection) -> None:
            db.execute(delete(run_tasks).where(run_tasks.c.run_id == self.run))
            if tasks:
                db.execute(insert(run_tasks), tasks)

        await self.runtime.services.database.write(write)
        await self.store_text(json.dumps({**manifest, "tasks": []}))

    async def store_text(self, text: str) -> None:
        from sqlalchemy import update

        from ade_runtime.storage.schema import runs

        await self.runtime.services.database.write(
            lambda db: db.execute(update(runs).where(runs.c.id == self.run).values(manifest=text))
        )
        self.runtime.services.runs.kept.forget(self.run)

    async def history(self) -> list[store.HistoryEntry]:
        return await self.runtime.services.runs.history(self.run)

    async def take_in(self, *, ui: bool = True) -> dict[str, Any]:
        told = {"project_shape": "A service", "test_stack": "pytest", "in_flight_work": "none seen"}
        return await self.call("record_codebase_intake", **told, touches_ui_surface=ui)

    async def round(self, kind: str, answer: str = "Passkeys") -> dict[str, Any]:
        await self.call("ask_planning_round", kind=kind, question=f"What of {kind}?", wait=0)
        return await self.call("answer", answer=[answer])

    async def complete(self) -> dict[str, Any]:
        """Everything that approval needs."""
        await self.take_in()
        for kind in ("functional", "ui", "extras"):
            await self.round(kind)
        await self.call("ask_user_for_model_selection", options=[{"label": "A", "default": MODEL}], wait=0)
        await self.call("answer", answer=["A"])
        step = {"id": "tests", "concern": "The tests pass", "prompt": "Run them."}
        await self.patch(("add", "/validationStrategy/steps/-", {"object": step}))
        await self.call("choose_finishing_mode", mode="worktree")
        return await self.write(PLAN)

    async def write(self, text: str) -> dict[str, Any]:
        found = await self.call("plan")
        return await self.call("plan_write", text=text, replaces=found["sha256"])

    async def patch(
        self, *changes: tuple[str, str, dict[str, Any]], token: str | None = None
    ) -> dict[str, Any]:
        etag = (await self.manifest())["etag"]
        operations = [{"op": op, "path": path, **value} for op, path, value in changes]
        return await self.call("manifest_patch", etag=etag, operations=operations, token=token)


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    env = git_environment(tmp_path / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    repo = Repo(tmp_path, env=env | IDENTITY)
    repo.commit("One", **{"a.txt": "a\n"})
    async with Runtime.open(tmp_path / "home") as runtime:
        await runtime.call("project.add", {"path": str(repo.root)})
        found = House(runtime, repo.root, monkeypatch)
        found.run = (await found.call("create", title="Login", goal="People can log in with a passkey."))[
            "id"
        ]
        yield found
