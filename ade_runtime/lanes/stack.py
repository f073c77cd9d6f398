"""How the lanes of a project stand on each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord


@dataclass(frozen=True, slots=True)
class StackEntry:
    """``tree`` is the lane's name, drawn as part of a tree; ``depth`` counts the lanes below it."""

    lane: LaneRecord
    depth: int
    tree: str


def stack_of(lanes: list[LaneRecord], root: LaneRecord) -> list[StackEntry]:
    """``root`` and everything that stands on it, each lane after the one it stands on. ``lanes`` begin with
    the primary one."""
    children: dict[str, list[LaneRecord]] = {}
    ids = {lane.id for lane in lanes}
    for lane in lanes:
        if not lane.is_primary:
            parent = lane.parent_id if lane.parent_id in ids else lanes[0].id
            children.setdefault(str(parent), []).append(lane)
    return list(_walk(root, children, 0, "", ""))


def check_no_cycle(lanes: list[LaneRecord], lane: LaneRecord, parent: LaneRecord) -> None:
    """Raise ``lane_cycle`` when ``parent`` is the lane itself or stands on it."""
    if any(entry.lane.id == parent.id for entry in stack_of(lanes, lane)):
        raise errors.LaneCycle(lane=lane.name, parent=parent.name)


def _walk(
    lane: LaneRecord, children: dict[str, list[LaneRecord]], depth: int, own: str, below: str
) -> Iterator[StackEntry]:
    yield StackEntry(lane, depth, own + lane.name)
    mine = children.get(lane.id, [])
    for number, child in enumerate(mine, start=1):
        last = number == len(mine)
        yield from _walk(
            child, children, depth + 1, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")
        )
