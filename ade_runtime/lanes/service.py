"""The lanes of all projects: what lane handlers and git handlers share."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.lanes.naming import PRIMARY, name_key
from ade_runtime.lanes.records import LaneRecord, primary_id, primary_lane
from ade_runtime.lanes.recovery import is_unfinished, settle
from ade_runtime.lanes.store import LaneStore
from ade_runtime.projects.locate import real
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.processes import Inhabitant
    from ade_runtime.pipeline.call import Call
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services


def no_fault(step: str) -> None:
    """Called after each step of a creation or deletion; tests put a crash in its place."""


class LaneService:
    """Finds lanes and opens their repositories. ``at_step`` is the fault point of creation and deletion."""

    def __init__(self, services: Services, at_step: Callable[[str], None] = no_fault) -> None:
        self._services = services
        self.store = LaneStore(services.database)
        self.locks = services.locks
        self.database = services.database
        self.at_step = at_step

    def now(self) -> datetime:
        """The current instant as rows keep it, in whole milliseconds."""
        return from_ms(to_ms(self._services.clock.now()))

    async def all(self, project: Project, *, archived: bool = True) -> list[LaneRecord]:
        """Every lane, the primary one first, then as they were made. Lanes that a killed process left
        half-made are finished or taken back first; those being made right now are left out."""
        records = await self.store.all(project)
        if any(map(is_unfinished, records)):
            if await settle(self, records):
                records = await self.store.all(project)
            records = [record for record in records if record.state != "creating"]
        if not archived:
            records = [record for record in records if record.state != "archived"]
        return [primary_lane(project), *records]

    async def find(self, project: Project, ref: str) -> LaneRecord:
        """The lane with the id ``ref``, else the one with that name in any spelling; raises
        ``lane_not_found``."""
        records = await self.all(project)
        for record in records:
            if record.id == ref:
                return record
        key = name_key(ref)
        for record in records:
            if name_key(record.name) == key:
                return record
        raise errors.LaneNotFound(lane=ref)

    async def names(self, ids: Iterable[str | None]) -> dict[str, str]:
        """Names of lanes by id, whatever their state; a lane that was deleted has none."""
        wanted = {one for one in ids if one is not None}
        if not wanted:
            return {}
        primaries = {primary_id(project): PRIMARY for project in await self._services.projects.all()}
        return {one: name for one, name in primaries.items() if one in wanted} | await self.store.names(
            wanted
        )

    async def resolve(self, call: Call, ref: str | None, *, write: bool) -> LaneRecord:
        """The lane a call means: the one it names, else the caller's own, else for reads the primary one.

        The caller's own is the lane it says it works in, else the one its working folder lies in. Raises
        ``lane_not_found`` and, for a write with nothing to go by, ``lane_required``.
        """
        record = await self._resolve(call, ref, write=write)
        call.subject = record.id
        return record

    async def _resolve(self, call: Call, ref: str | None, *, write: bool) -> LaneRecord:
        if ref is not None:
            return await self.find(call.project, ref)
        records = await self.all(call.project)
        own = next((r for r in records if call.caller.lane and call.caller.lane in (r.id, r.name)), None)
        if own is None and call.caller.lane and call.caller.lane != call.identity.lane:
            await self._check_known(call.caller.lane)
        own = own or lane_around(records, call.caller.cwd)
        if own is None or own.is_primary:
            if write:
                raise errors.LaneRequired(action=call.action.id)
            return records[0]
        return own

    async def _check_known(self, named: str) -> None:
        """Raise ``lane_not_found`` where the lane that the environment names is none of any project: to go on in another one
        would be to work in the wrong place. One of another project says nothing about this one."""
        primaries = {PRIMARY, *(primary_id(project) for project in await self._services.projects.all())}
        if named not in primaries and not await self.store.exists(named):
            hint = "The environment names it (ADE_LANE_ID): unset that, or name a lane; `ade lanes list --text` lists them."
            raise errors.LaneNotFound(lane=named, hint=hint)

    async def fresh(self, lane: LaneRecord) -> LaneRecord:
        """The lane as its row is now; raises ``lane_not_found`` when another call has deleted it since."""
        found = await self.store.get(lane.project, lane.id)
        if found is None:
            raise errors.LaneNotFound(lane=lane.name)
        return found

    @asynccontextmanager
    async def held(self, lane: LaneRecord) -> AsyncIterator[LaneRecord]:
        """The lane as its row is now, with its lock held: nobody else changes or deletes it meanwhile."""
        async with self.locks.lane(lane.id):
            yield await self.fresh(lane)

    def repository(self, record: LaneRecord, env: Mapping[str, str] | None = None) -> Repository:
        """Git bound to exactly this lane's worktree; raises ``lane_missing`` or ``project_missing``. ``env``
        is the caller's, where programs run on its behalf."""
        if not record.present:
            if record.is_primary:
                raise errors.ProjectMissing(project=record.project.name, path=str(record.path))
            what, where = record.lost
            raise errors.LaneMissing(lane=record.name, what=what, path=str(where))
        full = {**os.environ, **env} if env else None
        return Repository(record.path, record.project.git_dir, env=full)

    async def programs(self, lane: LaneRecord) -> list[Inhabitant]:
        """What runs in the lane: all that works in its folder, and what ADE keeps running for it, wherever that works."""
        from ade_runtime.holders.inhabitants import held_in
        from ade_runtime.lanes.processes import inside

        found = await asyncio.to_thread(inside, lane.path) if lane.present else []
        known = {one.pid for one in found}
        return [
            *found,
            *(one for one in await held_in(self._services.holders, lane.id) if one.pid not in known),
        ]

    def main(self, project: Project) -> Repository:
        """Git bound to the project's own checkout; raises ``project_missing``."""
        return self.repository(primary_lane(project))

    def parent_of(self, record: LaneRecord, records: Sequence[LaneRecord]) -> LaneRecord | None:
        """The lane that ``record`` stands on; the primary lane stands on none."""
        if record.is_primary:
            return None
        return next((r for r in records if r.id == record.parent_id), records[0])


def lane_around(records: list[LaneRecord], cwd: str | None) -> LaneRecord | None:
    """The lane whose worktree ``cwd`` lies in, the innermost where one lies inside another."""
    if not cwd:
        return None
    here = real(Path(cwd))
    around = [record for record in records if here.is_relative_to(record.path)]
    return max(around, key=lambda record: len(record.path.parts), default=None)
