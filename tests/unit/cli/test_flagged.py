"""A refusal names the flag that was typed, where that is called otherwise than the field."""

from __future__ import annotations

from ade_generated import errors
from ade_runtime.cli.catalog import default_catalog
from ade_runtime.cli.flagged import in_flags

PROBLEM = errors.InvalidArguments(
    problem="delay_seconds: must be at least 1 (given: 0)",
    action="schedule.create",
    details={"problems": [{"path": "delay_seconds"}]},
)


def test_the_flag_that_was_typed_is_named_and_the_details_stay() -> None:
    told = in_flags(PROBLEM, "schedule.create", ["schedules", "create", "x", "--in=0s"], default_catalog())
    assert told.message == "--in: must be at least 1 (given: 0), in seconds"
    assert told.hint == "See `ade schedules create --help`."
    assert (told.code, told.details) == (PROBLEM.code, PROBLEM.details)


def test_a_field_that_was_given_by_its_name_keeps_it() -> None:
    argv = ["actions", "run", "schedule.create", "--arg", "delay_seconds=0"]
    assert in_flags(PROBLEM, "schedule.create", argv, default_catalog()) is PROBLEM
    other = errors.LaneNotFound(lane="x")
    assert in_flags(other, "lane.show", ["lanes", "show", "--lane", "x"], default_catalog()) is other
