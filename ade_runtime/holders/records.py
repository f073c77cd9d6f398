"""What was started in a holder, and what has become of it since."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from ade_runtime.redaction import redact
from ade_runtime.storage.times import from_ms, to_ms

Kind = Literal["terminal", "process", "test"]
PREFIXES: Mapping[Kind, str] = {"terminal": "trm", "process": "prc", "test": "tst"}

Phase = Literal["running", "waiting", "ended", "orphaned", "lost"]
LIVE: frozenset[Phase] = frozenset(["running", "waiting", "orphaned"])


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderRecord:
    """A row. ``session`` is the session that everything below the holder belongs to, ``None`` for the owner's own. ``settings``
    are the kind's own. ``ended_at`` and ``outcome`` are there once the end was seen; see :class:`Seen`."""

    id: str
    kind: Kind
    project_id: str
    lane_id: str
    lane_name: str
    command: tuple[str, ...]
    cwd: str
    created_at: datetime
    session: str | None = None
    name: str | None = None
    title: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    ended_at: datetime | None = None
    outcome: Mapping[str, Any] | None = None

    @property
    def label(self) -> str:
        """Its title, else the command line, on one line."""
        return self.title or shown_command(self.command)

    @property
    def is_agent(self) -> bool:
        """Whether it is an agent's terminal: its session was made for it and ends with its program."""
        return "agent" in self.settings

    def row(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "project_id": self.project_id,
            "lane_id": self.lane_id,
            "lane_name": self.lane_name,
            "session_id": self.session,
            "name": self.name,
            "title": self.title,
            "command": json.dumps(self.command),
            "cwd": self.cwd,
            "settings": json.dumps(dict(self.settings)),
            "created_at": to_ms(self.created_at),
            "ended_at": None if self.ended_at is None else to_ms(self.ended_at),
            "outcome": None if self.outcome is None else json.dumps(dict(self.outcome)),
        }


def from_row(row: Mapping[str, Any]) -> HolderRecord:
    return HolderRecord(
        id=row["id"],
        kind=row["kind"],
        project_id=row["project_id"],
        lane_id=row["lane_id"],
        lane_name=row["lane_name"],
        session=row["session_id"],
        name=row["name"],
        title=row["title"],
        command=tuple(json.loads(row["command"])),
        cwd=row["cwd"],
        settings=json.loads(row["settings"]),
        created_at=from_ms(row["created_at"]),
        ended_at=None if row["ended_at"] is None else from_ms(row["ended_at"]),
        outcome=None if row["outcome"] is None else json.loads(row["outcome"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known of a command now. ``phase``: running; waiting to be started again; ended; orphaned, when it runs but its
    holder was killed; lost, when its end was not seen, because holder and command or the whole machine went down.

    ``holder`` and ``command`` are marks of processes that run. ``reason`` of the end is exited, stopped, timed_out, crash_loop
    or, for a lost one, ``None``.
    """

    phase: Phase
    holder: str | None = None
    command: str | None = None
    starts: int = 1
    started_at: datetime | None = None
    ended_at: datetime | None = None
    exit_code: int | None = None
    signal: int | None = None
    reason: str | None = None
    failure: str | None = None
    restart_at: datetime | None = None
    rows: int = 0
    columns: int = 0

    @property
    def live(self) -> bool:
        return self.phase in LIVE

    @property
    def leftovers(self) -> bool:
        """Whether it has ended and something that it started still runs."""
        return self.phase == "ended" and self.holder is not None

    @property
    def pid(self) -> int | None:
        """Process id of the command, where it runs."""
        return None if self.command is None else int(self.command.partition(":")[0])

    def outcome(self) -> dict[str, Any]:
        """What is kept of an end."""
        return {
            "phase": self.phase,
            "starts": self.starts,
            "started_at": None if self.started_at is None else to_ms(self.started_at),
            "exit_code": self.exit_code,
            "signal": self.signal,
            "reason": self.reason,
            "failure": self.failure,
            "rows": self.rows,
            "columns": self.columns,
        }


def seen_before(record: HolderRecord) -> Seen:
    """What the row says of a command whose end was seen."""
    kept = dict(record.outcome or {})
    started = kept.get("started_at")
    return Seen(
        phase=kept.get("phase", "lost"),
        starts=kept.get("starts", 1),
        started_at=None if started is None else from_ms(started),
        ended_at=record.ended_at,
        exit_code=kept.get("exit_code"),
        signal=kept.get("signal"),
        reason=kept.get("reason"),
        failure=kept.get("failure"),
        rows=kept.get("rows", 0),
        columns=kept.get("columns", 0),
    )


def shown_words(command: Sequence[str]) -> list[str]:
    """The words of a command line without its secrets."""
    line = shlex.join(command)
    clean = redact(line)
    if clean == line:
        return list(command)
    try:
        return shlex.split(clean)
    except ValueError:
        return [clean]


def shown_command(command: tuple[str, ...]) -> str:
    """A command as one would type it, shortened, without its secrets."""
    text = " ".join(redact(shlex.join(command)).split())
    return text if len(text) <= 200 else text[:199] + "…"
