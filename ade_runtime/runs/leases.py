"""Until when a claim holds: as long as its lease says, counted anew from each time that its holder was heard of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ade_runtime.runs.document import moment

LEASE = timedelta(minutes=30)
SHORTEST, LONGEST = timedelta(seconds=60), timedelta(hours=24)


def until(task: Mapping[str, Any], heard: datetime | None) -> datetime | None:
    """When a held task's lease runs out; ``None`` for one that says nothing that could be read, which is over at once.
    ``heard`` is when its holder was last heard of. It is counted from there, so that being alive changes no manifest."""
    end, begun = moment(task["claimLeaseUntil"]), moment(task["claimedAt"])
    if end is None:
        return None
    if heard is None or begun is None or heard <= begun:
        return end
    return max(end, heard + (end - begun))


def is_over(task: Mapping[str, Any], heard: datetime | None, now: datetime) -> bool:
    """Whether anybody may take the task from its holder. One in review waits for others, so its time does not run."""
    if task["status"] == "review":
        return False
    end = until(task, heard)
    return end is None or end <= now
