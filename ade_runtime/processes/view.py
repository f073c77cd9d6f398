"""Processes as callers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ade_generated.models.types import Process, ProcessDefinition
from ade_runtime.holders.records import shown_words
from ade_runtime.processes.definitions import ready_of
from ade_runtime.terminals.view import signal_name

if TYPE_CHECKING:
    from datetime import datetime

    from ade_runtime.holders.records import Seen
    from ade_runtime.processes.definitions import Definition
    from ade_runtime.processes.runs import Run

_ENDS = {"stopped": "stopped", "crash_loop": "crashed"}


def process(run: Run, ready: bool | None) -> Process:
    record, seen = run.record, run.seen
    ports = ready_of(record.settings).ports
    document: dict[str, Any] = {
        "id": record.id,
        "name": record.name,
        "state": state(seen),
        "ready": ready,
        "port": ports[0] if ports else None,
        "lane": record.lane_name,
        "lane_id": record.lane_id,
        "session": record.session,
        "command": shown_words(record.command),
        "cwd": record.cwd,
        "pid": seen.pid,
        "restart": record.settings.get("restart", "never"),
        "restarts": max(seen.starts - 1, 0),
        "started_at": _time(seen.started_at or record.created_at),
        "ended_at": None if seen.live else _time(seen.ended_at),
        "next_start_at": _time(seen.restart_at) if seen.phase == "waiting" else None,
        "exit_code": seen.exit_code,
        "signal": signal_name(seen.signal),
    }
    return Process.model_validate(document)


def state(seen: Seen) -> str:
    """running, restarting, exited (with 0), failed, crashed (too often), stopped, orphaned or lost."""
    if seen.phase == "waiting":
        return "restarting"
    if seen.phase != "ended":
        return seen.phase
    well = seen.exit_code == 0 and seen.signal is None
    return _ENDS.get(str(seen.reason), "exited" if well else "failed")


def definition(one: Definition, *, trusted: bool, run: Run | None) -> ProcessDefinition:
    document: dict[str, Any] = {
        "name": one.name,
        "command": shown_words(one.command),
        "cwd": one.cwd,
        "lane": one.lane,
        "restart": one.restart,
        "port": one.ready.ports[0] if one.ready.ports else None,
        "stop_signal": one.stop_signal,
        "stop_timeout": one.stop_timeout,
        "trusted": trusted,
        "state": None if run is None else state(run.seen),
        "run": None if run is None else run.record.id,
    }
    return ProcessDefinition.model_validate(document)


def _time(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()
