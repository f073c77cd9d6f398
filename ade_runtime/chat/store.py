"""Reading and writing chats; every function works inside the caller's transaction."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from sqlalchemy import Connection, and_, func, insert, select, update

from ade_runtime.chat.records import (
    ACTIVE,
    LONGEST_ENTRY,
    ApprovalRecord,
    ChatRecord,
    Entry,
    EntryKind,
    Message,
    approval_of,
    chat_of,
    entry_of,
    message_of,
)
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import chat_approvals, chat_entries, chat_messages, chats
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy import ColumnElement

    from ade_runtime.contracts import JsonObject

T = TypeVar("T")

_QUEUED = (
    select(func.count())
    .where(chat_messages.c.session_id == chats.c.session_id, chat_messages.c.state == "queued")
    .scalar_subquery()
    .label("queued")
)


# -- chats


def add(db: Connection, chat: ChatRecord) -> None:
    db.execute(insert(chats).values(chat.row()))


def get(db: Connection, session: str) -> ChatRecord | None:
    row = db.execute(select(chats, _QUEUED).where(chats.c.session_id == session)).mappings().first()
    return None if row is None else chat_of(row)


def listed(db: Connection, *, project: str | None, everything: bool) -> list[ChatRecord]:
    """Chats of a project (of all where ``None``), the one where something happened last first."""
    query = select(chats, _QUEUED).order_by(chats.c.updated_at.desc(), chats.c.session_id)
    if project is not None:
        query = query.where(chats.c.project_id == project)
    if not everything:
        query = query.where(chats.c.ended_at.is_(None), chats.c.archived_at.is_(None))
    return [chat_of(row) for row in db.execute(query).mappings()]


def change(db: Connection, session: str, now: datetime, **values: Any) -> ChatRecord | None:
    """Set columns of a chat and give it as it is then."""
    db.execute(update(chats).where(chats.c.session_id == session).values(updated_at=to_ms(now), **values))
    return get(db, session)


def left_running(db: Connection) -> list[ChatRecord]:
    """Chats of which a turn runs as far as the table knows."""
    return in_state(db, *ACTIVE)


def in_state(db: Connection, *states: str) -> list[ChatRecord]:
    """Chats in one of these states."""
    rows = db.execute(select(chats, _QUEUED).where(chats.c.state.in_(states))).mappings()
    return [chat_of(row) for row in rows]


def providers(db: Connection) -> dict[str, str]:
    """The provider of every chat, by session."""
    rows = db.execute(select(chats.c.session_id, chats.c.provider))
    return {row.session_id: row.provider for row in rows}


def with_messages(db: Connection) -> list[str]:
    """Ids of idle chats for which messages wait."""
    waiting = select(chat_messages.c.session_id).where(chat_messages.c.state == "queued").distinct()
    query = select(chats.c.session_id).where(chats.c.state == "idle", chats.c.session_id.in_(waiting))
    return list(db.execute(query).scalars())


# -- messages


def enqueue(
    db: Connection,
    session: str,
    text: str,
    now: datetime,
    *,
    steer: bool,
    identity: str,
    identifier: str | None = None,
) -> Message:
    """Queue a message; ``identifier`` is its id where whoever says it knows that already."""
    place = db.execute(select(func.coalesce(func.max(chat_messages.c.place), 0) + 1)).scalar_one()
    identifier = identifier or new_id("msg")
    db.execute(
        insert(chat_messages).values(
            id=identifier,
            place=place,
            session_id=session,
            state="queued",
            steer=int(steer),
            text=text,
            turn=None,
            identity=identity,
            created_at=to_ms(now),
        )
    )
    return _must(message(db, session, identifier))


def enqueue_all(db: Connection, wanted: Iterable[tuple[str, str, str, str]], now: datetime) -> None:
    """Queue many messages at once, each of a session, a text, who says it and the schedule it is from."""
    place = db.execute(select(func.coalesce(func.max(chat_messages.c.place), 0) + 1)).scalar_one()
    rows = [
        {
            "id": new_id("msg"),
            "place": place + number,
            "session_id": session,
            "state": "queued",
            "steer": 0,
            "text": text,
            "turn": None,
            "identity": identity,
            "created_at": to_ms(now),
            "schedule_id": schedule,
        }
        for number, (session, text, identity, schedule) in enumerate(wanted)
    ]
    db.execute(insert(chat_messages), rows)


def waiting_by_schedule(db: Connection, schedules: Collection[str]) -> dict[str, int]:
    """How many messages of each of some schedules still wait to be said; those of which none does are left out."""
    fits = and_(chat_messages.c.schedule_id.in_(schedules), chat_messages.c.state == "queued")
    query = select(chat_messages.c.schedule_id, func.count()).where(fits)
    return {str(name): int(count) for name, count in db.execute(query.group_by(chat_messages.c.schedule_id))}


def titles(db: Connection, sessions: Collection[str]) -> dict[str, tuple[str | None, str | None]]:
    """Title and lane of some chats, by session."""
    fits = select(chats.c.session_id, chats.c.title, chats.c.lane_id).where(chats.c.session_id.in_(sessions))
    return {row.session_id: (row.title, row.lane_id) for row in db.execute(fits)}


def state_of(db: Connection, session: str) -> str | None:
    """State of a chat; ``None`` where there is none."""
    found = db.execute(select(chats.c.state).where(chats.c.session_id == session)).scalar()
    return None if found is None else str(found)


def message(db: Connection, session: str, identifier: str) -> Message | None:
    condition = and_(chat_messages.c.id == identifier, chat_messages.c.session_id == session)
    row = db.execute(select(chat_messages).where(condition)).mappings().first()
    return None if row is None else message_of(row)


def queued(db: Connection, session: str) -> list[Message]:
    """Messages that wait, in the order they are said."""
    condition = and_(chat_messages.c.session_id == session, chat_messages.c.state == "queued")
    rows = db.execute(select(chat_messages).where(condition).order_by(chat_messages.c.place)).mappings()
    return [message_of(row) for row in rows]


def set_message(db: Connection, identifier: str, state: str, *, turn: int | None = None) -> None:
    db.execute(update(chat_messages).where(chat_messages.c.id == identifier).values(state=state, turn=turn))


# -- transcript


def append(
    db: Connection,
    session: str,
    turn: int,
    kind: EntryKind,
    text: str,
    now: datetime,
    *,
    tool: str | None = None,
    call_id: str | None = None,
    is_error: bool = False,
) -> Entry:
    """Add an entry; a text beyond the budget of one loses its end."""
    kept = text.encode("utf-8", "replace").decode()[:LONGEST_ENTRY]
    done = db.execute(
        insert(chat_entries).values(
            session_id=session,
            turn=turn,
            kind=kind,
            text=kept,
            tool=tool,
            call_id=call_id,
            is_error=int(is_error),
            cut=max(0, len(text) - LONGEST_ENTRY),
            at=to_ms(now),
        )
    )
    (identifier,) = done.inserted_primary_key or (0,)
    row = db.execute(select(chat_entries).where(chat_entries.c.id == identifier)).mappings().one()
    return entry_of(row)


def entries(
    db: Connection, session: str, *, turn: int | None, after: int | None, limit: int
) -> tuple[list[Entry], int]:
    """Entries after one of them, oldest first (without ``after`` the last ones), and how many there are of that turn."""
    fits = _fitting(session, turn)
    total = db.execute(select(func.count()).select_from(chat_entries).where(fits)).scalar_one()
    query = select(chat_entries).where(fits)
    if after is None:
        rows = db.execute(query.order_by(chat_entries.c.id.desc()).limit(limit)).mappings()
        return [entry_of(row) for row in rows][::-1], total
    rows = db.execute(
        query.where(chat_entries.c.id > after).order_by(chat_entries.c.id).limit(limit)
    ).mappings()
    return [entry_of(row) for row in rows], total


def spoken(db: Connection, session: str, after: int) -> list[Entry]:
    """What was said by user and agent after an entry."""
    fits = and_(
        _fitting(session, None), chat_entries.c.id > after, chat_entries.c.kind.in_(("user", "assistant"))
    )
    return [
        entry_of(row)
        for row in db.execute(select(chat_entries).where(fits).order_by(chat_entries.c.id)).mappings()
    ]


def newest(db: Connection, session: str) -> int:
    """Id of the chat's last entry, 0 before the first."""
    query = select(func.coalesce(func.max(chat_entries.c.id), 0)).where(chat_entries.c.session_id == session)
    return int(db.execute(query).scalar_one())


