"""Validation steps that the intake suggests. Nothing is written; the lead adds what fits by a patch."""

from __future__ import annotations

from typing import Any

from ade_runtime.runs.document import Manifest, new_step
from ade_runtime.runs.planning import planning_of


def suggestions(manifest: Manifest) -> list[dict[str, Any]]:
    """Steps for what the intake names: tests, checks of the CI, and what is visible; none before the intake."""
    intake = planning_of(manifest)["intake"]
    if intake is None:
        return []
    found = [
        _step(
            "tests",
            "The tests pass",
            f"Run the tests ({intake['testStack'][:500]}) and show what they say.",
            True,
        ),
        _step(
            "review",
            "The change does what was asked",
            f"Read the change against the goal: {manifest['goalSummary'][:2000]}",
            False,
        ),
    ]
    if intake["ciGates"]:
        gates = ", ".join(intake["ciGates"])[:2000]
        found.append(
            _step("ci", "The checks of the CI pass", f"Run each of: {gates}.", True)
            | {"scope": "mission_exit"}
        )
    if intake["touchesUiSurface"]:
        found.append(
            _step("ui", "What is visible is right", "Open what changed and show it in a picture.", True)
        )
    return found


def _step(name: str, concern: str, prompt: str, evidence: bool) -> dict[str, Any]:
    return {"id": name, "concern": concern, "prompt": prompt, **new_step(), "evidenceRequired": evidence}
