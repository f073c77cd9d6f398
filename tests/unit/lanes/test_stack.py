"""How lanes stand on each other."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.lanes.records import LaneRecord, primary_lane
from ade_runtime.lanes.stack import check_no_cycle, stack_of
from ade_runtime.projects.registry import Project

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PROJECT = Project("prj_1", "shop", Path("/shop"), Path("/shop/.git"), NOW, NOW)


def lane(name: str, parent: str | None = None) -> LaneRecord:
    return LaneRecord(
        id=name,
        project=PROJECT,
        name=name,
        kind="worktree",
        state="active",
        path=Path("/shop") / name,
        git_dir=None,
        branch=name,
        created_at=NOW,
        parent_id=parent,
    )


def test_the_stack_is_drawn_as_a_tree() -> None:
    lanes = [primary_lane(PROJECT), lane("a"), lane("b", "a"), lane("c", "b"), lane("d"), lane("e", "a")]
    drawn = [entry.tree for entry in stack_of(lanes, lanes[0])]
    assert drawn == ["primary", "├─ a", "│  ├─ b", "│  │  └─ c", "│  └─ e", "└─ d"]
    assert [entry.depth for entry in stack_of(lanes, lanes[0])] == [0, 1, 2, 3, 2, 1]


def test_a_part_of_the_stack() -> None:
    lanes = [primary_lane(PROJECT), lane("a"), lane("b", "a"), lane("c")]
    assert [entry.lane.name for entry in stack_of(lanes, lanes[1])] == ["a", "b"]


def test_a_lane_whose_parent_is_gone_stands_on_the_primary_one() -> None:
    lanes = [primary_lane(PROJECT), lane("a", "gone")]
    assert [entry.lane.name for entry in stack_of(lanes, lanes[0])] == ["primary", "a"]


def test_a_lane_cannot_stand_on_what_stands_on_it() -> None:
    lanes = [primary_lane(PROJECT), lane("a"), lane("b", "a"), lane("c", "b")]
    for parent in lanes[1:]:
        with pytest.raises(errors.LaneCycle):
            check_no_cycle(lanes, lanes[1], parent)
    check_no_cycle(lanes, lanes[3], lanes[1])
