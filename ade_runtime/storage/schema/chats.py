"""Managed chats: what they are, what happened in them, and what waits for them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, String, Table, Text

from ade_runtime.storage.schema.base import metadata

chats = Table(
    "chats",
    metadata,
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("state", String, nullable=False),
    Column("title", String),
    Column("provider", String, nullable=False),
    Column("model", String),
    Column("effort", String),
    Column("permission_mode", String, nullable=False),
    Column("role", String, nullable=False),
    Column("project_id", String),
    Column("lane_id", String),
    Column("turn", Integer, nullable=False),
    Column("ref", String),
    Column("told_until", Integer, nullable=False),
    Column("paused", Integer, nullable=False),
    Column("note", Text),
    Column("outcome", String),
    Column("summary", Text),
    Column("problem", Text),
    Column("retry_at", BigInteger),
    Column("capability_mode", String),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("archived_at", BigInteger),
    Index("ix_chats_updated_at", "updated_at"),
    Index("ix_chats_state", "state"),
)
"""A chat has the id of its session. ``turn`` counts what was said to it; ``ref`` is the provider's own name of the
conversation, and ``told_until`` the last transcript entry that this conversation knows of: a provider that takes over is told
what came before. While ``paused`` no turn begins."""

chat_messages = Table(
    "chat_messages",
    metadata,
    Column("id", String, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("session_id", String, ForeignKey("chats.session_id", ondelete="CASCADE"), nullable=False),
    Column("state", String, nullable=False),
    Column("steer", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("turn", Integer),
    Column("identity", String, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("schedule_id", String),
    Index("ix_chat_messages_session_id", "session_id", "state", "place"),
    Index("ix_chat_messages_schedule_id", "schedule_id", "state"),
)
"""What is to be said, in the order of ``place``. ``state`` is queued, delivered or cancelled; a message is delivered in the
same transaction that begins its turn, so that it is never said twice."""

chat_entries = Table(
    "chat_entries",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("session_id", String, ForeignKey("chats.session_id", ondelete="CASCADE"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("tool", String),
    Column("call_id", String),
    Column("is_error", Integer, nullable=False),
    Column("cut", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_chat_entries_session_id", "session_id", "id"),
    sqlite_autoincrement=True,
)
"""The transcript, only ever appended to while the chat is kept. ``cut`` is how many characters a long text lost."""

chat_usage = Table(
    "chat_usage",
    metadata,
    Column("entry_id", Integer, ForeignKey("chat_entries.id", ondelete="CASCADE"), primary_key=True),
    Column("session_id", String, nullable=False),
    Column("tokens_in", BigInteger, nullable=False),
    Column("tokens_out", BigInteger, nullable=False),
    Column("cost_usd", Float),
    Column("at", BigInteger, nullable=False),
    Index("ix_chat_usage_session_id", "session_id", "at"),
)
"""What a turn used, beside the transcript entry that says it in words. ``cost_usd`` is null where the program did not say."""

chat_approvals = Table(
    "chat_approvals",
    metadata,
    Column("id", String, primary_key=True),
    Column("session_id", String, ForeignKey("chats.session_id", ondelete="CASCADE"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("call_id", String),
    Column("state", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("summary", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("decided_by", String),
    Column("message", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("decided_at", BigInteger),
    Index("ix_chat_approvals_state", "state", "created_at"),
)
"""What agents asked for permission to do. ``state`` is pending, allowed, refused or withdrawn."""
