"""The flow policy: what it may say, where its faults are, and where issues go by it."""

from __future__ import annotations

from typing import Any

import pytest

from ade_runtime.linear_sync.policy import NOTHING_SAID, SLOTS, decide, filled, parse
from ade_runtime.linear_sync.records import Facts, facts_of


def facts(**more: Any) -> Facts:
    usual: dict[str, Any] = {
        "id": "1",
        "identifier": "ENG-1",
        "title": "Log in",
        "url": "https://linear.app/x/issue/ENG-1",
        "team": "ENG",
        "state": "Todo",
        "state_type": "unstarted",
        "labels": ("Bug",),
        "assignee": None,
        "priority": 1,
    }
    return Facts(**(usual | more))


POLICY = """
version: 1
rules:
  - name: urgent bugs
    when: {teams: [eng], labels: [BUG, Regression], priorities: [1]}
    route: worker
    prompt: "Fix {identifier}: {title}"
  - name: ada's
    when: {assignees: [ada]}
    route: ignore
  - name: started elsewhere
    when: {state_types: [started], states: [In Progress]}
    route: cto
otherwise: hold
"""


@pytest.mark.parametrize(
    ("issue", "route", "rule"),
    [
        (facts(), "worker", "urgent bugs"),
        (facts(priority=2), "hold", None),
        (facts(team="OPS"), "hold", None),
        (facts(labels=()), "hold", None),
        (facts(labels=("regression", "x")), "worker", "urgent bugs"),
        (facts(labels=(), assignee="Ada"), "ignore", "ada's"),
        (facts(labels=(), state_type="started", state="In Progress"), "cto", "started elsewhere"),
        (facts(labels=(), state_type="started", state="In Review"), "hold", None),
        (facts(state_type="completed", state="Done"), "ignore", None),
        (facts(state_type="canceled", state="Cancelled"), "ignore", None),
    ],
)
def test_the_first_rule_that_fits_decides(issue: Facts, route: str, rule: str | None) -> None:
    policy, faults = parse(POLICY)
    assert policy is not None and faults == ()
    decision = decide(policy, issue)
    assert (decision.route, decision.rule) == (route, rule)


def test_without_a_policy_somebody_decides() -> None:
    assert decide(NOTHING_SAID, facts()).route == "hold"


def test_what_an_issue_says_is_filled_in_once() -> None:
    issue = facts(title="{url} {identifier} {evil}")
    assert filled("{title} ({identifier}) {unknown}", issue) == "{url} {identifier} {evil} (ENG-1) {unknown}"
    for slot in SLOTS:
        assert filled(f"{{{slot}}}", issue) == str(getattr(issue, slot))


@pytest.mark.parametrize(
    ("text", "line", "path"),
    [
        ("version: 2\n", 1, "version"),
        ("version: true\n", 1, "version"),
        ("rules: []\n", 1, "version"),
        ("version: 1\nrule: []\n", 2, "rule"),
        ("version: 1\notherwise: nowhere\n", 2, "otherwise"),
        (
            "version: 1\nrules:\n  - name: a\n    route: worker\n    when: {label: [x]}\n",
            5,
            "rules.0.when.label",
        ),
        ("version: 1\nrules:\n  - {name: a, route: worker, when: {labels: []}}\n", 3, "rules.0.when.labels"),
        (
            "version: 1\nrules:\n  - {name: a, route: worker, when: {priorities: [5]}}\n",
            3,
            "rules.0.when.priorities.0",
        ),
        ("version: 1\nrules:\n  - name: a\n    route: run\n    prompt: 'Do {titel}'\n", 5, "rules.0.prompt"),
        ("version: 1\nversion: 1\n", 2, ""),
        ("a: &x 1\nb: *x\n", 1, ""),
        ("[]\n", 1, ""),
        ("", 1, ""),
    ],
)
def test_faults_are_told_with_their_place(text: str, line: int, path: str) -> None:
    policy, faults = parse(text)
    assert policy is None
    assert (line, path) in {(fault.line, fault.path) for fault in faults}, faults


def test_facts_of_both_ways_are_the_same() -> None:
    common = {
        "id": "1",
        "identifier": "ENG-1",
        "title": "Log in",
        "url": "u",
        "priority": 2,
        "team": {"key": "ENG"},
        "state": {"name": "Todo", "type": "unstarted"},
        "assignee": {"name": "Ada Lovelace", "displayName": "ada"},
    }
    asked = facts_of(common | {"labels": {"nodes": [{"name": "Bug"}]}, "priority": 2.0})
    told = facts_of(common | {"labels": [{"name": "Bug", "id": "x"}]})
    assert asked == told
    assert asked is not None and Facts.from_json(asked.to_json()) == asked


@pytest.mark.parametrize(
    "broken", [{}, {"id": "1"}, {"id": 1, "identifier": "E-1", "title": "x", "state": {}, "team": {}}]
)
def test_what_is_no_issue_has_no_facts(broken: dict[str, Any]) -> None:
    assert facts_of(broken) is None
