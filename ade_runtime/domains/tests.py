"""The tests of a project: each method finds the suite or the run, and has :class:`Runs` do the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import tests as models
from ade_generated.models.types import TestRun
from ade_runtime.holders.access import check_read, may_read
from ade_runtime.holders.reading import read_text
from ade_runtime.holders.records import shown_command
from ade_runtime.paging import cut
from ade_runtime.testing.runs import Run, Runs
from ade_runtime.testing.suites import TIMEOUT, Suite, all_suites, chosen
from ade_runtime.testing.view import suite, test_run

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

TAIL = 4096


class TestsHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._runs = Runs(services)

    async def suites(self, call: Call, args: models.TestsSuitesInput) -> models.TestsSuitesOutput:
        lane = await self._services.lanes.resolve(call, args.lane, write=False)
        config = await self._services.config.load(call.project)
        found = await all_suites(config, lane.path)
        trusted = await self._services.config.is_trusted(call.project, config)
        page, rest = cut(found, args.cursor, args.limit, key=lambda one: one.name)
        items = [suite(one, trusted=trusted) for one in page]
        return models.TestsSuitesOutput(items=items, total=len(found), next=rest)

    async def run(self, call: Call, args: models.TestsRunInput) -> models.TestsRunOutput:
        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        one = await self._suite(call, args, lane)
        run = await self._runs.start(call, one, lane, args.timeout)
        call.subject = run.record.id
        if args.wait:
            run = await self._runs.wait(call, run)
        holders = self._services.holders
        tail = await read_text(holders, run.record, None, TAIL, plain=True)
        told = test_run(run)
        if args.check and args.wait and told.state != "passed":
            details = {"run": told.to_wire(), "log": tail.text}
            raise errors.TestsFailed(suite=one.name, state=told.state, run=told.id, details=details)
        return models.TestsRunOutput(run=told, log=tail.text, log_cursor=tail.cursor)

    async def runs(self, call: Call, args: models.TestsRunsInput) -> models.TestsRunsOutput:
        lane = None if args.lane is None else (await self._services.lanes.find(call.project, args.lane)).id
        records = await self._services.holders.all(
            kind="test", project=call.project.id, lane=lane, name=args.suite
        )
        shown = [one for one in records if await may_read(self._services, call, one)]
        page, rest = cut(shown, args.cursor, args.limit, key=lambda one: one.id)
        items = [test_run(one) for one in await self._runs.listed(page)]
        return models.TestsRunsOutput(items=items, total=len(shown), next=rest)

    async def logs(self, call: Call, args: models.TestsLogsInput) -> models.TestsLogsOutput:
        run = await self._find(call, args.run)
        await check_read(self._services, call, run.record)
        holders = self._services.holders
        text = await read_text(
            holders, run.record, args.cursor, args.max_bytes, plain=args.plain, wait=args.wait
        )
        return models.TestsLogsOutput(
            run=test_run(await self._runs.judged(Run(run.record, text.seen))),
            text=text.text,
            cursor=text.cursor,
            next=text.next,
            dropped=text.dropped,
            more=text.more,
        )

    async def stop(self, call: Call, args: models.TestsStopInput) -> TestRun:
        run = await self._find(call, args.run)
        if args.lane is not None:
            lane = await self._services.lanes.find(call.project, args.lane)
            if lane.id != run.record.lane_id:
                raise errors.TestRunNotFound(run=args.run)
        return test_run(await self._runs.stop(run, args.grace))

    async def _suite(self, call: Call, args: models.TestsRunInput, lane: LaneRecord) -> Suite:
        """What to run: the command that was given, else a suite; one of the configuration needs the owner's trust."""
        if args.command is not None:
            command = tuple(args.command)
            name = shown_command(command)[:60]
            return Suite(name=name, origin="command", command=command, cwd=args.cwd, timeout=TIMEOUT)
        config = await self._services.config.load(call.project)
        one = chosen(await all_suites(config, lane.path), args.suite)
        if one.origin == "config":
            await self._services.config.require_trust(call.project, config, f"tests.suites.{one.name}")
        return one

    async def _find(self, call: Call, ref: str) -> Run:
        run = await self._runs.find(ref, call.project.id)
        call.subject = run.record.id
        return run
