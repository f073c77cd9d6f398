"""The holders of one ADE_HOME. Their folders and the kernel are the truth; nothing here has to be remembered between calls."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_runtime.client.address import resolved_socket
from ade_runtime.holders import ask
from ade_runtime.holders.following import Following
from ade_runtime.holders.launch import Launch, NotStarted
from ade_runtime.holders.look import look, runs
from ade_runtime.holders.records import PREFIXES, HolderRecord, Kind, Seen, seen_before
from ade_runtime.holders.retention import trim
from ade_runtime.holding import output, tree
from ade_runtime.holding import signals as numbers
from ade_runtime.lanes.failures import to_the_end
from ade_runtime.machine.ancestry import boot
from ade_runtime.machine.ancestry import look as look_at_process
from ade_runtime.machine.paths import private_folder
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.services import Services

ORPHAN_PAUSE = 0.05
ASK_SECONDS = 5.0
GONE_SECONDS = 20.0
"""How long after the time of grace a holder may take to kill what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What to start. Times are seconds; ``segment`` and ``keep`` bound the output: so many files of so many bytes. ``id`` is
    for who has to know it beforehand, from :meth:`Holders.new_id`. ``files`` are put into the holder's folder, by their place
    in it, for the user's eyes only; they go with it."""

    kind: Kind
    id: str | None = None
    lane: LaneRecord
    command: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(repr=False)
    session: str | None
    name: str | None = None
    title: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    terminal: tuple[int, int] | None = None
    segment: int = 256 * 1024
    keep: int = 4
    linger: bool = False
    stop_signal: int = numbers.SIGTERM
    grace: float = 5.0
    timeout: float = 0.0
    restart: str = "never"
    backoff: float = 0.5
    backoff_limit: float = 30.0
    crashes: int = 5
    steady: float = 60.0


