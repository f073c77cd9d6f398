"""What was found outside of the lanes of a run's members, in its rows. Every function works inside the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select

from ade_runtime.runs.boundary.compare import Change
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.schema import run_outside as table
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``others`` are sessions that may have done it as well as ``session``; where there are none it was at work alone."""

    session: str
    agent: str
    lane_name: str | None
    others: Sequence[str]
    change: Change

    @property
    def sole(self) -> bool:
        return not self.others

    @property
    def text(self) -> str:
        """What is told of it, one line."""
        from ade_runtime.cli.clean import clean_line

        who, what = f"{self.agent} ({self.session})", _what(self.change, self.lane_name)
        if self.sole:
            said = f"{who} changed what is outside of its lane: {what}."
        else:
            said = f"While {who} was at work, this changed outside of its lane: {what}."
            said += f" It may also have been {', '.join(self.others)}."
        return clean_line(f"{said} Nothing was put back.")[:2000]


def _what(change: Change, lane: str | None) -> str:
    moved = f"{_commit(change.before)} to {_commit(change.after)}"
    if change.kind == "files":
        rest = f" and {change.more} more" if change.more else ""
        return f"files of lane {lane}: {', '.join(change.paths)}{rest}"
    if change.kind == "commit":
        return f"{change.ref}, which lane {lane} has checked out, from {moved}"
    if change.kind == "branch":
        return f"what lane {lane} has checked out, from {moved}"
    if change.kind == "folder":
        return f"the folder of lane {lane}, which is gone"
    if change.kind == "ref":
        return f"branch or tag {change.ref}, from {moved}"
    return "the configuration or the hooks that all lanes share"


def _commit(text: str | None) -> str:
    if text is None:
        return "nothing"
    return text[:12] if len(text) >= 40 and all(one in "0123456789abcdef" for one in text) else text


def add(db: Connection, run: str, finding: Finding, now: datetime) -> bool:
    """Keep a finding; false where the same state was found at the same place before."""
    change = finding.change
    same = (table.c.run_id == run, table.c.key == change.key)
    if db.execute(select(table.c.id).where(*same)).first() is not None:
        return False
    told = asdict(change) | {
        "agent": finding.agent,
        "lane_name": finding.lane_name,
        "others": [*finding.others],
    }
    db.execute(
        insert(table).values(
            id=new_id("fnd"),
            run_id=run,
            key=change.key,
            session_id=finding.session,
            lane_id=change.lane,
            sole=int(finding.sole),
            found=json.dumps(told),
            at=to_ms(now),
        )
    )
    return True


def count(db: Connection, run: str) -> int:
    return int(db.execute(select(func.count()).select_from(table).where(table.c.run_id == run)).scalar_one())


def listed(db: Connection, run: str) -> list[tuple[str, datetime, Finding]]:
    """Id, time and finding, the oldest first."""
    rows = db.execute(select(table).where(table.c.run_id == run).order_by(table.c.at, table.c.id))
    return [(row.id, from_ms(row.at), _finding(row)) for row in rows]


def _finding(row: Any) -> Finding:
    told = json.loads(row.found)
    agent, lane_name, others = told.pop("agent"), told.pop("lane_name"), told.pop("others")
    change = Change(**told | {"paths": tuple(told["paths"])})
    return Finding(
        session=row.session_id, agent=agent, lane_name=lane_name, others=tuple(others), change=change
    )
