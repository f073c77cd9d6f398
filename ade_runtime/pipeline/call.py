"""The values that travel through the pipeline with one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ade_generated import errors

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.contracts import ActionEntry, JsonObject
    from ade_runtime.pipeline.receipt import Receipt
    from ade_runtime.pipeline.record import Recorder
    from ade_runtime.projects.registry import Project
    from ade_runtime.wire import WireModel

Transport = Literal["socket", "headless", "in_process", "spool", "mcp"]
Source = Literal["owner", "token", "process", "runtime_child", "unverified"]
"""How an identity was found out: the owner's own shell, a session's token, a process below a session's, a program that the
runtime itself started, or a process of which nothing could be found out."""
Progress = Callable[[str, "float | None"], None]


def no_progress(message: str, fraction: float | None) -> None:
    """Drop a progress report: for callers that did not ask for any."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking, as the runtime found out by itself.

    ``role`` is a name of ``specs/roles.yaml``. ``key`` names the identity in limits, receipts and the audit; it is stable
    across connections. ``session`` is the session that a token or the process tree proved, ``None`` for the owner's own
    shell; ``project``, ``lane`` and ``run`` are what that session is bound to, ``mode`` its interaction mode, and
    ``standalone`` tells a chat that works on nothing. ``source`` says how it was found out; ``pid`` is the process that asks,
    where the kernel told.
    """

    role: str
    key: str
    uid: int
    session: str | None = None
    source: Source = "owner"
    project: str | None = None
    lane: str | None = None
    run: str | None = None
    mode: str | None = None
    standalone: bool = False
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """Where a request came from. It describes and never authorises.

    ``cwd`` is absolute. ``project`` and ``lane`` are what the caller asked for, unresolved; ``project_root`` is used only when
    neither ``project`` nor ``cwd`` finds a project. ``env`` holds the allow-listed part of the caller's environment, for
    programs started on its behalf. ``chat`` is the chat session the caller says it is in.
    """

    transport: Transport
    cwd: str | None = None
    project: str | None = None
    lane: str | None = None
    project_root: str | None = None
    chat: str | None = None
    env: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class About:
    """What a call has changed, by id, where that is something else than its project, its subject and its caller's session."""

    project: str | None = None
    lane: str | None = None
    session: str | None = None


NOTHING_ELSE = About()


@dataclass(slots=True)
class Call:
    """One call on its way: filled by the stages before the handler, read by the handler.

    ``progress(message, fraction)`` reports how far the work is, fraction from 0 to 1 or ``None`` where unknown. ``subject``
    may be set by a handler to name what the call worked on (``lane_01…``) for the audit. ``wire`` may be set by a handler that
    keeps the answer it gives in its wire form, too, so that it is not made again. ``receipt`` is present for calls
    with a request id; see :class:`~ade_runtime.pipeline.receipt.Receipt`. ``about`` may be set by a handler for the event that
    the call becomes once it has worked.
    """

    action: ActionEntry
    identity: Identity
    caller: Caller
    request_id: str | None = None
    progress: Progress = no_progress
    subject: str | None = None
    receipt: Receipt | None = None
    scope: Project | None = None
    about: About = NOTHING_ELSE
    wire: bytes | None = None
    recorder: Recorder | None = None

    def seal(self, connection: Connection, output: WireModel) -> None:
        """Write down the call's answer and its audit row in the transaction that makes its effect, so that either both are
        there or neither. ``output`` must be what the handler then returns."""
        if self.recorder is not None:
            self.recorder.seal(connection, output)

    def claim(self, connection: Connection, what: JsonObject) -> None:
        """Note in a transaction what is about to be made, for who repeats this call should its process be killed."""
        if self.receipt is not None:
            self.receipt.claim(connection, what)

    @property
    def earlier(self) -> JsonObject:
        """What an attempt at this very call that never ended had claimed; empty where there was none."""
        return (self.receipt.earlier if self.receipt is not None else None) or {}

    @property
    def project_id(self) -> str | None:
        """Id of the project that the call changed or works on, for audit and events; ``None`` where there is none."""
        if self.about.project is not None:
            return self.about.project
        if self.subject is not None and self.subject.startswith("prj_"):
            return self.subject
        return None if self.scope is None else self.scope.id

    @property
    def project(self) -> Project:
        """The project this call works on; raises ``project_required`` where the scope stage resolved none."""
        if self.scope is None:
            raise errors.ProjectRequired(action=self.action.id)
        return self.scope