# -- approvals


def ask(
    db: Connection,
    session: str,
    turn: int,
    now: datetime,
    *,
    tool: str,
    summary: str,
    details: JsonObject,
    call_id: str | None,
) -> ApprovalRecord:
    identifier = new_id("apr")
    db.execute(
        insert(chat_approvals).values(
            id=identifier,
            session_id=session,
            turn=turn,
            call_id=call_id,
            state="pending",
            tool=tool,
            summary=summary,
            details=orjson.dumps(details).decode(),
            created_at=to_ms(now),
        )
    )
    return _must(approval(db, identifier))


def approval(db: Connection, identifier: str) -> ApprovalRecord | None:
    row = db.execute(select(chat_approvals).where(chat_approvals.c.id == identifier)).mappings().first()
    return None if row is None else approval_of(row)


def pending(db: Connection, sessions: Iterable[str] | None) -> list[ApprovalRecord]:
    """What nobody has decided, oldest first."""
    query = select(chat_approvals).where(chat_approvals.c.state == "pending")
    if sessions is not None:
        query = query.where(chat_approvals.c.session_id.in_(list(sessions)))
    rows = db.execute(query.order_by(chat_approvals.c.created_at, chat_approvals.c.id)).mappings()
    return [approval_of(row) for row in rows]


def decide(
    db: Connection, identifier: str, state: str, now: datetime, *, decided_by: str | None, message: str | None
) -> bool:
    """Settle an approval; false where somebody did before."""
    done = db.execute(
        update(chat_approvals)
        .where(chat_approvals.c.id == identifier, chat_approvals.c.state == "pending")
        .values(state=state, decided_by=decided_by, message=message, decided_at=to_ms(now))
    )
    return done.rowcount == 1


def withdraw(db: Connection, session: str, now: datetime, *, everything: bool) -> None:
    """Nobody needs the decisions any more that a chat's turn waited for; with ``everything`` also those that it only
    asked for.
    """
    meant = [chat_approvals.c.session_id == session, chat_approvals.c.state == "pending"]
    if not everything:
        meant.append(chat_approvals.c.call_id.is_not(None))
    db.execute(update(chat_approvals).where(*meant).values(state="withdrawn", decided_at=to_ms(now)))


def _fitting(session: str, turn: int | None) -> ColumnElement[bool]:
    fits: ColumnElement[bool] = chat_entries.c.session_id == session
    return fits if turn is None else and_(fits, chat_entries.c.turn == turn)


def _must(found: T | None) -> T:
    assert found is not None
    return found
