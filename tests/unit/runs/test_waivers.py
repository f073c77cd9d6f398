"""What counts as the user's word that nothing is validated."""

from __future__ import annotations

import pytest

from ade_runtime.runs.waivers import waives_validation


@pytest.mark.parametrize(
    "text",
    [
        "no validation for this run",
        "No validation for this run.",
        "Skip validation.",
        "Please skip the validation phase for this run, it is a throwaway.",
        "It is a prototype. Do not run validation.",
        "We go without validation.",
        "Validation is not needed for this run.",
        "Validation can be skipped",
        "Don’t do any validation here",
    ],
)
def test_case_21_acceptance_5_a_waiver(text: str) -> None:
    assert waives_validation(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "do not skip validation",
        "Don't skip validation.",
        "never skip the validation",
        "You must not skip validation for this run",
        "please do not ever skip validation",
        "no validation shortcuts",
        "no validation errors please",
        "Skip validation for task T-3",
        "no validation for this task",
        "Should we skip validation?",
        "If we skip validation, it breaks",
        "The last time we skipped validation it broke",
        "Why would you skip validation",
        "Validation is important",
        "There is no validation plan yet",
        "Keep validation",
        "skip the validation of emails in the form",
    ],
)
def test_case_21_acceptance_5_no_waiver(text: str) -> None:
    assert not waives_validation(text)
