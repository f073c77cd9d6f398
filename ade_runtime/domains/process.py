"""The processes of a project: each method finds the definition or the run, and has :class:`Runs` do the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import process as models
from ade_generated.models.types import Process, ProcessLog
from ade_runtime.contracts import AdeError
from ade_runtime.holders.access import check_read
from ade_runtime.paging import cut
from ade_runtime.processes.definitions import Definition, defined, find
from ade_runtime.processes.runs import Run, Runs
from ade_runtime.processes.view import definition, process

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class ProcessHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._runs = Runs(services)

    async def definitions(
        self, call: Call, args: models.ProcessDefinitionsInput
    ) -> models.ProcessDefinitionsOutput:
        loaded = await self._services.config.load(call.project)
        trusted = await self._services.config.is_trusted(call.project, loaded)
        page, rest = cut(defined(loaded), args.cursor, args.limit, key=lambda one: one.name)
        items = []
        for one in page:
            lane = await self._lane(call, args.lane, one)
            items.append(definition(one, trusted=trusted, run=await self._runs.newest(lane, one.name)))
        total = len(loaded.config.processes or {})
        return models.ProcessDefinitionsOutput(items=items, total=total, next=rest)

    async def list(self, call: Call, args: models.ProcessListInput) -> models.ProcessListOutput:
        lane = None if args.lane is None else (await self._services.lanes.find(call.project, args.lane)).id
        holders = self._services.holders
        records = await holders.all(kind="process", project=call.project.id, lane=lane)
        if not args.all:
            newest = {(one.lane_id, one.name): one for one in reversed(records)}
            records = [one for one in records if newest[one.lane_id, one.name] is one]
        page, rest = cut(records, args.cursor, args.limit, key=lambda one: one.id)
        seen = await holders.see(page)
        items = [await self._told(Run(one, seen[one.id])) for one in page]
        return models.ProcessListOutput(items=items, total=len(records), next=rest)

    async def start(self, call: Call, args: models.ProcessStartInput) -> models.ProcessStartOutput:
        one = await self._trusted(call, args.process)
        lane = await self._lane(call, args.lane, one)
        run, started = await self._runs.start(call, one, lane)
        call.subject = run.record.id
        if args.wait:
            call.progress(f"Waiting for {one.name} to be ready", None)
            run = await self._runs.await_ready(run)
        return models.ProcessStartOutput(started=started, process=await self._told(run))

    async def start_all(self, call: Call, args: models.ProcessStartAllInput) -> models.ProcessStartAllOutput:
        loaded = await self._services.config.load(call.project)
        wanted = defined(loaded)
        if wanted:
            await self._services.config.require_trust(call.project, loaded, f"processes.{wanted[0].name}")
        items, failures = [], []
        for place, one in enumerate(wanted):
            call.progress(f"Starting {one.name}", place / len(wanted))
            try:
                run, _ = await self._runs.start(call, one, await self._lane(call, args.lane, one))
                if args.wait:
                    run = await self._runs.await_ready(run)
                items.append(await self._told(run))
            except AdeError as problem:
                failures.append({"name": one.name, "code": problem.code, "message": problem.message})
        document = {"items": items, "total": len(items), "next": None, "failures": failures}
        return models.ProcessStartAllOutput.model_validate(document)

    async def stop(self, call: Call, args: models.ProcessStopInput) -> Process:
        run = await self._run(call, args.process, args.lane)
        call.progress(f"Stopping {run.record.name}", None)
        return await self._told(await self._runs.stop(run, grace=args.grace))

    async def restart(self, call: Call, args: models.ProcessRestartInput) -> Process:
        one = await self._trusted(call, args.process)
        lane = await self._lane(call, args.lane, one)
        before = await self._runs.newest(lane, one.name)
        if before is not None:
            call.progress(f"Stopping {one.name}", None)
            await self._runs.stop(before)
        run, _ = await self._runs.start(call, one, lane)
        call.subject = run.record.id
        if args.wait:
            call.progress(f"Waiting for {one.name} to be ready", None)
            run = await self._runs.await_ready(run)
        return await self._told(run)

    async def logs(self, call: Call, args: models.ProcessLogsInput) -> ProcessLog:
        from ade_runtime.holders.reading import read_text

        run = await self._run(call, args.process, args.lane)
        await check_read(self._services, call, run.record)
        holders = self._services.holders
        text = await read_text(
            holders, run.record, args.cursor, args.max_bytes, plain=args.plain, wait=args.wait
        )
        return ProcessLog(
            process=await self._told(Run(run.record, text.seen)),
            text=text.text,
            cursor=text.cursor,
            next=text.next,
            dropped=text.dropped,
            more=text.more,
        )

    async def _trusted(self, call: Call, name: str) -> Definition:
        loaded = await self._services.config.load(call.project)
        one = find(loaded, name)
        await self._services.config.require_trust(call.project, loaded, f"processes.{name}")
        return one

    async def _lane(self, call: Call, named: str | None, one: Definition | None) -> LaneRecord:
        """The lane named, else the caller's own, else the one the definition names, else the primary one."""
        lanes = self._services.lanes
        if named is None:
            own = await lanes.resolve(call, None, write=False)
            if not own.is_primary or one is None or one.lane is None:
                return own
            named = one.lane
        return await lanes.find(call.project, named)

    async def _run(self, call: Call, ref: str, named: str | None) -> Run:
        """The run with that id, else the newest one of the process of that name; raises ``process_run_not_found``."""
        holders = self._services.holders
        record = await holders.find(ref, "process")
        if record is not None and record.project_id == call.project.id:
            await self._check_lane(call, record, named)
            call.subject = record.id
            return Run(record, await holders.seen(record))
        loaded = await self._services.config.load(call.project)
        config = (loaded.config.processes or {}).get(ref)
        lane = await self._lane(call, named, None if config is None else find(loaded, ref))
        run = await self._runs.newest(lane, ref)
        if run is None:
            raise errors.ProcessRunNotFound(process=ref, lane=lane.name)
        call.subject = run.record.id
        return run

    async def _check_lane(self, call: Call, record: HolderRecord, named: str | None) -> None:
        """A run named by its id is in the lane that was named, or that the call was held to."""
        if named is not None and (await self._services.lanes.find(call.project, named)).id != record.lane_id:
            raise errors.ProcessRunNotFound(process=record.id, lane=named)

    async def _told(self, run: Run) -> Process:
        return process(run, await self._runs.is_ready(run))
