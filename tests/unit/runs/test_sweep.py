"""What a sweep takes back, whom it finds silent, and that it tells of each silence once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from ade_runtime.runs.document import Manifest, instant
from ade_runtime.runs.heartbeats import Beat
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.sweep import GONE, STALL_AFTER, TAKEN, sweep
from ade_runtime.runs.tasks import agent_of, find
from tests.unit.runs.samples import AT, developing
from tests.unit.runs.test_work import A, B, claim, release

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def alive(*sessions: str, at: datetime) -> dict[str, Beat]:
    return {one: Beat(at, None) for one in sessions}


def all_alive(at: datetime) -> dict[str, Beat]:
    return alive("ses_a", "ses_b", "ses_v", at=at)


def with_leases(*leases: Any) -> Manifest:
    """As many tasks as leases, each claimed by worker a."""
    manifest = developing()
    template = find(manifest, "T-2")
    manifest["tasks"] = [{**template, "attempts": [], "id": f"T-{n}"} for n, _ in enumerate(leases)]
    for n, lease in enumerate(leases):
        claim(manifest, A, f"T-{n}")["claimLeaseUntil"] = lease
    return manifest


def test_case_46_expired_missing_and_malformed_leases_are_taken_back_and_future_ones_stay() -> None:
    now = AT + HOUR
    manifest = with_leases(instant(now - SECOND), None, "soon", instant(now + HOUR))
    found = sweep(manifest, {}, (), now)
    assert [one.task for one in found.recovered] == ["T-0", "T-1", "T-2"]
    for task in manifest["tasks"][:3]:
        assert (task["status"], task["assigneeSessionId"], task["claimLeaseUntil"]) == ("pending", None, None)
        assert (task["attempts"][0]["outcome"], task["currentAttemptId"]) == ("interrupted", None)
    assert (manifest["tasks"][3]["status"], manifest["tasks"][3]["assigneeSessionId"]) == ("claimed", "ses_a")
    assert agent_of(manifest, "ses_a")["currentStepId"] == "T-3"
    assert problems(manifest) == []


def test_a_sign_of_life_renews_a_lease() -> None:
    manifest = with_leases(instant(AT + timedelta(minutes=30)))
    now = AT + HOUR
    assert not sweep(manifest, all_alive(now - timedelta(minutes=5)), (), now)
    assert sweep(manifest, all_alive(now - timedelta(minutes=30)), (), now).recovered


def test_a_task_in_review_waits_for_others_and_is_not_taken_for_time() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    release(manifest, A, "T-1", "review")
    assert not sweep(manifest, all_alive(AT + HOUR), (), AT + HOUR).recovered
    found = sweep(manifest, all_alive(AT + HOUR), {"ses_a"}, AT + HOUR)
    assert [(one.task, one.reason) for one in found.recovered] == [("T-1", GONE)]


def test_an_agent_whose_session_has_ended_gives_back_all_it_held_and_has_failed() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    claim(manifest, B, "T-2")
    found = sweep(manifest, all_alive(AT), {"ses_a"}, AT)
    assert (found.gone, [one.task for one in found.recovered]) == (["ses_a"], ["T-1"])
    row = agent_of(manifest, "ses_a")
    assert (row["status"], row["currentStepId"]) == ("failed", None)
    assert manifest["lineage"][0]["status"] == "failed"
    assert not sweep(manifest, all_alive(AT), {"ses_a"}, AT)


def test_what_the_lead_takes_back_is_taken_whoever_holds_it() -> None:
    manifest = developing()
    claim(manifest, A, "T-1")
    found = sweep(manifest, all_alive(AT), (), AT, taken=["T-1", "T-2"])
    assert [(one.task, one.reason) for one in found.recovered] == [("T-1", TAKEN)]


@pytest.mark.parametrize("status", ["pending", "running"])
def test_case_49_silence_of_ten_minutes_is_no_stall_and_a_second_more_is(status: str) -> None:
    manifest = developing()
    agent_of(manifest, "ses_a")["status"] = status
    beats = all_alive(AT + STALL_AFTER + SECOND) | alive("ses_a", at=AT)
    assert not sweep(manifest, beats, (), AT + STALL_AFTER)
    found = sweep(manifest, beats, (), AT + STALL_AFTER + SECOND)
    assert found.stalled == {"ses_a": AT}
    assert agent_of(manifest, "ses_a")["stalled"]
    beats["ses_a"] = Beat(AT, AT)
    assert not sweep(manifest, beats, (), AT + STALL_AFTER + 2 * SECOND), "this silence was told of"


def test_case_49_after_a_sign_of_life_a_new_silence_is_told_of_again() -> None:
    manifest = developing()
    agent_of(manifest, "ses_a")["stalled"] = True
    heard = AT + HOUR
    beats = all_alive(heard) | {"ses_a": Beat(heard, AT)}
    found = sweep(manifest, beats, (), heard + SECOND)
    assert (found.back, found.stalled) == (["ses_a"], {})
    assert not agent_of(manifest, "ses_a")["stalled"]
    beats |= alive("ses_b", "ses_v", at=heard + HOUR)
    assert sweep(manifest, beats, (), heard + HOUR).stalled == {"ses_a": heard}


def test_a_new_silence_is_told_of_also_where_nobody_looked_in_between() -> None:
    manifest = developing()
    agent_of(manifest, "ses_a")["stalled"] = True
    heard = AT + HOUR
    beats = all_alive(heard + HOUR) | {"ses_a": Beat(heard, AT)}
    assert sweep(manifest, beats, (), heard + HOUR).stalled == {"ses_a": heard}


def test_fault_o16_an_agent_that_never_was_heard_of_is_watched_from_its_start() -> None:
    manifest = developing()
    found = sweep(manifest, {}, (), AT + STALL_AFTER + SECOND)
    assert set(found.stalled) == {"ses_a", "ses_b", "ses_v"}


@pytest.mark.parametrize("status", ["blocked", "completed", "failed"])
def test_who_waits_or_is_done_is_not_watched_and_neither_is_the_lead(status: str) -> None:
    manifest = developing()
    for agent in manifest["agents"]:
        agent["status"] = "running" if agent["role"] == "lead" else status
    for edge in manifest["lineage"]:
        edge["status"] = "completed"
    assert not sweep(manifest, {}, (), AT + 10 * HOUR)
