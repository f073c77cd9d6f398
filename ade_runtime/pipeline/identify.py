"""Stage 1: who is asking, from the peer's user, its token and the processes above it. A refusal is written down."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.machine.ancestry import Process, chain_of, environment_values, look
from ade_runtime.pipeline.call import Identity, Source, Transport
from ade_runtime.pipeline.identity import (
    LEAST_ROLE,
    check_peer,
    dead_session,
    foreign_token,
    least_identity,
    owner_identity,
    session_identity,
    session_key,
    unknown_token,
)
from ade_runtime.pipeline.record import note_denial
from ade_runtime.pipeline.way import narrowed
from ade_runtime.sessions.tokens import digest, same

if TYPE_CHECKING:
    from ade_runtime.services import Services
    from ade_runtime.sessions.records import SessionRecord

log = logging.getLogger("ade.identity")

TOKEN_VARIABLE = "ADE_SESSION_TOKEN"


class Origin:
    """The process that asks, as the kernel names it: user, pid, and the start time that makes the pid mean one process.

    What was found out about it is kept here, for as long as no session changes.
    """

    __slots__ = ("identity", "pid", "position", "standing", "start", "uid")

    def __init__(self, uid: int, pid: int) -> None:
        found = look(pid) if pid > 0 else None
        self.uid = uid
        self.pid = pid
        self.start = None if found is None else found.start
        self.position = -1
        self.standing: Standing = OWNER
        self.identity: Identity | None = None

    @classmethod
    def here(cls) -> Origin:
        """This process, for commands and programs that call actions without a socket."""
        return cls(os.getuid(), os.getpid())


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a process stands: in a session, below the runtime itself, nowhere that could be told, or in the owner's shell."""

    kind: Literal["session", "runtime_child", "unverified", "owner"]
    session: SessionRecord | None = None


OWNER = Standing("owner")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is asked, for the audit of a refusal: an action's id or a method, and how the request came."""

    action: str
    transport: Transport