class Holders:
    """Starts, finds and asks holders. Raises :class:`NotStarted`, :class:`ask.Unreachable` and :class:`ask.Slow`."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.root = services.paths.home / "holders"
        self.following = Following(services, self)

    def now(self) -> datetime:
        """The current instant as rows keep it, in whole milliseconds."""
        return from_ms(to_ms(self._services.clock.now()))

    def folder(self, holder_id: str) -> Path:
        return self.root / holder_id

    def socket(self, holder_id: str) -> Path:
        """Where the holder listens; a short stand-in where the platform finds the path in its folder too long."""
        return Path(resolved_socket(str(self.folder(holder_id) / "sock")))

    # -- starting

    def new_id(self, kind: Kind) -> str:
        return new_id(PREFIXES[kind])

    async def start(self, draft: Draft) -> HolderRecord:
        """Start a command that outlives this process. It belongs to ``draft.session`` before its first instruction."""
        record = HolderRecord(
            id=draft.id or self.new_id(draft.kind),
            kind=draft.kind,
            project_id=draft.lane.project.id,
            lane_id=draft.lane.id,
            lane_name=draft.lane.name,
            command=draft.command,
            cwd=str(draft.cwd),
            created_at=self.now(),
            session=draft.session,
            name=draft.name,
            title=draft.title,
            settings=draft.settings,
        )
        self._make_folder(record.id)
        launch, marks = Launch(record.id, self._order(record.id, draft)), ("", "")
        try:
            await to_the_end(asyncio.to_thread(self._put, record.id, draft.files))
            marks = await to_the_end(asyncio.to_thread(launch.begin))
            await self._bind(record, marks)
            await to_the_end(asyncio.to_thread(launch.go))
        except BaseException:
            launch.abandon()
            await to_the_end(asyncio.to_thread(_kill, marks[0]))
            await to_the_end(self.forget([record]))
            raise
        await trim(self, record.kind, record.project_id)
        self.following.follow(record)
        return record

    def _make_folder(self, holder_id: str) -> None:
        private_folder(self.root, strict=True)
        self.folder(holder_id).mkdir(mode=0o700)
        socket = self.socket(holder_id)
        if socket.parent != self.folder(holder_id):
            private_folder(socket.parent, strict=True)

    def _put(self, holder_id: str, files: Mapping[str, bytes]) -> None:
        for name, content in files.items():
            path = self.folder(holder_id) / name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123
                file.write(content)

    def _order(self, holder_id: str, draft: Draft) -> dict[str, Any]:
        rows, columns = draft.terminal or (24, 80)
        return {
            "folder": str(self.folder(holder_id)),
            "socket": str(self.socket(holder_id)),
            "boot": boot(),
            "argv": list(draft.command),
            "env": dict(draft.env),
            "cwd": str(draft.cwd),
            "pty": draft.terminal is not None,
            "rows": rows,
            "columns": columns,
            "segment": draft.segment,
            "keep": draft.keep,
            "linger": draft.linger,
            "stop": draft.stop_signal,
            "grace": _ms(draft.grace),
            "timeout": _ms(draft.timeout),
            "restart": draft.restart,
            "backoff": _ms(draft.backoff),
            "backoff_limit": _ms(draft.backoff_limit),
            "crashes": draft.crashes,
            "steady": _ms(draft.steady),
        }

    async def _bind(self, record: HolderRecord, marks: tuple[str, str]) -> None:
        from ade_runtime.holders import store

        if record.session is not None:
            for mark in marks:
                process = look_at_process(int(mark.partition(":")[0]))
                if process is None:
                    raise NotStarted("its holder ended while it was starting")
                await self._services.sessions.attach(record.session, process)
        await self._services.database.write(lambda db: store.add(db, record))

    # -- finding

    async def find(self, holder_id: str, kind: Kind) -> HolderRecord | None:
        from ade_runtime.holders import store

        found = await self._services.database.read(lambda db: store.by_id(db, holder_id))
        return found if found is not None and found.kind == kind else None

    async def all(self, **wanted: Any) -> list[HolderRecord]:
        """Records, the newest first; see :func:`store.listed`."""
        from ade_runtime.holders import store

        return await self._services.database.read(lambda db: store.listed(db, **wanted))

    async def see(self, records: Sequence[HolderRecord]) -> dict[str, Seen]:
        """What has become of each. An end that is seen for the first time is noted; an agent's session ends with its
        program, whatever that left running."""
        found = await asyncio.to_thread(self._look, records)
        for one in records:
            if one.is_agent and one.session and one.ended_at is None and not found[one.id].live:
                await self._services.sessions.end(one.session, "its program ended")
        seen = [(one.id, found[one.id]) for one in records if one.ended_at is None]
        ends = [(holder_id, it) for holder_id, it in seen if not it.live and not it.leftovers]
        if ends:
            from ade_runtime.holders import store

            now = self.now()
            noted = await self._services.database.write(lambda db: store.end(db, ends, now))
            for one in records:
                if one.id in noted:
                    self.following.tell(one, found[one.id])
            for holder_id, it in ends:
                found[holder_id] = replace(it, ended_at=it.ended_at or now)
        return found

    async def seen(self, record: HolderRecord) -> Seen:
        return (await self.see([record]))[record.id]

    def _look(self, records: Sequence[HolderRecord]) -> dict[str, Seen]:
        return {
            one.id: look(self.folder(one.id)) if one.ended_at is None else seen_before(one) for one in records
        }

    async def keep_outcome(self, record: HolderRecord, outcome: Mapping[str, Any]) -> HolderRecord:
        """Add to what is kept of an end."""
        from ade_runtime.holders import store

        kept = replace(record, outcome={**(record.outcome or {}), **outcome})
        await self._services.database.write(lambda db: store.keep_outcome(db, kept))
        return kept

    # -- output

    def extent(self, record: HolderRecord) -> tuple[int, int]:
        """Offsets of the first byte of output that is kept and of the one after the last."""
        return output.extent(str(self.folder(record.id)))

    def read(self, record: HolderRecord, cursor: int, limit: int) -> tuple[int, bytes]:
        """Output from ``cursor`` on with the offset of its first byte, later than ``cursor`` where bytes are gone."""
        return output.read(str(self.folder(record.id)), cursor, limit)

    # -- asking

    async def ask(
        self,
        record: HolderRecord,
        request: dict[str, Any],
        payload: bytes = b"",
        *,
        timeout: float | None = ASK_SECONDS,
    ) -> dict[str, Any]:
        return await ask.ask(self.socket(record.id), request, payload, timeout=timeout)

    async def wait(
        self, record: HolderRecord, until: str, *, cursor: int | None = None, timeout: float | None
    ) -> bool:
        """Wait until it has printed something after ``cursor`` (``output``), has ended (``ended``), or is gone with all that it
        started (``gone``). False when that did not happen in ``timeout`` seconds."""
        try:
            await self.ask(record, {"op": "wait", "until": until, "cursor": cursor}, timeout=timeout)
        except ask.Unreachable:
            return not (await self.seen(record)).live
        except ask.Slow:
            return False
        return True

    async def end(self, record: HolderRecord, *, grace: float, number: int = 0) -> Seen:
        """End the command and all that it started: asked with a signal, killed after ``grace`` seconds."""
        try:
            await self.ask(record, {"op": "end", "number": number, "grace": _ms(grace)})
            await self.ask(record, {"op": "wait", "until": "gone"}, timeout=grace + GONE_SECONDS)
        except (ask.Unreachable, ask.Slow):
            seen = await self.seen(record)
            if seen.phase != "ended" or seen.leftovers:
                await self._end_without_holder(seen, grace)
        return await self.seen(record)

    async def _end_without_holder(self, seen: Seen, grace: float) -> None:
        """End a command whose holder was killed or does not answer: both, and what is below them, each known by pid and
        start time."""
        loop = asyncio.get_running_loop()
        kill_at = loop.time() + grace
        roots = [(int(pid), int(start)) for pid, start in _parts(seen.command, seen.holder)]
        members = set(roots)
        for pid, _ in roots:
            members |= set(await asyncio.to_thread(tree.below, pid))
        for member in members:
            tree.send(*member, numbers.SIGTERM)
            tree.send(*member, numbers.SIGCONT)
        while any(runs(f"{one}:{since}") for one, since in members):
            if loop.time() > kill_at:
                for pid, _ in list(members):
                    members |= set(await asyncio.to_thread(tree.below, pid))
                for member in members:
                    tree.send(*member, numbers.SIGKILL)
            await asyncio.sleep(ORPHAN_PAUSE)

    # -- letting go

    async def forget(self, records: Sequence[HolderRecord]) -> None:
        """Remove ended ones, with their output. One that still runs notices, and ends with all that it started."""
        from ade_runtime.holders import store

        ids = [record.id for record in records]
        await self._services.database.write(lambda db: store.drop(db, ids))
        for holder_id in ids:
            await asyncio.to_thread(shutil.rmtree, self.folder(holder_id), ignore_errors=True)
            with contextlib.suppress(OSError):
                self.socket(holder_id).unlink()


def _kill(mark: str) -> None:
    """Kill a holder that is not wanted after all, with what is below it."""
    pid, _, start = mark.partition(":")
    if pid and runs(mark):
        for member in [*tree.below(int(pid)), (int(pid), int(start))]:
            tree.send(*member, numbers.SIGKILL)


def _parts(*marks: str | None) -> list[list[str]]:
    return [mark.split(":") for mark in marks if mark is not None]


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
