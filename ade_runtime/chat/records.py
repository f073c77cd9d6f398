"""Chats, messages, transcript entries and approvals as they are recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

import orjson

from ade_generated import errors
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject

ChatState = Literal[
    "idle", "running", "waiting", "paused", "interrupted", "failed", "exhausted", "missing", "ended"
]
"""What can be seen of a chat. ``interrupted``, ``failed``, ``exhausted`` and ``missing`` say nothing more until resumed."""

PermissionMode = Literal["default", "auto", "plan", "edit", "full-auto"]
"""How much an agent may do unasked: the program's own default; what its classifier allows; nothing but reading and planning;
edits in the lane; everything in the lane."""

EntryKind = Literal[
    "user",
    "assistant",
    "thinking",
    "tool_call",
    "tool_result",
    "approval",
    "question",
    "usage",
    "notice",
    "ended",
]
LONGEST_ENTRY = 64 * 1024
"""Characters kept of one entry; a tool may give back megabytes."""

STOPPED = ("interrupted", "failed", "exhausted", "missing")
ACTIVE = ("running", "waiting")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRecord:
    """One chat; ``session`` is its id. Times are aware. ``queued`` counts the messages that wait."""

    session: str
    state: ChatState
    title: str | None
    provider: str
    model: str | None
    effort: str | None
    permission_mode: PermissionMode
    role: str
    project: str | None
    lane: str | None
    created_at: datetime
    updated_at: datetime
    turn: int = 0
    ref: str | None = None
    told_until: int = 0
    paused: bool = False
    note: str | None = None
    outcome: str | None = None
    summary: str | None = None
    problem: str | None = None
    retry_at: datetime | None = None
    capability_mode: str | None = None
    ended_at: datetime | None = None
    archived_at: datetime | None = None
    queued: int = 0

    def row(self) -> dict[str, Any]:
        """Column values of the chats table."""
        return {
            "session_id": self.session,
            "state": self.state,
            "title": self.title,
            "provider": self.provider,
            "model": self.model,
            "effort": self.effort,
            "permission_mode": self.permission_mode,
            "role": self.role,
            "project_id": self.project,
            "lane_id": self.lane,
            "turn": self.turn,
            "ref": self.ref,
            "told_until": self.told_until,
            "paused": int(self.paused),
            "note": self.note,
            "outcome": self.outcome,
            "summary": self.summary,
            "problem": self.problem,
            "retry_at": None if self.retry_at is None else to_ms(self.retry_at),
            "capability_mode": self.capability_mode,
            "created_at": to_ms(self.created_at),
            "updated_at": to_ms(self.updated_at),
            "ended_at": None if self.ended_at is None else to_ms(self.ended_at),
            "archived_at": None if self.archived_at is None else to_ms(self.archived_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Something to be said. ``steer`` wants it said into the running turn; ``schedule`` is the one it is from."""

    id: str
    session: str
    state: Literal["queued", "delivered", "cancelled"]
    steer: bool
    text: str
    turn: int | None
    created_at: datetime
    schedule: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened. ``cut`` is how many characters it lost."""

    id: int
    turn: int
    kind: EntryKind
    text: str
    tool: str | None
    call_id: str | None
    is_error: bool
    cut: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRecord:
    """Something an agent asked for."""

    id: str
    session: str
    turn: int
    state: Literal["pending", "allowed", "refused", "withdrawn"]
    tool: str
    summary: str
    details: JsonObject
    decided_by: str | None
    message: str | None
    created_at: datetime


def chat_of(row: Any) -> ChatRecord:
    """The record of a row mapping of the chats table with its ``queued`` count."""
    return ChatRecord(
        session=row["session_id"],
        state=row["state"],
        title=row["title"],
        provider=row["provider"],
        model=row["model"],
        effort=row["effort"],
        permission_mode=row["permission_mode"],
        role=row["role"],
        project=row["project_id"],
        lane=row["lane_id"],
        turn=row["turn"],
        ref=row["ref"],
        told_until=row["told_until"],
        paused=bool(row["paused"]),
        note=row["note"],
        outcome=row["outcome"],
        summary=row["summary"],
        problem=row["problem"],
        retry_at=_moment(row["retry_at"]),
        capability_mode=row["capability_mode"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
        ended_at=_moment(row["ended_at"]),
        archived_at=_moment(row["archived_at"]),
        queued=row["queued"],
    )


def message_of(row: Any) -> Message:
    """The record of a row mapping of the messages table."""
    return Message(
        id=row["id"],
        session=row["session_id"],
        state=row["state"],
        steer=bool(row["steer"]),
        text=row["text"],
        turn=row["turn"],
        created_at=from_ms(row["created_at"]),
        schedule=row["schedule_id"],
    )


def entry_of(row: Any) -> Entry:
    """The record of a row mapping of the entries table."""
    return Entry(
        id=row["id"],
        turn=row["turn"],
        kind=row["kind"],
        text=row["text"],
        tool=row["tool"],
        call_id=row["call_id"],
        is_error=bool(row["is_error"]),
        cut=row["cut"],
        at=from_ms(row["at"]),
    )


def approval_of(row: Any) -> ApprovalRecord:
    """The record of a row mapping of the approvals table."""
    return ApprovalRecord(
        id=row["id"],
        session=row["session_id"],
        turn=row["turn"],
        state=row["state"],
        tool=row["tool"],
        summary=row["summary"],
        details=orjson.loads(row["details"]),
        decided_by=row["decided_by"],
        message=row["message"],
        created_at=from_ms(row["created_at"]),
    )


def _moment(value: int | None) -> datetime | None:
    return None if value is None else from_ms(value)


def known(chat: ChatRecord | None, session: str) -> ChatRecord:
    """The chat that was looked for; raises ``chat_not_found``."""
    if chat is None:
        raise errors.ChatNotFound(session=session)
    return chat


def open_chat(chat: ChatRecord | None, session: str) -> ChatRecord:
    """The same, where it is not over; raises ``chat_ended``, too."""
    chat = known(chat, session)
    if chat.state == "ended":
        raise errors.ChatEnded(session=session)
    return chat