class Identification:
    """Decides who asks. ``ceiling`` bounds every identity that comes out."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._sessions = services.sessions
        self._ceiling = services.settings.ceiling

    def known(self, origin: Origin) -> Identity | None:
        """The identity of an owner's process that brought no token, where it was found out before and no session has changed
        since. Costs one look at the database file."""
        if origin.identity is not None and origin.position == self._sessions.settled():
            return origin.identity
        return None

    async def identify(
        self, origin: Origin, attempt: Attempt, *, token: str | None = None, wanted: str | None = None
    ) -> Identity:
        """Who asks. Raises ``policy_denied``, which is then in the audit, and ``invalid_arguments`` for an unknown role."""
        subject: list[SessionRecord] = []
        try:
            check_peer(origin.uid)
            found = await self._identify(origin, token or None, wanted or None, subject)
            found = narrowed(found, attempt.transport, wanted or None)
        except errors.PolicyDenied as refusal:
            await self.note(attempt, refusal, subject[0] if subject else None)
            raise
        identity = replace(found, pid=origin.pid)
        if not token and not wanted and origin.standing is OWNER:
            origin.identity = identity
        return identity

    async def again(
        self,
        session: str,
        origin: Origin,
        attempt: Attempt,
        *,
        token: str | None = None,
        wanted: str | None = None,
    ) -> Identity:
        """The identity of a connection that introduced itself as a session before, unless that has ended since.

        ``token`` may only be that session's own.
        """
        record = await self._sessions.find(session)
        try:
            if token and not same(digest(token), record.token_hash):
                raise foreign_token()
            return replace(self._live(record, "token", wanted or None, origin.uid), pid=origin.pid)
        except errors.PolicyDenied as refusal:
            await self.note(attempt, refusal, record)
            raise

    async def check_live(self, identity: Identity, action: str, transport: Transport) -> None:
        """Refuse an identity whose session has ended since it was found out: for calls that wait and answer later."""
        if identity.session is None:
            return
        record = await self._sessions.find(identity.session)
        try:
            self._live(record, identity.source, identity.role, identity.uid)
        except errors.PolicyDenied as refusal:
            await self.note(Attempt(action, transport), refusal, record)
            raise

    async def note(
        self, attempt: Attempt, refusal: errors.PolicyDenied, who: SessionRecord | Identity | None
    ) -> None:
        """Write a refusal down: who, as far as that is known, and what was asked."""
        if isinstance(who, Identity):
            key, role = who.key, who.role
        elif who is not None:
            key, role = session_key(who.id), who.role
        else:
            key, role = "nobody", LEAST_ROLE
        log.info("%s was denied to %s: %s", attempt.action, key, refusal.hint)
        await note_denial(self._services, attempt.action, attempt.transport, identity=key, role=role)

    async def _identify(
        self, origin: Origin, token: str | None, wanted: str | None, subject: list[SessionRecord]
    ) -> Identity:
        standing = await self._standing(origin)
        if standing.session is not None:
            subject.append(standing.session)
        if token is not None:
            record = await self._sessions.by_token(token)
            if record is None:
                raise unknown_token()
            subject.insert(0, record)
            await self._check_own(record, standing)
            return self._live(record, "token", wanted, origin.uid)
        if standing.session is not None:
            return self._live(standing.session, "process", wanted, origin.uid)
        if standing.kind == "owner":
            return owner_identity(wanted=wanted, ceiling=self._ceiling, uid=origin.uid)
        source: Source = "runtime_child" if standing.kind == "runtime_child" else "unverified"
        return least_identity(source, wanted=wanted, uid=origin.uid)

    async def _check_own(self, record: SessionRecord, standing: Standing) -> None:
        """A process of one session may hold that session's token, or the token of one that its session started."""
        around = standing.session
        if around is None or around.id == record.id:
            return
        if around.id not in await self._sessions.lineage(record.id):
            raise foreign_token()

    def _live(self, record: SessionRecord, source: Source, wanted: str | None, uid: int) -> Identity:
        state = record.state(self._services.clock.now())
        if state != "live":
            raise dead_session(record, state)
        return session_identity(record, source, wanted=wanted, ceiling=self._ceiling, uid=uid)

    async def _standing(self, origin: Origin) -> Standing:
        position = await self._sessions.position()
        if origin.position != position:
            origin.identity = None
            origin.standing = await self._look_up(origin) if position else OWNER
            origin.position = position
        elif origin.standing.session is not None:  # its end may be a matter of time alone
            origin.standing = Standing("session", await self._sessions.find(origin.standing.session.id))
        return origin.standing

    async def _look_up(self, origin: Origin) -> Standing:
        """Nearest above wins: a session's process, or the runtime, which starts programs for everybody."""
        if origin.start is None:
            return Standing("unverified")
        chain = chain_of(origin.pid, origin.start)
        above = [process.pid for process in chain.processes]
        runtime = self._runtime()
        below_runtime = runtime in above[1:]
        reach = chain.processes[: above.index(runtime)] if below_runtime else chain.processes
        session = await self._sessions.around([(one, given_tokens(one)) for one in reach])
        if session is not None:
            return Standing("session", session)
        if below_runtime:
            return Standing("runtime_child")
        return OWNER if chain.whole else Standing("unverified")

    def _runtime(self) -> int:
        """Pid of the runtime: this process, or the one that this one works beside; 0 where there is none."""
        if self._services.settings.listening:
            return os.getpid()
        from ade_runtime.server.ownership import holder

        described = holder(self._services.paths) or {}
        pid = described.get("pid")
        return pid if isinstance(pid, int) and pid != os.getpid() else 0


def given_tokens(process: Process) -> list[str]:
    """The session tokens that a process was started with."""
    return list(environment_values(process, TOKEN_VARIABLE))


def may_be(role: str, identity: Identity) -> bool:
    """Whether an identity may hand out a role: its own or a lower one."""
    return ROLES[role].rank <= ROLES[identity.role].rank


def higher(role: str, identity: Identity) -> str:
    """What the owner, who chooses a role, may add to a command that a role is too low for; nothing for a session."""
    return f" Add --role {role} to act in that role." if identity.session is None else ""
