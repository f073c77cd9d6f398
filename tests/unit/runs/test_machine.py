"""Whatever anybody calls, in whatever order: the manifest stays right, and nothing but approval leaves planning.

The machine works as the service does: a change is made on a copy, and stored only if it raises nothing and nothing is wrong
with it. What is drawn are the calls of the lead, the answers of the user, and patches of every role.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ade_runtime.contracts import AdeError
from ade_runtime.runs import outcomes, patch, planning, policy, readiness
from ade_runtime.runs.document import ROUNDS, Manifest, new_agent
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.members import Member
from tests.unit.runs.samples import INTAKE, MODEL, NOW, STEP, complete, fresh, taken_in

PLANS = st.sampled_from(["p", "q"])
KINDS = st.sampled_from(ROUNDS)
MEMBERS = st.sampled_from(
    [
        Member("lead", "ses_lead"),
        Member("lead", None),
        Member("worker", "ses_a"),
        Member("worker", "ses_b"),
        Member("validator", "ses_v"),
    ]
)
PATHS = st.sampled_from(
    [
        "/title", "/currentPhase", "/leadState", "/leadState/planning/stage", "/leadState/planApprovedAt", "/planSpec/approval",
        "/phases/{id:planning}/status", "/phases", "/tasks", "/tasks/-", "/tasks/{id:T-1}", "/tasks/{id:T-1}/status",
        "/tasks/{id:T-1}/validationGate", "/tasks/{id:T-1}/assigneeSessionId", "/tasks/{id:T-1}/humanOverride",
        "/tasks/{id:T-1}/blockedBy", "/tasks/{id:T-2}/blockedBy", "/userOverrides/-", "/userOverrides", "/modelRouting",
        "/validationStrategy/steps/-", "/validationStrategy/steps/{id:tests}", "/validationStrategy/checklist",
        "/agents/{sessionId:ses_a}/status", "/agents/{sessionId:ses_lead}", "/agents/{role:lead}/role", "/lineage/-",
    ]
)  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        "x", "done", "in_progress", "review", "developing", "ready", "ses_b", None, True, 3, [], ["T-1"], ["T-2"],
        {"id": "T-1", "title": "One"},
        {"id": "T-2", "title": "Two", "validationGate": {"required": True, "stepIds": ["tests"]}},
        {"required": False, "stepIds": []}, {"required": True, "stepIds": ["tests"]}, STEP,
        {"id": "o", "at": NOW, "affectedDefault": "gate", "reason": "x", "taskId": "T-1", "questionId": None},
    ]
)  # fmt: skip


class Planning(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.manifest = fresh()
        self.approved = False
        self.shown: str | None = None

    @initialize(start=st.sampled_from([fresh, taken_in, complete]))
    def begin(self, start: Callable[[], Manifest]) -> None:
        self.manifest = start()
        for name, role in (("ses_a", "worker"), ("ses_b", "worker"), ("ses_v", "validator")):
            self.manifest["agents"].append(new_agent(name, role, name, NOW))

    def change(self, mutate: Callable[[Manifest], Any], *, keep_refused: bool = False) -> bool:
        """As the service: with ``keep_refused`` what was changed before a refusal is stored, as answers are."""
        draft = copy.deepcopy(self.manifest)
        worked = True
        try:
            mutate(draft)
        except AdeError:
            if not keep_refused:
                return False
            worked = False
        if problems(draft):
            return False
        self.manifest = draft
        return worked

    def answer(
        self,
        kind: str,
        payload: dict[str, Any],
        words: dict[str, list[str]] | None,
        by: str | None,
        plan: str,
    ) -> bool:
        given = outcomes.Answer("qst_1", words, by, plan)
        return self.change(
            lambda manifest: outcomes.OUTCOMES[kind](manifest, given, payload, NOW), keep_refused=True
        )

    @rule(ui=st.booleans())
    def take_in(self, ui: bool) -> None:
        self.change(lambda manifest: planning.record_intake(manifest, INTAKE | {"touchesUiSurface": ui}, NOW))

    @rule(kind=KINDS, words=st.sampled_from([None, [], ["  "], ["A"], ["approved"]]))
    def round(self, kind: str, words: list[str] | None) -> None:
        payload = {"kind": kind, "options": ["A"], "cascadedFrom": None}
        self.answer("round", payload, None if words is None else {"answer": words}, "owner", "p")

    @rule(
        kinds=st.lists(KINDS, min_size=1, max_size=3, unique=True),
        words=st.sampled_from(["Skip", "Keep", "skip"]),
    )
    def waive_rounds(self, kinds: list[str], words: str) -> None:
        before = len(self.manifest["userOverrides"])
        payload = {"rounds": kinds, "validation": False}
        self.answer("override", payload, {"answer": [words], "reason": ["r"]}, "owner", "p")
        if words != "Skip":
            assert len(self.manifest["userOverrides"]) == before

    @rule(words=st.sampled_from(["do not skip validation", "No validation for this run"]))
    def waive_validation(self, words: str) -> None:
        self.answer("override", {"rounds": [], "validation": True}, {"answer": [words]}, "owner", "p")

    @rule(words=st.sampled_from([outcomes.SHORT, outcomes.LONG]))
    def light(self, words: str) -> None:
        self.answer("light_plan", {"summary": "Small."}, {"answer": [words]}, "owner", "p")

    @rule()
    def expand(self) -> None:
        self.change(planning.expand)

    @rule()
    def models(self) -> None:
        routing = {"default": MODEL, "byRole": {}, "byTag": {}, "byRoleTag": {}}
        self.answer(
            "models", {"options": [{"label": "A", "routing": routing}]}, {"answer": ["A"]}, "owner", "p"
        )

    @rule()
    def finishing(self) -> None:
        def mutate(manifest: Manifest) -> None:
            planning.check_open(manifest)
            manifest["finishing"] = {"mode": "pr", "chosenAt": NOW}

        self.change(mutate)

    @rule()
    def step(self) -> None:
        self.patch(Member("lead", "ses_lead"), [("add", "/validationStrategy/steps/-", STEP)])

    @rule(plan=PLANS)
    def show_plan(self, plan: str) -> None:
        def mutate(manifest: Manifest) -> None:
            planning.check_open(manifest)
            if readiness.lacking(manifest):
                raise AdeError("incomplete")
            if planning.planning_of(manifest)["stage"] != "ready":
                planning.move(manifest, "ready")

        if self.change(mutate):
            self.shown = plan

    @precondition(lambda self: self.shown is not None)
    @rule()
    def approve(self) -> None:
        self.decide(str(self.shown), ["Approve"], "owner")

    @precondition(lambda self: self.shown is not None)
    @rule(
        plan=PLANS,
        words=st.sampled_from([None, ["Approve"], ["approved"], ["Request changes"]]),
        by=st.sampled_from(["owner", None]),
    )
    def answer_plan(self, plan: str, words: list[str] | None, by: str | None) -> None:
        self.decide(plan, words, by)

    def decide(self, plan: str, words: list[str] | None, by: str | None) -> None:
        assert self.shown is not None
        right = words == ["Approve"] and by is not None and plan == self.shown
        worked = self.answer("approval", {"sha256": self.shown}, words and {"decision": words}, by, plan)
        assert right or not worked
        self.approved = self.approved or worked
        self.shown = None

    @rule(
        member=MEMBERS,
        changes=st.lists(
            st.tuples(st.sampled_from(["add", "replace", "remove"]), PATHS, VALUES), min_size=1, max_size=3
        ),
    )
    def anybody_patches(self, member: Member, changes: list[tuple[str, str, Any]]) -> None:
        self.patch(member, changes)

    def patch(self, member: Member, changes: list[tuple[str, str, Any]]) -> None:
        def mutate(manifest: Manifest) -> None:
            read = [patch.read(op, path, copy.deepcopy(value)) for op, path, value in changes]
            policy.apply_all(manifest, read, member, NOW, "run.manifest_patch")

        before = copy.deepcopy(
            {key: self.manifest[key] for key in ("currentPhase", "phases", "planSpec", "lineage")}
        )
        stage = planning.planning_of(self.manifest)["stage"]
        self.change(mutate)
        assert {key: self.manifest[key] for key in before} == before
        assert planning.planning_of(self.manifest)["stage"] == stage

    @invariant()
    def nothing_is_wrong(self) -> None:
        assert problems(self.manifest) == []

    @invariant()
    def planning_is_left_by_approval_alone(self) -> None:
        assert (self.manifest["currentPhase"] != "planning") is self.approved

    @invariant()
    def what_is_approved_lacked_nothing(self) -> None:
        if self.approved:
            planned = planning.planning_of(self.manifest)
            assert planned["stage"] == "ready"
            assert planned["lightPlan"] is not None or not planning.rounds_open(self.manifest)

    @invariant()
    def no_task_is_done_by_a_patch(self) -> None:
        assert not [one for one in self.manifest["tasks"] if one["status"] in ("done", "failed")]


TestPlanning = Planning.TestCase
TestPlanning.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
