"""Terminals: each method finds the terminal, checks that it is the caller's, and asks its holder."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import terminal as models
from ade_generated.models.types import Terminal
from ade_runtime.holders.access import check_change, check_read, check_start, may_read
from ade_runtime.holders.ask import Slow, Unreachable
from ade_runtime.holders.launch import NotStarted
from ade_runtime.holders.service import Draft
from ade_runtime.holders.starting import starting_in
from ade_runtime.machine.ancestry import chain_of, look
from ade_runtime.paging import cut
from ade_runtime.terminals.room import SCROLLBACK, check_room
from ade_runtime.terminals.view import terminal

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord, Seen
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

WRITE_SECONDS = 3.0
FRONT = frozenset(["INT", "QUIT", "TSTP", "WINCH"])
"""Signals that a keyboard sends: they go to the program in front, others to everything in the terminal."""


class TerminalHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._holders = services.holders

    async def start(self, call: Call, args: models.TerminalStartInput) -> Terminal:
        from ade_runtime.holders.environment import command_environment, folder_in, login_shell

        check_start(call)
        lane = await self._services.lanes.resolve(call, args.lane, write=True)
        cwd = folder_in(self._services.lanes, lane, args.cwd)
        env = command_environment(call, self._services.paths, lane, args.env, terminal=True)
        command = tuple(args.command or [login_shell(call)])
        await check_room(self._holders, lane.project.id)
        draft = Draft(
            kind="terminal",
            lane=lane,
            command=command,
            cwd=cwd,
            env=env | {"PWD": str(cwd)},
            session=call.identity.session,
            title=args.title,
            terminal=(args.rows, args.columns),
            segment=SCROLLBACK[0],
            keep=SCROLLBACK[1],
            linger=True,
            stop_signal=signal.SIGHUP,
        )
        try:
            async with starting_in(self._services, lane):
                record = await self._holders.start(draft)
        except (NotStarted, OSError) as problem:
            raise errors.CommandNotStarted(command=command[0] or "''", reason=str(problem)) from problem
        call.subject = record.id
        return terminal(record, await self._holders.seen(record))

    async def list(self, call: Call, args: models.TerminalListInput) -> models.TerminalListOutput:
        lane = None if args.lane is None else (await self._services.lanes.find(call.project, args.lane)).id
        records = await self._holders.all(kind="terminal", project=call.project.id, lane=lane, ended=args.all)
        seen = await self._holders.see(records)
        shown = [one for one in records if args.all or seen[one.id].live or seen[one.id].leftovers]
        shown = [one for one in shown if await may_read(self._services, call, one)]
        page, rest = cut(shown, args.cursor, args.limit, key=lambda one: one.id)
        items = [terminal(one, seen[one.id]) for one in page]
        return models.TerminalListOutput(items=items, total=len(shown), next=rest)

    async def read(self, call: Call, args: models.TerminalReadInput) -> models.TerminalReadOutput:
        from ade_runtime.holders.reading import read_text

        record = await self._find(call, args.terminal)
        await check_read(self._services, call, record)
        text = await read_text(
            self._holders, record, args.cursor, args.max_bytes, plain=args.plain, wait=args.wait
        )
        return models.TerminalReadOutput(
            terminal=terminal(record, text.seen),
            text=text.text,
            cursor=text.cursor,
            next=text.next,
            dropped=text.dropped,
            more=text.more,
        )

    async def write(self, call: Call, args: models.TerminalWriteInput) -> models.TerminalWriteOutput:
        from ade_runtime.terminals.keys import KEYS

        record = await self._own(call, args.terminal)
        seen = await self._holders.seen(record)
        self._check_reachable(record, seen)
        typed = (args.text or "") + "".join(KEYS[key] for key in args.keys or [])
        data = typed.encode("utf-8", "surrogateescape")
        _, before = self._holders.extent(record)
        for start in range(0, len(data), 4096):
            answer = await self._ask(record, {"op": "write"}, data[start : start + 4096])
            if answer["full"]:
                raise errors.TerminalInputFull(terminal=record.id)
        return models.TerminalWriteOutput(terminal=record.id, written=len(data), cursor=before)

    async def resize(self, call: Call, args: models.TerminalResizeInput) -> Terminal:
        record = await self._own(call, args.terminal)
        self._check_reachable(record, await self._holders.seen(record))
        await self._ask(record, {"op": "resize", "rows": args.rows, "columns": args.columns})
        await self._ask(
            record, {"op": "info"}
        )  # answered after the turn that put the new size into the folder
        return terminal(record, await self._holders.seen(record))

    async def signal(self, call: Call, args: models.TerminalSignalInput) -> models.TerminalSignalOutput:
        record = await self._own(call, args.terminal)
        seen = await self._holders.seen(record)
        if not seen.leftovers:
            self._check_reachable(record, seen)
        number = int(signal.Signals[f"SIG{args.signal}"])
        request = {"op": "signal", "number": number, "foreground": args.signal in FRONT}
        answer = await self._ask(record, request)
        return models.TerminalSignalOutput(terminal=record.id, reached=int(answer["reached"]))

    async def close(self, call: Call, args: models.TerminalCloseInput) -> Terminal:
        record = await self._own(call, args.terminal)
        seen = await self._holders.seen(record)
        if seen.live or seen.leftovers:
            call.progress(f"Ending {record.label}", None)
            seen = await self._holders.end(record, grace=args.grace)
        return terminal(record, seen)

    async def attach(self, call: Call, args: models.TerminalAttachInput) -> models.TerminalAttachOutput:
        record = await self._own(call, args.terminal)
        seen = await self._holders.seen(record)
        self._check_reachable(record, seen)
        if _is_inside(call, seen):
            raise errors.TerminalIsOwn(terminal=record.id)
        first, end = self._holders.extent(record)
        return models.TerminalAttachOutput(
            terminal=terminal(record, seen),
            socket=str(self._holders.socket(record.id)),
            cursor=max(first, end - args.replay),
            detach_key=args.detach_key,
            next=f"On a terminal, `ade terminals attach {record.id}` connects it; here, "
            f"`ade terminals read {record.id}` shows what it prints.",
        )

    async def _find(self, call: Call, ref: str) -> HolderRecord:
        record = await self._holders.find(ref, "terminal")
        project = call.identity.project
        if record is None or (project is not None and record.project_id != project):
            raise errors.TerminalNotFound(terminal=ref)
        call.subject = record.id
        return record

    async def _own(self, call: Call, ref: str) -> HolderRecord:
        record = await self._find(call, ref)
        await check_change(self._services, call, record)
        return record

    @staticmethod
    def _check_reachable(record: HolderRecord, seen: Seen) -> None:
        if seen.phase == "orphaned":
            raise errors.TerminalOutOfReach(terminal=record.id)
        if not seen.live:
            raise errors.TerminalEnded(terminal=record.id)

    async def _ask(
        self, record: HolderRecord, request: dict[str, Any], payload: bytes = b""
    ) -> dict[str, Any]:
        try:
            return await self._holders.ask(record, request, payload, timeout=WRITE_SECONDS)
        except Unreachable:
            raise errors.TerminalEnded(terminal=record.id) from None
        except Slow:
            raise errors.TerminalOutOfReach(terminal=record.id) from None


def _is_inside(call: Call, seen: Seen) -> bool:
    """Whether the caller is a program of that very terminal, which would show itself to itself without end."""
    asking = None if call.identity.pid is None else look(call.identity.pid)
    if asking is None or seen.holder is None:
        return False
    holder = tuple(int(part) for part in seen.holder.split(":"))
    return holder in [(one.pid, one.start) for one in chain_of(asking.pid, asking.start).processes]
