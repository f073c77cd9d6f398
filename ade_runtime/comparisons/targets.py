"""Which lanes an action means and what each is to be merged into."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.types import ConflictFailure
from ade_runtime.comparisons.heads import Head, active_lanes, lane_head, ref_head
from ade_runtime.comparisons.work import each, failure
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch, scratch
from ade_runtime.lanes.records import primary_lane

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where merges are tried: the main repository with a scratch place. ``snapshots`` is that place when
    uncommitted work is to be counted."""

    services: Services
    call: Call
    main: Repository
    place: Scratch
    snapshots: Scratch | None

    async def head(self, record: LaneRecord) -> Head:
        return await lane_head(self.services.lanes, record, self.snapshots, self.call.caller.env)

    async def target(self, lane: str | None, ref: str | None) -> Head | None:
        """The target a caller names, or ``None``."""
        if ref is not None:
            return await ref_head(self.main, ref)
        if lane is not None:
            return await self.head(await self.services.lanes.find(self.call.project, lane))
        return None

    async def parent(self, record: LaneRecord) -> Head | None:
        """The head of the lane's parent; ``None`` for the primary lane."""
        lanes = self.services.lanes
        parent = lanes.parent_of(record, await lanes.all(record.project))
        return None if parent is None else await self.head(parent)


@dataclass(slots=True)
class Heads:
    """Heads of the lanes that could be looked at, in order, and why the others could not."""

    found: list[Head] = field(default_factory=list)
    failures: list[ConflictFailure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@contextlib.asynccontextmanager
async def open_bench(services: Services, call: Call, *, uncommitted: bool) -> AsyncIterator[Bench]:
    main = services.lanes.repository(primary_lane(call.project), call.caller.env)
    async with scratch(main) as place:
        yield Bench(
            services=services, call=call, main=main, place=place, snapshots=place if uncommitted else None
        )


async def named_lanes(services: Services, call: Call, refs: Sequence[str]) -> list[LaneRecord]:
    """The lanes with these names or ids, each once; raises ``lane_not_found``."""
    records = [await services.lanes.find(call.project, ref) for ref in refs]
    return list({record.id: record for record in records}.values())


async def chosen_lanes(
    services: Services, call: Call, refs: Sequence[str] | None, *, most: int
) -> tuple[list[LaneRecord], list[str]]:
    """The lanes a caller names, else all in which work goes on; and a note when there are too many of
    them."""
    if refs is not None:
        return await named_lanes(services, call, refs), []
    records = await active_lanes(services.lanes, call.project)
    if len(records) <= most:
        return records, []
    return records[:most], [
        f"{len(records) - most} of {len(records)} lanes were left out; name the ones to compare."
    ]


async def heads_of(bench: Bench, records: Sequence[LaneRecord]) -> Heads:
    """Heads of all lanes. The one lane of a single-lane question must be there: its error is raised."""
    outcome = await each(records, bench.head)
    if outcome.failed and len(records) == 1:
        raise outcome.failed[0][1]
    found = Heads([head for _, head in outcome.done])
    found.failures = [failure([record.name], problem) for record, problem in outcome.failed]
    found.notes = [note for head in found.found for note in head.notes]
    return found


def require_target(record: LaneRecord, target: Head | None) -> Head:
    if target is None:
        raise no_parent(record)
    return target


def no_parent(record: LaneRecord) -> AdeError:
    return errors.NoComparison(lane=record.name, missing="parent")
