"""Suites and runs of tests as callers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated.models.types import TestRun, TestSuite
from ade_runtime.holders.records import shown_words
from ade_runtime.terminals.view import signal_name

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.holders.records import Seen
    from ade_runtime.testing.runs import Run
    from ade_runtime.testing.suites import Suite


def suite(one: Suite, *, trusted: bool) -> TestSuite:
    document: dict[str, Any] = {
        "name": one.name,
        "origin": one.origin,
        "why": one.why,
        "command": shown_words(one.command),
        "cwd": one.cwd,
        "timeout": one.timeout,
        "junit": one.junit,
        "trusted": trusted or one.origin != "config",
    }
    return TestSuite.model_validate(document)


def test_run(run: Run) -> TestRun:
    record, seen = run.record, run.seen
    outcome = record.outcome or {}
    started = seen.started_at or record.created_at
    ended = None if seen.live else seen.ended_at
    document: dict[str, Any] = {
        "id": record.id,
        "suite": record.name,
        "origin": record.settings.get("origin", "command"),
        "state": state(seen),
        "lane": record.lane_name,
        "lane_id": record.lane_id,
        "session": record.session,
        "command": shown_words(record.command),
        "cwd": record.cwd,
        "pid": seen.pid,
        "timeout": record.settings.get("timeout", 0),
        "started_at": started.isoformat(),
        "ended_at": _time(ended),
        "seconds": None if ended is None else max(round((ended - started).total_seconds(), 3), 0),
        "exit_code": seen.exit_code,
        "signal": signal_name(seen.signal),
        "summary": outcome.get("summary"),
        "note": outcome.get("note"),
    }
    return TestRun.model_validate(document)


def state(seen: Seen) -> str:
    """running, passed, failed, stopped, timed_out, orphaned or lost."""
    if seen.phase != "ended":
        return "running" if seen.phase == "waiting" else seen.phase
    if seen.reason in ("stopped", "timed_out"):
        return seen.reason
    return "passed" if seen.exit_code == 0 and seen.signal is None else "failed"


def _time(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
