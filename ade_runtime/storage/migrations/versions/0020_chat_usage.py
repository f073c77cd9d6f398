"""What turns used becomes numbers beside the transcript's words, and a message names the schedule that it is from."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

_WORDS = re.compile(r"([0-9]{1,18}) tokens in, ([0-9]{1,18}) out(?:, ([0-9]+\.[0-9]+) USD)?")
_AT_ONCE = 1000


def upgrade() -> None:
    usage = op.create_table(
        "chat_usage",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("tokens_in", sa.BigInteger(), nullable=False),
        sa.Column("tokens_out", sa.BigInteger(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["chat_entries.id"], name=op.f("fk_chat_usage_entry_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_chat_usage")),
    )
    op.create_index("ix_chat_usage_session_id", "chat_usage", ["session_id", "at"])
    _read_words(usage)
    op.add_column("chat_messages", sa.Column("schedule_id", sa.String(), nullable=True))
    op.create_index("ix_chat_messages_schedule_id", "chat_messages", ["schedule_id", "state"])


def downgrade() -> None:
    """The words are still in the transcript."""
    op.drop_index("ix_chat_messages_schedule_id", "chat_messages")
    op.drop_column("chat_messages", "schedule_id")
    op.drop_table("chat_usage")


def _read_words(usage: sa.Table) -> None:
    """The numbers of what was written down until now; words that say something else have none."""
    names = ("id", "session_id", "kind", "text", "at")
    entries = sa.table("chat_entries", *(sa.column(name) for name in names))
    wanted = sa.select(entries).where(entries.c.kind == "usage").order_by(entries.c.id)
    last, connection = 0, op.get_bind()
    while rows := connection.execute(wanted.where(entries.c.id > last).limit(_AT_ONCE)).all():
        last = rows[-1].id
        found = [(row, _WORDS.fullmatch(row.text)) for row in rows]
        values = [
            {
                "entry_id": row.id,
                "session_id": row.session_id,
                "tokens_in": int(said[1]),
                "tokens_out": int(said[2]),
                "cost_usd": None if said[3] is None else float(said[3]),
                "at": row.at,
            }
            for row, said in found
            if said is not None
        ]
        if values:
            connection.execute(sa.insert(usage), values)
