"""Runs of a project's processes: starting one where none runs, finding the newest, ending it."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.holders.access import check_start
from ade_runtime.holders.launch import NotStarted
from ade_runtime.holders.service import Draft
from ade_runtime.holders.starting import starting_in
from ade_runtime.processes.definitions import NEVER, ON_FAILURE, Definition, ready_of
from ade_runtime.processes.ports import accepts, listener
from ade_runtime.processes.readiness import Watch

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

LOG = (1024 * 1024, 4)
"""Files of so many bytes, and how many of them are kept of each run."""

AT_ONCE = 0.2
"""Seconds in which a command that fails at once has failed."""

TAIL = 2000
RESTARTS = {NEVER: "never", ON_FAILURE: "on_failure"}


@dataclass(frozen=True, slots=True)
class Run:
    record: HolderRecord
    seen: Seen

    @property
    def live(self) -> bool:
        return self.seen.live or self.seen.leftovers


class Runs:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._holders = services.holders

    async def start(self, call: Call, definition: Definition, lane: LaneRecord) -> tuple[Run, bool]:
        """The live run of a process in a lane, started where there is none; and whether it was. Trust is the caller's matter.

        Raises ``process_port_taken`` and ``command_not_started``.
        """
        from ade_runtime.holders.environment import command_environment, folder_in

        check_start(call)
        cwd = folder_in(self._services.lanes, lane, definition.cwd)
        env = command_environment(call, self._services.paths, lane, definition.env, terminal=False)
        async with starting_in(self._services, lane):
            found = await self.newest(lane, definition.name)
            if found is not None and found.live:
                return found, False
            await self._check_ports(definition)
            draft = Draft(
                kind="process",
                lane=lane,
                command=definition.command,
                cwd=cwd,
                env=env | {"PWD": str(cwd)},
                session=call.identity.session,
                name=definition.name,
                settings=definition.settings(),
                segment=LOG[0],
                keep=LOG[1],
                stop_signal=definition.stop_number,
                grace=definition.stop_timeout,
                restart=RESTARTS.get(definition.restart, "always"),
            )
            try:
                record = await self._holders.start(draft)
            except (NotStarted, OSError) as problem:
                raise errors.CommandNotStarted(
                    command=definition.command[0], reason=str(problem)
                ) from problem
        return Run(record, await self._holders.seen(record)), True

    async def await_ready(self, run: Run) -> Run:
        """The run once it is ready, or was given the time to fail at once. Raises ``process_failed`` and
        ``process_not_ready``; a process that is late goes on running."""
        record, ready = run.record, ready_of(run.record.settings)
        if not ready.any:
            await self._holders.wait(record, "steady", timeout=AT_ONCE)
            return await self._checked(record, failed=False)
        outcome = await Watch(self._holders, record, ready).wait()
        if outcome == "late":
            raise errors.ProcessNotReady(
                process=str(record.name), seconds=ready.timeout, details=await self._tail(record)
            )
        return await self._checked(record, failed=outcome == "ended")

    async def _checked(self, record: HolderRecord, *, failed: bool) -> Run:
        seen = await self._holders.seen(record)
        if failed or (seen.phase != "running" and (seen.exit_code or seen.signal)):
            how = f"exit code {seen.exit_code}" if seen.signal is None else f"signal {seen.signal}"
            raise errors.ProcessFailed(process=str(record.name), how=how, details=await self._tail(record))
        return Run(record, seen)

    async def _tail(self, record: HolderRecord) -> dict[str, Any]:
        from ade_runtime.holders.reading import read_text

        text = await read_text(self._holders, record, None, TAIL, plain=True)
        return {"process": record.id, "log": text.text}

    async def stop(self, run: Run, *, grace: float | None = None) -> Run:
        """End a run with everything it started, as its definition said when it was started."""
        if not run.live:
            return run
        settings = run.record.settings
        seconds = float(settings.get("stop_timeout", 10.0)) if grace is None else grace
        number = int(signal.Signals[f"SIG{settings.get('stop_signal', 'TERM')}"])
        return Run(run.record, await self._holders.end(run.record, grace=seconds, number=number))

    async def newest(self, lane: LaneRecord, name: str) -> Run | None:
        records = await self._holders.all(kind="process", lane=lane.id, name=name, limit=1)
        return Run(records[0], await self._holders.seen(records[0])) if records else None

    async def is_ready(self, run: Run) -> bool | None:
        """Whether it is ready as far as a look tells; ``None`` where its definition does not say."""
        ready = ready_of(run.record.settings)
        if not ready.any:
            return None
        if run.seen.phase != "running":
            return False
        for port in ready.ports:
            if not await accepts(port):
                return False
        if ready.log is None:
            return True
        return await Watch(self._holders, run.record, type(ready)(log=ready.log)).holds()

    async def _check_ports(self, definition: Definition) -> None:
        for port in definition.ready.ports:
            if await accepts(port):
                by = await asyncio.to_thread(listener, port)
                raise errors.ProcessPortTaken(process=definition.name, port=port, by=by)
