"""The runtime's listening side: connections, calls in flight, draining."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import AdeError
from ade_runtime.pipeline.identify import Attempt, Origin
from ade_runtime.pipeline.identity import OWNER_ROLE, check_peer
from ade_runtime.pipeline.record import note_denial
from ade_runtime.server.builds import Builds
from ade_runtime.server.connection import Connection
from ade_runtime.server.housekeeping import keep_house
from ade_runtime.server.lists import Lists
from ade_runtime.server.methods import Methods
from ade_runtime.server.ownership import BACKLOG, Ownership
from ade_runtime.spool.watch import SpoolWatch
from ade_runtime.storage.fence import Fence

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.pipeline.pipeline import Pipeline
    from ade_runtime.services import Services

DRAIN_SECONDS = 10.0
"""How long calls in flight may go on after the runtime was told to end."""

PATIENT_SECONDS = 3600.0
"""How long they may go on when it only makes room for another build; each has a time limit of its own."""

TAKE_UP_AFTER = 0.3
BACKLOG_TURNS = 5
"""Turns of the event loop without a new connection after which the backlog is taken to be empty."""

WATCH_SECONDS = 2.0
"""How often it is looked whether the lock and the socket are still this runtime's. A runtime that nobody asks for anything
wakes for little else, so this is most of what it costs a laptop."""

FILES_KEPT = 128
MOST_CONNECTIONS = 8192
log = logging.getLogger("ade.server")


def capacity() -> int:
    """How many connections may be open at once, so that files are left for the database and for git."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else max(limit - FILES_KEPT, limit // 2)


