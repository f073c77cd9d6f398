"""Queues of pull requests: each method finds one, has the work done in :mod:`ade_runtime.pulls`, and shows the outcome."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import pr as pr_models
from ade_generated.models import queue as models
from ade_generated.models.git import GitFetchInput
from ade_generated.models.types import IntegrationPart, PullQueue, QueueEntry
from ade_runtime.contracts import AdeError
from ade_runtime.domains.git import GitHandlers
from ade_runtime.domains.pr import PrHandlers
from ade_runtime.lanes.naming import PRIMARY
from ade_runtime.pulls.landing import Landing, Outcome, Steps
from ade_runtime.pulls.queues import Entry, Queue, Queues, check_going, reordered
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.weaving import Thread
    from ade_runtime.services import Services

LOOKS_EVERY = 5.0
"""Seconds between looks while somebody waits for the checks."""


class QueueHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._queues = Queues(services)
        self._prs = PrHandlers(services)

    async def create(self, call: Call, args: models.QueueCreateInput) -> PullQueue:
        lanes = await self._lanes(call, args.lanes)
        place = await self._services.pulls.place(call)
        place.check_writable()
        entries = [await self._entry(call, place, lane) for lane in lanes]
        queue = Queue(
            id=new_id("que"),
            project=call.project.id,
            repository=place.repository.reference,
            target=args.target or place.default_branch,
            state="active",
            method=args.method,
            entries=tuple(entries),
            created_at=from_ms(to_ms(self._services.clock.now())),
        )
        call.subject = queue.id
        await self._queues.add(queue)
        return await self._shown(queue)

    async def create_integration(
        self, call: Call, args: models.QueueCreateIntegrationInput
    ) -> models.QueueCreateIntegrationOutput:
        from ade_runtime.pulls import integration

        queue = None if args.queue is None else await self._named(call, args.queue)
        if queue is not None:
            check_going(queue)
        names = [entry.lane for entry in queue.waiting] if queue is not None else args.lanes or []
        lanes = await self._lanes(call, names)
        place = await self._services.pulls.place(call)
        place.check_writable()
        target = args.target or (queue.target if queue is not None else place.default_branch)
        call.progress(f"fetching from {place.remote}", None)
        await GitHandlers(self._services).fetch(call, GitFetchInput(lane=PRIMARY, remote=place.remote))
        numbers = await self._numbers(call, place, lanes)
        done = await integration.Integration(self._services, call, place, target).make(
            lanes,
            args.name or integration.default_name(lanes),
            skip=args.on_conflict == "skip",
            numbers=numbers,
        )
        taken = [one.head.name for one in done.threads if one.outcome != "conflict"]
        wanted = pr_models.PrCreateFromLaneInput(
            lane=done.lane.id,
            title=args.title or f"Integrate {integration.words(taken)}"[:250],
            body=args.body or integration.description(done, numbers),
            base=target,
            draft=args.draft,
        )
        try:
            opened = await self._prs.create_from_lane(call, wanted)
        except AdeError as problem:
            problem.hint = f"{problem.hint} Lane {done.lane.name} is made; the same call goes on.".strip()
            raise
        call.subject = done.lane.id
        return models.QueueCreateIntegrationOutput.model_validate(
            {
                "lane": done.lane.name,
                "lane_id": done.lane.id,
                "path": str(done.lane.path),
                "branch": done.lane.live_branch(),
                "commit": done.commit,
                "target": target,
                "created": done.created,
                "parts": [_part(one, numbers) for one in done.threads],
                "left_out": len(done.left_out),
                "pull": opened.pull,
                "pull_created": opened.created,
                "warnings": opened.warnings,
                "next": f"`ade prs watch {opened.pull.number} --until ready --wait 9m` waits for its checks.",
            }
        )

    async def state(self, call: Call, args: models.QueueStateInput) -> PullQueue:
        return await self._shown(await self._queues.find(call.project.id, args.queue))

    async def reorder(self, call: Call, args: models.QueueReorderInput) -> PullQueue:
        lanes = await self._lanes(call, args.lanes)
        found = await self._named(call, args.queue)
        async with self._services.locks.lane(found.id):
            queue = await self._queues.find(call.project.id, found.id)
            check_going(queue)
            queue = await self._queues.keep(reordered(queue, [lane.id for lane in lanes]))
        return await self._shown(queue)

    async def land_next(self, call: Call, args: models.QueueLandNextInput) -> models.QueueLandNextOutput:
        found = await self._named(call, args.queue)
        place = await self._services.pulls.place(call)
        place.check_writable()
        end = time.monotonic() + args.wait
        while True:
            queue, outcome = await self._land(call, place, found.id)
            left = end - time.monotonic()
            if outcome.result != "waiting" or left <= 0:
                break
            call.progress(outcome.reason, None)
            await asyncio.sleep(min(left, LOOKS_EVERY))
        shown = await self._shown(queue)
        entry = next(one for one in shown.entries if one.number == outcome.entry.number)
        return models.QueueLandNextOutput.model_validate(
            {
                "result": outcome.result,
                "reason": outcome.reason,
                "entry": entry,
                "queue": shown,
                "next": _next(queue, outcome),
            }
        )

    async def pause(self, call: Call, args: models.QueuePauseInput) -> PullQueue:
        return await self._become(call, args.queue, "paused")

    async def resume(self, call: Call, args: models.QueueResumeInput) -> PullQueue:
        return await self._become(call, args.queue, "active")

    async def cancel(self, call: Call, args: models.QueueCancelInput) -> PullQueue:
        return await self._become(call, args.queue, "cancelled")

    async def _land(self, call: Call, place: Place, identifier: str) -> tuple[Queue, Outcome]:
        async with self._services.locks.lane(identifier):
            queue = await self._queues.find(call.project.id, identifier)
            check_going(queue)
            if queue.state == "paused":
                raise errors.QueuePaused(queue=queue.id)
            landing = Landing(self._services, call, place, queue, self._steps(call, queue))
            outcome = await landing.land(queue.waiting[0])
            return await self._queues.keep(queue.with_entry(outcome.entry)), outcome

    def _steps(self, call: Call, queue: Queue) -> Steps:
        async def retarget(number: int, base: str) -> Any:
            return await self._prs.retarget_base(
                call, pr_models.PrRetargetBaseInput(number=number, base=base)
            )

        async def bring_up(number: int, commit: str) -> Any:
            wanted = pr_models.PrUpdateBranchInput(number=number, expect=commit)
            return await self._prs.update_branch(call, wanted)

        async def merge(number: int, commit: str) -> Any:
            values = {"number": number, "expect": commit}
            if queue.method is not None:
                values["method"] = queue.method
            return await self._prs.merge(call, pr_models.PrMergeInput.model_validate(values))

        return Steps(retarget, bring_up, merge)

    async def _become(self, call: Call, ref: str | None, state: str) -> PullQueue:
        found = await self._named(call, ref)
        async with self._services.locks.lane(found.id):
            queue = await self._queues.find(call.project.id, found.id)
            if queue.state != state:
                check_going(queue)
                queue = await self._queues.keep(replace(queue, state=state))
        return await self._shown(queue)

    async def _named(self, call: Call, ref: str | None) -> Queue:
        queue = await self._queues.find(call.project.id, ref)
        call.subject = queue.id
        return queue

    async def _lanes(self, call: Call, refs: Sequence[str]) -> list[LaneRecord]:
        lanes = [await self._services.lanes.find(call.project, ref) for ref in refs]
        for place, lane in enumerate(lanes):
            if lane in lanes[:place]:
                raise errors.QueueLaneTwice(lane=lane.name)
        return lanes

    async def _numbers(self, call: Call, place: Place, lanes: Sequence[LaneRecord]) -> dict[str, int]:
        """The pull requests of lanes that have one, by lane id."""
        found = [(lane.id, await self._services.pulls.number_of(call, place, lane)) for lane in lanes]
        return {lane: number for lane, number in found if number is not None}

    async def _entry(self, call: Call, place: Place, lane: LaneRecord) -> Entry:
        """The pull request of a lane, which must be open."""
        number = await self._services.pulls.number_of(call, place, lane)
        if number is None:
            raise errors.PrNotLinked(lane=lane.name)
        pull = await self._services.pulls.read(call, place, number)
        if pull.state != "open":
            raise errors.PrOver(number=number, state=pull.state)
        return Entry(lane.id, number)

    async def _shown(self, queue: Queue) -> PullQueue:
        names = await self._services.lanes.names([entry.lane for entry in queue.entries])
        return PullQueue.model_validate(
            {
                "id": queue.id,
                "state": queue.state,
                "repository": queue.repository,
                "target": queue.target,
                "method": queue.method,
                "entries": [_entry_shown(entry, names.get(entry.lane)) for entry in queue.entries],
                "landed": len(queue.entries) - len(queue.waiting),
                "total": len(queue.entries),
                "created_at": queue.created_at,
            }
        )


def _entry_shown(entry: Entry, name: str | None) -> QueueEntry:
    return QueueEntry.model_validate(
        {
            "lane": name or entry.lane,
            "number": entry.number,
            "state": entry.state,
            "note": entry.note,
            "merge_commit": entry.merge_commit,
        }
    )


def _part(thread: Thread, numbers: dict[str, int]) -> IntegrationPart:
    lane = thread.head.lane
    return IntegrationPart.model_validate(
        {
            "lane": thread.head.name,
            "number": None if lane is None else numbers.get(lane.id),
            "commit": thread.head.commit,
            "outcome": thread.outcome,
            "conflicts": len(thread.files),
            "files": list(thread.files[:50]),
            "conflicts_with": list(thread.rivals),
        }
    )


def _next(queue: Queue, outcome: Outcome) -> str:
    if queue.state == "done":
        return "All of it has landed."
    if outcome.result == "blocked":
        how = f"`ade prs issue-inventory {outcome.entry.number} --text` tells what to do"
        return f"{how}; `ade queues reorder` lets others land first."
    return f"`ade queues land-next {queue.id} --wait 9m` goes on."
