"""What waited for its turn is told with how long it did."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ade_runtime.chat.driver import as_said
from ade_runtime.chat.records import Message

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
ASKED = Message(
    id="msg_1",
    session="ses_1",
    state="queued",
    steer=False,
    text="Look.",
    turn=None,
    created_at=NOON,
    schedule="sch_1",
)


def test_scheduled_work_that_waited_says_so_and_nothing_else_does() -> None:
    assert as_said(ASKED, NOON + timedelta(seconds=60)) == "Look."
    late = NOON + timedelta(hours=2, minutes=5)
    assert as_said(ASKED, late) == "Look.\n\n[Scheduled by sch_1; it waited 2 h 5 min to be said.]"
    assert as_said(replace(ASKED, schedule=None), late) == "Look."