class Server:
    """Serves one ADE_HOME until told to stop. ``in_flight`` counts calls on all connections, ``accepted`` every connection
    ever made, ``turns_ahead`` the clients whose next request waits for its turn."""

    def __init__(self, services: Services, ownership: Ownership) -> None:
        self.services = services
        self.methods = Methods()
        self.connections: set[Connection] = set()
        self.lists = Lists(self)
        self.in_flight = 0
        self.accepted = 0
        self.turns_ahead = 0
        self._ownership = ownership
        ownership.describe(services.settings.ceiling)
        services.fence = Fence(ownership.holds_lock, self._displaced)
        self._notes: set[asyncio.Task[None]] = set()
        self.builds = Builds(self)
        self._accepting: asyncio.AbstractServer
        self._stopping = asyncio.Event()
        self._patient = False
        self._idle_since: float | None = None
        self.capacity = capacity()
        self._quiet = asyncio.Event()
        self._hurry = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self.loop_time = self.loop.time
        self.spools = SpoolWatch(self)

    @property
    def pipeline(self) -> Pipeline:
        return self.services.pipeline

    @property
    def managed(self) -> bool:
        """Whether a service manager listens on the socket and starts the next runtime."""
        return self._ownership.inherited

    async def serve(self, listener: socket.socket) -> None:
        """Accept connections on ``listener`` until :meth:`stop`, then drain and close all of them."""
        self._accepting = await self.loop.create_unix_server(
            lambda: Connection(self),
            sock=listener,
            backlog=BACKLOG,  # asyncio listens again, with 100 if not told
        )
        watch = self.loop.create_task(self._watch())
        house = self.loop.create_task(keep_house(self.services))
        self.spools.start()
        taking_up = self.loop.create_task(self._take_up())
        await self._stopping.wait()
        taking_up.cancel()
        self.spools.stop()
        log.info("stopping; %d calls in flight", self.in_flight)
        if self._ownership.inherited:
            self._accepting.close()  # who comes now waits in the backlog, which the service manager's next runtime takes over
        else:
            self._ownership.unlink()  # nobody new comes; who is in the backlog is still accepted and answered
            await self._empty_backlog()
        await self._drain()
        watch.cancel()
        house.cancel()
        await asyncio.wait([house])
        self._accepting.close()
        await self._close_connections()
        await self.spools.close()
        await self.services.close()

    async def _take_up(self) -> None:
        """Go on with what the last runtime left. It waits a moment: whoever had this runtime started is answered first."""
        await asyncio.sleep(TAKE_UP_AFTER)
        if self.services.paths.database.exists():
            from ade_runtime.linear_sync.listening import is_used, ports
            from ade_runtime.runs.present import anything_to_do

            await self.services.chats.recover()
            self.services.schedules.start()
            if await self.services.database.read(anything_to_do):  # else the first run starts it
                from ade_runtime.runs.going_on import go_on

                await go_on(self.services)
                self.services.runs.attend()
            await self.services.mcp.recover()
            for port in (await self.services.database.read(ports))[:1]:  # one listens for all projects
                await self.services.linear_sync.listen(port)
            if await self.services.database.read(is_used):
                self.services.linear_sync.attend()

    def stop(self, *, patient: bool = False) -> None:
        """Begin to end. Told a second time, calls in flight are cancelled at once.

        With ``patient`` everything under way is finished first, background runs too: nobody asked for its end.
        """
        if self._stopping.is_set():
            self._hurry.set()
        self._patient = patient
        self._stopping.set()
        self.services.end_waiting()
        self.lists.stop()

    def check_open(self) -> None:
        """Refuse new work once the runtime is ending."""
        if self._stopping.is_set():
            raise errors.ShuttingDown()

    def origin(self, uid: int, pid: int) -> Origin:
        """The process at the other end of a new connection. Another user's is refused, and that is written down; one for which
        there is no room is refused, too."""
        if len(self.connections) >= self.capacity:
            raise errors.TooManyConnections(limit=self.capacity)
        try:
            check_peer(uid)
        except errors.PolicyDenied as refusal:
            noting = self.services.identification.note(Attempt("connect", "socket"), refusal, None)
            task = self.loop.create_task(noting)
            self._notes.add(task)
            task.add_done_callback(self._notes.discard)
            raise
        return Origin(uid, pid)

    async def require_owner(self, identity: Identity, what: str) -> None:
        """Only the owner may end or replace the runtime, in a role that may act at all: never an agent in a session."""
        if identity.session is not None or identity.source != "owner":
            reason = "Only the owner may, outside of every session."
        elif ROLES[identity.role].rank < ROLES[OWNER_ROLE].rank:
            reason = f"It needs at least role {OWNER_ROLE}."
        else:
            return
        refusal = errors.PolicyDenied(role=identity.role, action=what, reason=reason)
        await note_denial(self.services, what, "socket", identity=identity.key, role=identity.role)
        raise refusal

    def busy(self) -> bool:
        """Whether ending now would interrupt something besides the request that asks."""
        return self.in_flight - self._only_waiting() > 1 or self._works_behind()

    def _only_waiting(self) -> int:
        """Calls that wait for an event and would as well wait at the next runtime; they answer when this one ends."""
        return self.services.events.waiting if "events" in vars(self.services) else 0

    def _works_behind(self) -> bool:
        """Whether work without a connection goes on. A pipeline never used has none, and is not made here: that would load code
        which is newer than what this process has already loaded."""
        if "pipeline" in vars(self.services) and self.pipeline.operations.active:
            return True
        return any(at_work() for at_work in self.services.at_work)

    def _displaced(self) -> None:
        """A write was refused because another runtime owns this ADE_HOME now. Called on the database's thread."""
        self.loop.call_soon_threadsafe(self.stop)

    def call_ended(self) -> None:
        self.in_flight -= 1
        if not self.in_flight and self._stopping.is_set():
            self._quiet.set()

    async def _empty_backlog(self) -> None:
        """Accept everybody who connected before the socket was removed: a connection left in the backlog is reset, and its
        client could not tell whether its request was begun."""
        seen, quiet = self.accepted, 0
        while quiet < BACKLOG_TURNS:
            await asyncio.sleep(0)
            quiet = quiet + 1 if self.accepted == seen else 0
            seen = self.accepted

    async def _drain(self) -> None:
        self._quiet.clear()
        waits = [self.loop.create_task(wait) for wait in (self._until_quiet(), self._hurry.wait())]
        limit = PATIENT_SECONDS if self._patient else DRAIN_SECONDS
        await asyncio.wait(waits, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def _until_quiet(self) -> None:
        if self.in_flight:
            await self._quiet.wait()
        while self._patient and self._works_behind():  # noqa: ASYNC110 - works behind end in many places
            await asyncio.sleep(WATCH_SECONDS)

    async def _close_connections(self) -> None:
        """Cancel what still runs, answer it, and tell every client that what it has no answer for was not begun."""
        calls = [task for connection in self.connections for task in connection.cancel_all()]
        if calls:
            await asyncio.wait(calls)
        for connection in list(self.connections):
            connection.notify("runtime/closing", {})
            connection.close()

    async def _watch(self) -> None:
        """End when the lock file is no longer this process's: its home is gone, or somebody else took over.

        A socket that was removed is bound again; where something else is in its place, nobody can come any more: end, too.
        """
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            self._end_when_idle()
            if self._ownership.holds_lock() and (
                self._stopping.is_set()  # the socket is removed on purpose; calls are still being finished
                or self._ownership.holds_socket()
                or await self._bind_again()
            ):
                continue
            log.error("lock file or socket of pid %d is gone or replaced", os.getpid())
            self.stop()
            self.stop()
            return

    def _end_when_idle(self) -> None:
        limit = self.services.settings.idle_exit
        if limit is None or self._stopping.is_set():
            return
        waited_for = any(expecting() for expecting in self.services.expecting)
        if self.connections or self.in_flight or waited_for or self._works_behind():
            self._idle_since = None
        elif self._idle_since is None:
            self._idle_since = self.loop.time()
        elif self.loop.time() - self._idle_since >= limit:
            log.info("nothing to do for %g s; ending", limit)
            self.stop()

    async def _bind_again(self) -> bool:
        if self._ownership.inherited:
            return False
        try:
            listener = self._ownership.bind()
        except AdeError as problem:
            log.error("%s", problem.message)
            return False
        fresh = await self.loop.create_unix_server(
            lambda: Connection(self),
            sock=listener,
            backlog=BACKLOG,  # asyncio listens again, with 100 if not told
        )
        before, self._accepting = self._accepting, fresh
        before.close()
        log.warning("the socket was removed; listening again at the same path")
        return True
