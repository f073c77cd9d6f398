"""The runs of one ADE_HOME. Every change goes through :meth:`Runs.change`: one transaction, one entry of history, one event."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ade_generated import errors
from ade_runtime.runs import bundle, cancelling, heartbeats, leases, outbox, phases, store, tasks
from ade_runtime.runs.document import Manifest, instant, new_manifest
from ade_runtime.runs.kept import Kept
from ade_runtime.storage.ids import new_id

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.runs.store import HistoryEntry, RunRecord
    from ade_runtime.services import Services

T = TypeVar("T")
Mutation = Callable[[Manifest, str], T]
"""Changes a manifest in place at an instant, given as text; raises to leave everything as it is."""

GIVEN_BACK = 256 * 1024
"""Most bytes of a manifest that a refused change gives back."""


class Runs:
    def __init__(self, services: Services) -> None:
        self._services = services
        self.kept = Kept()

    @staticmethod
    def new_identifier() -> str:
        return new_id("run")

    async def create(
        self,
        run: str,
        lane: LaneRecord,
        *,
        title: str,
        goal: str,
        lead: str,
        actor: str,
        done: Callable[[Connection, RunRecord, Manifest], Any],
    ) -> RunRecord:
        """Put a run there, with its plan in the lane; ``done`` is called in the same transaction."""
        now = self._services.sessions.now()
        folder = bundle.folder_of(lane.path, run)
        manifest = new_manifest(
            run=run,
            lane=lane.id,
            bundle=str(folder),
            title=title,
            goal=goal,
            lead=lead,
            at=now,
            etag=new_id(store.ETAG),
        )
        await asyncio.to_thread(bundle.make, folder, title, goal)

        def write(db: Connection) -> RunRecord:
            record = store.add(db, lane.project.id, manifest, actor, now)
            done(db, record, manifest)
            return record

        record = await self._services.database.write(write)
        self.tell(record, "created")
        return record

    async def find(self, project: str, run: str) -> RunRecord:
        """A run of the project; raises ``run_not_found``."""
        record = await self._services.database.read(lambda db: store.record(db, run))
        if record.project != project:
            raise errors.RunNotFound(run=run)
        return record

    async def listed(self, project: str, *, everything: bool) -> list[RunRecord]:
        return await self._services.database.read(lambda db: store.listed(db, project, everything=everything))

    async def manifest(self, run: str) -> Manifest:
        return await self._services.database.read(lambda db: store.load(db, run))

    async def alive(self, run: str) -> Manifest:
        """:meth:`manifest` with signs of life, to be shown."""

        def read(db: Connection) -> Manifest:
            manifest = store.load(db, run)
            heard = heartbeats.heard(db, run, [one["sessionId"] for one in manifest["agents"]])
            return leases.show_alive(manifest, heartbeats.times(heard))

        await self._services.heartbeats.flush()
        return await self._services.database.read(read)

    async def history(self, run: str) -> list[HistoryEntry]:
        return await self._services.database.read(lambda db: store.history(db, run))

    async def change(
        self,
        run: str,
        actor: str,
        kind: str,
        summary: str,
        mutate: Mutation[T],
        *,
        etag: str | None = None,
        also: Callable[[Connection], Any] | None = None,
        late: bool = False,
    ) -> T:
        """Change the manifest; with ``etag`` only that very state of it. ``also`` is called in the same transaction. With
        ``late`` a run that is completed may be changed, too."""

        def write(db: Connection) -> tuple[T, RunRecord]:
            result = self.change_in(db, run, actor, kind, summary, mutate, etag=etag, late=late)
            if also is not None:
                also(db)
            return result, store.record(db, run)

        result, record = await self._services.database.write(write)
        self.tell(record, kind)
        return result

    def change_in(
        self,
        db: Connection,
        run: str,
        actor: str,
        kind: str,
        summary: str,
        mutate: Mutation[T],
        *,
        etag: str | None = None,
        late: bool = False,
    ) -> T:
        """:meth:`change` inside a transaction of the caller's, who tells of it once it is over."""
        over = late and store.record(db, run).state == "completed"
        if not over:
            self.check_active(db, run)
        manifest = self.kept.take(db, run)
        if etag is not None and etag != manifest["etag"]:
            raise errors.EtagConflict(run=run, etag=etag, details=_given_back(manifest))
        now = self._services.sessions.now()
        result = mutate(manifest, instant(now))
        if over:
            self.kept.save(db, manifest, actor, kind, summary, now)
        else:
            self.put(db, manifest, actor, kind, summary, now)
        return (
            copy.deepcopy(result) if isinstance(result, (dict, list)) else result
        )  # the manifest stays here

    def put(
        self, db: Connection, manifest: Manifest, actor: str, kind: str, summary: str, now: datetime
    ) -> None:
        """Store a manifest that was changed in the caller's transaction. Where nothing is lacking any more the run goes on to
        its next phase with it, which its lead is told."""
        moves = phases.advance(manifest, instant(now))
        self.kept.save(db, manifest, actor, kind, "; ".join([summary[:400], *moves]), now)
        for told in moves:
            self.promise(db, manifest, f"{told[0].upper()}{told[1:]}.", once=told)

    def promise(
        self,
        db: Connection,
        manifest: Manifest,
        text: str,
        *,
        once: str | None = None,
        task: str | None = None,
    ) -> None:
        """Promise in the caller's transaction to tell the lead something; :meth:`tell` has it delivered."""
        run, lead, now = manifest["runId"], tasks.lead_of(manifest), self._services.sessions.now()
        outbox.enqueue(db, run, kind="lead_status", target=lead, text=text, at=now, once=once, task=task)

    async def cancel(self, run: str, actor: str, reason: str | None) -> list[str]:
        """Stop a run for good: its agents lose what they hold and are ended, its lead is, too. Gives the agents."""
        stopped: list[str] = []
        asked: list[str] = []

        def mutate(manifest: Manifest, now: str) -> None:
            stopped[:] = cancelling.cancel_all(manifest, now, reason)
            pending = manifest["leadState"]["planning"]["pendingQuestion"]
            asked[:] = [] if pending is None else [str(pending["questionId"])]
            manifest["leadState"]["planning"]["pendingQuestion"] = None

        def end(db: Connection) -> None:
            cancelling.promise_ends(db, self._services, run, stopped, reason)
            cancelling.end_sessions(db, self._services, run, stopped)
            for question in asked:
                self._services.questions.withdraw_in(db, question)
            store.set_state(db, run, "cancelled")

        summary = f"Cancelled: {reason}" if reason else "Cancelled"
        await self.change(run, actor, "cancelled", summary, mutate, also=end)
        self._services.sessions.changed()
        for question in asked:
            await self._services.questions.withdrawn(question)
        await cancelling.end_chats(self._services, run, stopped)
        self._services.deliveries.wake()
        return stopped

    @staticmethod
    def check_active(db: Connection, run: str) -> None:
        """Raise ``run_over`` for a run that is completed, was cancelled, or is not of here."""
        if store.record(db, run).state != "active":
            raise errors.RunOver(run=run)

    async def plan(self, manifest: Manifest) -> bytes:
        """The exact bytes of the run's plan."""
        return await asyncio.to_thread(bundle.read_plan, Path(manifest["bundlePath"]))

    async def write_plan(self, run: str, text: str, replaces: str | None, *, append: bool) -> str:
        """Replace the plan that has the SHA-256 ``replaces``, or add to it, and give the new one's."""
        manifest = await self.manifest(run)
        folder = Path(manifest["bundlePath"])

        def write() -> str:
            before = bundle.read_plan(folder) if append else b""
            return bundle.write_plan(folder, before + text.encode(), replaces)

        async with self._services.locks.lane(manifest["laneId"]):
            return await asyncio.to_thread(write)

    async def add_note(self, run: str, author: str, text: str) -> None:
        """Add to what members note beside the plan, under a heading that says who and when."""
        manifest = await self.manifest(run)
        folder, at = Path(manifest["bundlePath"]), instant(self._services.sessions.now())
        note = f"## {author}, {at}\n\n{text.strip()}\n\n"
        async with self._services.locks.lane(manifest["laneId"]):
            await asyncio.to_thread(bundle.add_note, folder, note)

    async def notes(self, manifest: Manifest) -> bytes:
        """What members have noted beside the plan."""
        return await asyncio.to_thread(bundle.read_plan, Path(manifest["bundlePath"]), bundle.NOTES)

    def tell(self, record: RunRecord, kind: str) -> None:
        """Tell of a change once its transaction is over, and deliver what it promised."""
        self._services.events.publish(
            "run.changed",
            project=record.project,
            lane=record.lane,
            session=record.lead,
            subject=record.id,
            data={"kind": kind, "phase": record.phase, "etag": record.etag, "state": record.state},
        )
        self.attend()

    def attend(self) -> None:
        """Deliver what is promised, and watch over runs from now on, where this process is the runtime."""
        self._services.deliveries.wake()
        self._services.run_budgets.start()
        self._services.run_sweeper.start()


def _given_back(manifest: Manifest) -> dict[str, Any]:
    import orjson

    details: dict[str, Any] = {"etag": manifest["etag"]}
    if len(orjson.dumps(manifest)) <= GIVEN_BACK:
        details["manifest"] = manifest
    return details
