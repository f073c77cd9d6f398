"""Chats, messages, entries, approvals and providers as callers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models.types import Chat, ChatApproval, ChatMessage, ChatProvider, TranscriptEntry
from ade_generated.providers import PROVIDERS
from ade_runtime.chat.records import ACTIVE

if TYPE_CHECKING:
    from pathlib import Path

    from ade_runtime.chat.records import ApprovalRecord, ChatRecord, Entry, Message
    from ade_runtime.contracts import ProviderEntry
    from ade_runtime.machine.tools.detect import Detected

_NEXT = {
    "running": "`ade chats wait {0}` waits for the end of its turn.",
    "waiting": "`ade chats approvals` lists what it wants; `ade chats approve ID` allows it.",
    "paused": "`ade chats resume {0}` lets it go on.",
    "interrupted": "Read `ade chats transcript {0}`, then go on with `ade chats resume {0}` or a new message.",
    "failed": "Read `ade chats transcript {0}`; `ade chats resume {0}` tries again.",
    "exhausted": "Later, `ade chats resume {0}`; or at once elsewhere, `ade chats hand-over {0} --provider NAME`.",
    "missing": "Install the program, then `ade chats resume {0}`; or elsewhere, `ade chats hand-over {0} --provider NAME`.",
    "ended": "`ade chats transcript {0}` tells what was said; `ade chats archive {0}` puts it away.",
    "archived": "`ade chats transcript {0}` tells what was said.",
}


def chat_told(chat: ChatRecord, lane: str | None) -> Chat:
    """A chat; ``lane`` is the name of its lane."""
    return Chat(
        session=chat.session,
        state=chat.state,
        title=chat.title,
        provider=chat.provider,
        model=chat.model,
        effort=chat.effort,
        permission_mode=chat.permission_mode,
        role=chat.role,
        project=chat.project,
        lane=lane,
        lane_id=chat.lane,
        turn=chat.turn,
        queued=chat.queued,
        note=chat.note,
        outcome=chat.outcome,
        summary=chat.summary,
        problem=chat.problem,
        retry_at=chat.retry_at,
        next=_next(chat),
        capability_mode=chat.capability_mode,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
        ended_at=chat.ended_at,
        archived_at=chat.archived_at,
    )


def _next(chat: ChatRecord) -> str:
    if chat.state == "idle" and chat.queued:
        return f"`ade chats wait {chat.session}` waits until what is queued was said and done."
    state = chat.state if chat.archived_at is None else "archived"
    return _NEXT.get(state, "`ade chats send {0} TEXT` says something to it.").format(chat.session)


def message_told(message: Message, chat: ChatRecord) -> ChatMessage:
    """A message to ``chat``, which is as it is after the message was given."""
    return ChatMessage(
        id=message.id,
        session=message.session,
        state=message.state,
        turn=message.turn,
        text=message.text,
        next=_follows(message, chat),
        created_at=message.created_at,
    )


def _follows(message: Message, chat: ChatRecord) -> str:
    """What becomes of a message now."""
    if message.state == "delivered":
        return f"It was said into turn {message.turn}; `ade chats wait {chat.session}` waits for the end of that."
    if message.state == "cancelled":
        return "It is not said any more."
    if chat.paused:
        return f"The chat is paused: it is said after `ade chats resume {chat.session}`."
    if chat.state in ACTIVE:
        return _follows_turn(message, chat)
    begins = "No turn runs that it could be said into: it" if message.steer else "It"
    return f"{begins} begins the next turn; `ade chats wait {chat.session}` waits for the end of that."


def _follows_turn(message: Message, chat: ChatRecord) -> str:
    ends = f"`ade chats interrupt {chat.session}` ends that now."
    provider = PROVIDERS.get(chat.provider)
    if not message.steer or provider is None:
        return f"It is said when the running turn is over; {ends}"
    if not provider.steer:
        return f"{provider.title} takes nothing into a running turn: it is said when the turn is over; {ends}"
    return f"It is said when the running turn is over, unless {provider.title} takes it into the turn before; {ends}"


def entry_told(entry: Entry) -> TranscriptEntry:
    """A transcript entry."""
    return TranscriptEntry(
        id=entry.id,
        turn=entry.turn,
        kind=entry.kind,
        text=entry.text,
        tool=entry.tool,
        call_id=entry.call_id,
        is_error=entry.is_error,
        cut=entry.cut,
        at=entry.at,
    )


def within(entries: list[Entry], budget: int, *, newest: bool) -> list[Entry]:
    """As many entries as fit the budget, at least one: the last of them, or the first."""
    taken: list[Entry] = []
    for entry in reversed(entries) if newest else entries:
        budget -= len(entry.text)
        if taken and budget < 0:
            break
        taken.append(entry)
    return taken[::-1] if newest else taken


def approval_told(record: ApprovalRecord) -> ChatApproval:
    """An approval."""
    return ChatApproval(
        id=record.id,
        session=record.session,
        turn=record.turn,
        state=record.state,
        tool=record.tool,
        summary=record.summary,
        details=record.details,
        decided_by=record.decided_by,
        message=record.message,
        created_at=record.created_at,
    )


def provider_told(entry: ProviderEntry, found: Detected, bundled: Path | None) -> ChatProvider:
    """A provider; ``bundled`` is the program that came with its adapter's library, for where there is no other."""
    first = found.candidates[0] if found.candidates else None
    path = bundled if first is None else first.path
    return ChatProvider(
        name=entry.name,
        title=entry.title,
        summary=entry.summary,
        installed=path is not None,
        version=found.version.version if first else None,
        path=None if path is None else str(path),
        tools=entry.tools,
        steer=entry.steer,
        permission_modes=list(entry.permission_modes),
        efforts=list(entry.efforts),
        models=list(entry.models),
        hint=entry.hint,
    )
