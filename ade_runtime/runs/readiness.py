"""What a run still lacks before its plan can be approved. The state is judged here, plan.md in :mod:`plan_text`."""

from __future__ import annotations

from ade_runtime.runs.document import Manifest
from ade_runtime.runs.planning import planning_of, rounds_open
from ade_runtime.runs.waivers import VALIDATION, waived


def is_light(manifest: Manifest) -> bool:
    return planning_of(manifest)["lightPlan"] is not None


def ui_needed(manifest: Manifest) -> bool:
    """Whether the plan must say something of the user interface."""
    return "ui" not in planning_of(manifest)["autoSkippedRounds"]


def lacking(manifest: Manifest) -> list[str]:
    """Everything that is missing, by name."""
    found = []
    if planning_of(manifest)["intake"] is None:
        found.append("intake")
    if not is_light(manifest):
        found += [f"round {kind}" for kind in rounds_open(manifest)]
    if not manifest["validationStrategy"]["steps"] and not waived(manifest, VALIDATION):
        found.append("validation")
    if not routing_chosen(manifest):
        found.append("model routing")
    if manifest["finishing"] is None and not is_light(manifest):
        found.append("finishing")
    return found


def routing_chosen(manifest: Manifest) -> bool:
    routing = manifest["modelRouting"]
    return routing["default"] is not None or any(routing[key] for key in ("byRole", "byTag", "byRoleTag"))
