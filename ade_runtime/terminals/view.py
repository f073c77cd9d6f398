"""Terminals as callers see them."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

from ade_generated.models.types import Terminal
from ade_runtime.holders.records import HolderRecord, Seen, shown_words

if TYPE_CHECKING:
    from datetime import datetime


def terminal(record: HolderRecord, seen: Seen) -> Terminal:
    document: dict[str, Any] = {
        "id": record.id,
        "state": "running" if seen.phase == "waiting" else seen.phase,
        "title": record.label,
        "project": record.project_id,
        "lane": record.lane_name,
        "lane_id": record.lane_id,
        "session": record.session,
        "command": shown_words(record.command),
        "cwd": record.cwd,
        "pid": seen.pid,
        "rows": seen.rows,
        "columns": seen.columns,
        "started_at": _time(seen.started_at or record.created_at),
        "ended_at": None if seen.live else _time(seen.ended_at),
        "exit_code": seen.exit_code,
        "signal": signal_name(seen.signal),
        "leftovers": seen.leftovers,
    }
    return Terminal.model_validate(document)


def signal_name(number: int | None) -> str | None:
    """``TERM`` for 15; the number itself where it has no name."""
    if number is None:
        return None
    try:
        return signal.Signals(number).name.removeprefix("SIG")
    except ValueError:
        return str(number)


def _time(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
