"""What counts as a plan."""

from __future__ import annotations

import pytest

from ade_runtime.runs.plan_text import SECTIONS, missing
from tests.unit.runs.samples import PLAN


def lacks(text: str, *, light: bool = False, ui: bool = True) -> list[str]:
    return missing(text, light=light, ui_needed=ui)


def test_a_whole_plan_lacks_nothing() -> None:
    assert lacks(PLAN) == []


def test_nothing_lacks_everything() -> None:
    assert lacks("") == list(SECTIONS)


@pytest.mark.parametrize(
    "text",
    [
        "```\n## Goal\nPeople can log in.\n```\n",
        "~~~\n```\n## Goal\nPeople can log in.\n~~~\n",
        "````md\n```\n## Goal\nPeople can log in.\n```\n````\n",
        "## Non-goals\nPeople can not log in.\n",
        "## Goal\nN/A\n",
        "## Goal\nN/A because it is clear\n",
        "## Goal\n\n## In scope\nPasskeys for everybody.\n",
        "Goal: people can log in.\n",
    ],
)
def test_case_34_case_35_no_goal(text: str) -> None:
    assert "goal" in lacks(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Goal\nPeople can log in.\n",
        "# 1. **Goal** #\nPeople can log in.\n",
        "```\ncode\n```\n## Goals:\n- people log in\n",
        "~~~\n```\n~~~\n## Objective\nPeople can log in.\n",
    ],
)
def test_a_goal(text: str) -> None:
    assert "goal" not in lacks(text)


@pytest.mark.parametrize(
    ("body", "enough"),
    [
        ("N/A: nothing visible changes here", True),
        ("N/A", False),
        ("none", False),
        ("One button below", True),
    ],
)
def test_the_ui_may_be_none_with_a_reason(body: str, enough: bool) -> None:
    text = PLAN.replace("A single button below the form.", body)
    assert (lacks(text) == []) is enough


def test_the_ui_is_not_needed_where_nothing_visible_changes() -> None:
    assert lacks(PLAN.replace("## UI decisions", "## Other"), ui=False) == []


def test_a_light_plan_needs_less() -> None:
    text = "## Goal\nRename the button.\n## Agents\nOne worker, Codex.\n## Implementation order\nRename, then test.\n"
    assert lacks(text, light=True) == ["validation_plan"]
