"""Runs of tests: started in a holder that also keeps their time, waited for, judged when they have ended."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.holders.access import check_start
from ade_runtime.holders.launch import NotStarted
from ade_runtime.holders.service import Draft
from ade_runtime.holders.starting import starting_in
from ade_runtime.lanes.failures import to_the_end
from ade_runtime.testing.junit import Unreadable, read_report, written_at
from ade_runtime.testing.suites import Suite

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

LOG = (1024 * 1024, 4)
GRACE = 5.0
"""Seconds between asking a run to end and killing it."""

LINE_SHOWN = 120
PROGRESS_PAUSE = 0.2
READ = 262144
OWN_REPORT = "junit.xml"


@dataclass(frozen=True, slots=True)
class Run:
    record: HolderRecord
    seen: Seen

    @property
    def over(self) -> bool:
        return not self.seen.live


class Runs:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._holders = services.holders

    async def start(self, call: Call, suite: Suite, lane: LaneRecord, timeout: float | None) -> Run:
        """Start a suite in a lane. Trust is the caller's matter; raises ``command_not_started``."""
        from ade_runtime.holders.environment import command_environment, folder_in

        check_start(call)
        cwd = folder_in(self._services.lanes, lane, suite.cwd)
        env = command_environment(call, self._services.paths, lane, suite.env, terminal=False)
        limit = suite.timeout if timeout is None else timeout
        run_id = self._holders.new_id("test")
        command, report = suite.command, None if suite.junit is None else cwd / suite.junit
        if suite.own_junit:
            report = self._holders.folder(run_id) / OWN_REPORT
            command = (*command, f"--junitxml={report}")
        draft = Draft(
            kind="test",
            id=run_id,
            lane=lane,
            command=command,
            cwd=cwd,
            env=env | {"PWD": str(cwd), "CI": env.get("CI", "1")},
            session=call.identity.session,
            name=suite.name,
            settings={
                "origin": suite.origin,
                "timeout": limit,
                "junit": None if report is None else str(report),
                "root": None if suite.own_junit else str(lane.path),
                "before": 0 if report is None else written_at(report),
            },
            segment=LOG[0],
            keep=LOG[1],
            grace=GRACE,
            timeout=limit,
        )
        try:
            async with starting_in(self._services, lane):
                record = await self._holders.start(draft)
        except (NotStarted, OSError) as problem:
            raise errors.CommandNotStarted(command=suite.command[0] or "''", reason=str(problem)) from problem
        return Run(record, await self._holders.seen(record))

    async def wait(self, call: Call, run: Run) -> Run:
        """The run once it is over, with its last line told as progress. Who stops waiting stops the run."""
        record = run.record
        shown = asyncio.create_task(self._show(call, record))
        try:
            await self._holders.wait(record, "gone", timeout=None)
        except asyncio.CancelledError:
            await to_the_end(self.stop(run, GRACE))
            raise
        finally:
            shown.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await shown
        return await self.judged(Run(record, await self._holders.seen(record)))

    async def stop(self, run: Run, grace: float) -> Run:
        """End a run with everything it started."""
        if run.over and not run.seen.leftovers:
            return await self.judged(run)
        return await self.judged(Run(run.record, await self._holders.end(run.record, grace=grace)))

    async def judged(self, run: Run) -> Run:
        """The run with its summary, which is made from the report when its end is first seen."""
        record = await self._holders.find(run.record.id, "test") or run.record
        if not run.over or record.outcome is None or "summary" in record.outcome:
            return Run(record, run.seen)
        summary, note = await asyncio.to_thread(self._summary, record)
        return Run(await self._holders.keep_outcome(record, {"summary": summary, "note": note}), run.seen)

    async def find(self, run_id: str, project: str) -> Run:
        """The run with that id; raises ``test_run_not_found``."""
        record = await self._holders.find(run_id, "test")
        if record is None or record.project_id != project:
            raise errors.TestRunNotFound(run=run_id)
        return await self.judged(Run(record, await self._holders.seen(record)))

    async def listed(self, records: list[HolderRecord]) -> list[Run]:
        seen = await self._holders.see(records)
        return [await self.judged(Run(one, seen[one.id])) for one in records]

    def _summary(self, record: HolderRecord) -> tuple[dict[str, Any] | None, str | None]:
        """What the report says, else why there is nothing; neither where none was to be written."""
        named = record.settings.get("junit")
        if named is None:
            return None, None
        try:
            root = record.settings.get("root")
            found = read_report(
                Path(named), int(record.settings.get("before", 0)), None if root is None else Path(root)
            )
        except Unreadable as problem:
            return None, str(problem)
        failures = [asdict(one) for one in found.failures]
        return {
            "total": found.total,
            "passed": found.passed,
            "failed": found.failed,
            "errors": found.errors,
            "skipped": found.skipped,
            "seconds": round(found.seconds, 3),
            "failures": failures,
        }, None

    async def _show(self, call: Call, record: HolderRecord) -> None:
        """Tell the newest line whenever there is one."""
        from ade_runtime.terminals.text import plain

        cursor = 0
        while await self._holders.wait(record, "output", cursor=cursor, timeout=None):
            _, end = self._holders.extent(record)
            if end <= cursor:
                return
            cursor = end
            _, data = await asyncio.to_thread(self._holders.read, record, max(0, end - 4096), 4096)
            lines = [line.strip() for line in plain(data).splitlines() if line.strip()]
            if lines:
                call.progress(lines[-1][:LINE_SHOWN], None)
            await asyncio.sleep(PROGRESS_PAUSE)
