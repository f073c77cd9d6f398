"""Where an agent works and what it may change, as it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord


def directive(lane: LaneRecord) -> str:
    """The same sentences for every program."""
    branch = f" on branch {lane.branch}" if lane.branch else ""
    return (
        f"You work in lane {lane.name} ({lane.id}){branch}, whose folder is {lane.path}. "
        "Change nothing outside of it; other agents work in other lanes."
    )
