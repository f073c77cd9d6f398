"""Whatever workers, validators, the lead, the user and the sweep do, in whatever order: the manifest stays right, a task has
one holder, a gated task is done only with a pass or the user's word for it, and phases go one way."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ade_runtime.contracts import AdeError
from ade_runtime.runs import cancelling, checks, claims, leases, patch, phases, policy, releases
from ade_runtime.runs.checks import Check
from ade_runtime.runs.document import PHASES, Manifest, instant
from ade_runtime.runs.heartbeats import Beat
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.members import Member
from ade_runtime.runs.releases import Release
from ade_runtime.runs.sweep import sweep
from ade_runtime.runs.tasks import ENDED, HELD
from tests.unit.runs.samples import AT, complete, developing

WORKING = [Member("worker", "ses_a"), Member("worker", "ses_b"), Member("validator", "ses_v")]
SESSIONS = [str(one.session) for one in WORKING]
MEMBERS = st.sampled_from(WORKING)
TASKS = st.sampled_from(["T-1", "T-2", "V-1", "T-3", "W-1", "T-1", "T-2", "P-1"])
STEPS = st.sampled_from(["tests", "tests", "lint", "none"])
ACTS = st.sampled_from(["claim", "claim", "done", "done", "review", "failed", "pending", "brief claim"])
FINDING = {
    "title": "x",
    "locus": None,
    "detail": None,
    "fix": None,
    "behaviorPreserving": None,
    "regressionTestTarget": None,
}
PATCHES = st.sampled_from(
    [
        ("/tasks/{id:T-1}/status", "done"), ("/tasks/{id:T-1}/status", "in_progress"), ("/tasks/{id:T-2}/status", "review"),
        ("/tasks/{id:T-1}/assigneeSessionId", "ses_b"), ("/tasks/{id:T-1}/humanOverride", "ovr"),
        ("/tasks/{id:T-1}/validationGate", {"required": False, "stepIds": []}), ("/tasks/{id:T-2}/blockedBy", ["T-1"]),
        ("/tasks/{id:T-2}/validationGate", {"required": True, "stepIds": ["tests"]}), ("/tasks/{id:T-2}/phaseId", "planning"),
        ("/tasks/{id:T-1}/supersededBy", "T-2"), ("/tasks/{id:T-2}/supersededBy", "T-1"), ("/currentPhase", "wrapup"),
        ("/phases/{id:developing}/status", "done"), ("/phases/{id:validating}/status", "done"),
        ("/phases/{id:wrapup}/status", "done"), ("/phases/{id:planning}/status", "done"),
        ("/agents/{sessionId:ses_a}/status", "completed"),
        ("/agents/{sessionId:ses_a}/status", "blocked"), ("/agents/{sessionId:ses_v}/role", "worker"),
        ("/validationStrategy/checklist", []), ("/tasks/{id:T-1}/attempts", []), ("/tasks/{id:T-2}/evidence", ["x"]),
    ]
)  # fmt: skip


class Work(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.manifest = developing()
        self.now = AT
        self.beats: dict[str, Beat] = {}
        self.approved = True

    @initialize(start=st.sampled_from(["held", "checked", "validating", "wrapup", "begun", "planning"]))
    def begin(self, start: str) -> None:
        approved = start != "planning"
        self.approved = approved
        self.manifest = developing() if approved else complete()
        base = developing()
        if not approved:
            self.manifest["tasks"], self.manifest["agents"] = base["tasks"], base["agents"]
        lint = {**self.manifest["validationStrategy"]["steps"][0], "id": "lint", "scope": "per_worker"}
        self.manifest["validationStrategy"]["steps"].append(lint)
        extra = {**copy.deepcopy(base["tasks"][1]), "id": "T-3", "blockedBy": ["T-1"]}
        planned = {**copy.deepcopy(base["tasks"][1]), "id": "P-1", "phaseId": "planning"}
        last = {**copy.deepcopy(base["tasks"][1]), "id": "W-1", "phaseId": "wrapup"}
        self.manifest["tasks"] += [extra, planned, last]
        if start not in ("begun", "planning"):
            self.claim(WORKING[0], "T-1", 30)
            self.claim(WORKING[1], "T-2", 30)
        if start in ("checked", "validating", "wrapup"):
            self.pass_step("tests", "T-1")
        if start in ("validating", "wrapup"):
            for member, task in zip((0, 1, 0), ("T-1", "T-2", "T-3"), strict=True):
                self.claim(WORKING[member], task, 30)
                self.give_back(WORKING[member], task, "done")
            assert self.manifest["currentPhase"] == "validating"
        if start == "wrapup":
            self.claim(WORKING[2], "V-1", 30)
            self.give_back(WORKING[2], "V-1", "done")
            self.pass_step("tests", None)
            self.pass_step("lint", None)
            assert self.manifest["currentPhase"] == "wrapup"

    def pass_step(self, step: str, task: str | None) -> None:
        self.change(
            lambda m, now: checks.record(m, WORKING[2], Check(step=step, task=task, passed=True), now)
        )

    def change(self, mutate: Callable[[Manifest, str], Any]) -> bool:
        """As the service does: on a copy, phases follow, and nothing wrong is stored."""
        draft, now = copy.deepcopy(self.manifest), instant(self.now)
        if phases.is_completed(draft):
            return False
        try:
            mutate(draft, now)
        except AdeError:
            return False
        phases.advance(draft, now)
        if problems(draft):
            return False
        self.check_step(draft)
        self.manifest = draft
        return True

    def check_step(self, draft: Manifest) -> None:
        """What may not happen between one state and the next."""
        before = {one["id"]: one for one in self.manifest["tasks"]}
        for task in draft["tasks"]:
            old = before.get(task["id"])
            if old is None:
                continue
            if old["status"] in ENDED:
                assert (task["status"], task["attempts"]) == (old["status"], old["attempts"]), (
                    "an end is an end"
                )
            if old["status"] in HELD and task["status"] in HELD:
                assert len(task["attempts"]) >= len(old["attempts"])
        assert PHASES.index(draft["currentPhase"]) >= PHASES.index(self.manifest["currentPhase"])

    def heard(self, member: Member) -> None:
        told = self.beats[str(member.session)].told if str(member.session) in self.beats else None
        self.beats[str(member.session)] = Beat(self.now, told)

    @rule(member=MEMBERS, task=TASKS, act=ACTS)
    def work(self, member: Member, task: str, act: str) -> None:
        """One rule for both, so that drawing leaves neither out."""
        if act.endswith("claim"):
            self.claim(member, task, 1 if act == "brief claim" else 30)
        else:
            self.give_back(member, task, act)
        self.heard(member)

    def claim(self, member: Member, task: str, minutes: int) -> None:
        before = {one["id"]: one for one in self.manifest["tasks"]}
        times = {session: beat.at for session, beat in self.beats.items()}
        lease = timedelta(minutes=minutes)
        if self.change(lambda m, _: claims.claim(m, member, task, lease, self.now, times)):
            holder = before[task]["assigneeSessionId"]
            taken = before[task]["status"] in HELD and holder != member.session
            assert not taken or leases.is_over(before[task], times.get(holder), self.now)

    def give_back(self, member: Member, task: str, result: Any) -> None:
        said = Release(result=result, summary="so")
        before = {one["id"]: one for one in self.manifest["tasks"]}
        if self.change(lambda m, now: releases.release(m, member, task, said, now)):
            assert before[task]["assigneeSessionId"] == member.session

    @rule(
        member=MEMBERS,
        task=st.one_of(st.none(), TASKS),
        step=STEPS,
        passed=st.booleans(),
        severity=st.sampled_from([None, None, "low", "high", "blocker"]),
    )
    def check(self, member: Member, task: str | None, step: str, passed: bool, severity: str | None) -> None:
        findings = () if severity is None else ({**FINDING, "severity": severity},)
        said = Check(step=step, task=task, passed=passed, findings=findings)
        self.change(lambda m, now: checks.record(m, member, said, now))
        self.heard(member)

    @rule(
        event=st.sampled_from(["let pass", "cancelled"]), task=TASKS, member=MEMBERS, often=st.integers(0, 4)
    )
    def something_rare(self, event: str, task: str, member: Member, often: int) -> None:
        if often == 0 and event == "let pass":
            self.user_lets_pass(task)
        elif often == 0:
            self.cancelled(member)

    def user_lets_pass(self, task: str) -> None:
        self.change(lambda m, now: checks.let_pass(m, task, "It may.", now, question="qst_1"))

    @rule(
        member=st.sampled_from([*WORKING, Member("lead", "ses_lead"), Member("lead", None)]),
        changes=st.lists(PATCHES, min_size=1, max_size=3),
    )
    def anybody_patches(self, member: Member, changes: list[tuple[str, Any]]) -> None:
        ended = [one["id"] for one in self.manifest["tasks"] if one["status"] in ENDED]

        def mutate(manifest: Manifest, now: str) -> None:
            read = [patch.read("replace", path, copy.deepcopy(value)) for path, value in changes]
            policy.apply_all(manifest, read, member, now, "run.manifest_patch")

        self.change(mutate)
        assert [one["id"] for one in self.manifest["tasks"] if one["status"] in ENDED] == ended

    @rule(
        minutes=st.sampled_from([0, 0, 0, 1, 9, 11, 31, 60]),
        ended=st.sets(st.sampled_from(SESSIONS), max_size=1),
    )
    def time_passes(self, minutes: int, ended: set[str]) -> None:
        self.now += timedelta(minutes=minutes)
        self.change(lambda m, _: sweep(m, self.beats, ended if minutes == 60 else (), self.now))
        draft = copy.deepcopy(self.manifest)
        for found in (sweep(draft, self.told(), (), self.now), sweep(draft, self.told(), (), self.now)):
            assert not found.recovered, "a sweep leaves nothing to recover"

    def told(self) -> dict[str, Beat]:
        return {session: Beat(one.at, one.at) for session, one in self.beats.items()}

    def cancelled(self, member: Member) -> None:
        self.change(lambda m, now: cancelling.cancel_agent(m, str(member.session), now, "enough"))

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert problems(self.manifest) == []

    @invariant()
    def planning_is_left_by_approval_alone(self) -> None:
        assert (self.manifest["currentPhase"] != "planning") is self.approved

    @invariant()
    def every_held_task_has_one_attempt_that_goes_on(self) -> None:
        for task in self.manifest["tasks"]:
            going = [one for one in task["attempts"] if one["endedAt"] is None]
            assert [one["sessionId"] for one in going] == (
                [task["assigneeSessionId"]] if task["status"] in HELD else []
            )

    @invariant()
    def what_is_done_had_leave(self) -> None:
        """Said again in other words than the service's: a pass by somebody else, a validator, or the user's own words."""
        validators = {one["sessionId"] for one in self.manifest["agents"] if one["role"] == "validator"}
        runs = [one for item in self.manifest["validationStrategy"]["checklist"] for one in item["runs"]]
        let = {one["taskId"] for one in self.manifest["userOverrides"] if one["affectedDefault"] == "gate"}
        for task in self.manifest["tasks"]:
            if task["status"] != "done" or not task["validationGate"]["required"] or task["id"] in let:
                continue
            for step in task["validationGate"]["stepIds"]:
                assert any(
                    one["stepId"] == step
                    and one["taskId"] == task["id"]
                    and one["passed"]
                    and one["sessionId"] in validators - {task["assigneeSessionId"]}
                    and all(found["severity"] not in ("blocker", "high") for found in one["findings"])
                    for one in runs
                ), task["id"]


TestWork = Work.TestCase
TestWork.settings = settings(
    max_examples=100, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
