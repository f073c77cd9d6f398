"""Manifests that earlier versions have written."""

from __future__ import annotations

import json

from ade_runtime.runs.document import normalise
from ade_runtime.runs.invariants import problems
from ade_runtime.runs.routing import lookup
from tests.unit.runs.samples import MODEL, complete, fresh, with_workers


def test_a_new_manifest_is_right_and_normalising_changes_nothing() -> None:
    for manifest in (fresh(), with_workers(), complete()):
        assert problems(manifest) == []
        assert normalise(json.loads(json.dumps(manifest))) == manifest


def test_case_13_what_older_ones_lack_is_filled_in() -> None:
    manifest = fresh()
    for key in ("lineage", "defaultBudget", "finishing", "assets"):
        del manifest[key]
    manifest |= {"receipts": [], "outbox": [], "history": [{"at": "x"}]}
    assert normalise(manifest) == fresh()


def test_words_become_entries_and_phase_becomes_phase_id() -> None:
    manifest = with_workers()
    manifest["decisions"] = ["SQLite"]
    manifest["userOverrides"] = ["no docs"]
    task = manifest["tasks"][1]
    task["phase"] = task.pop("phaseId")
    found = normalise(manifest)
    assert problems(found) == []
    assert found["decisions"][0]["text"] == "SQLite"
    assert found["userOverrides"][0]["reason"] == "no docs"
    assert found["tasks"][1]["phaseId"] == "developing"


def test_edges_that_are_none_are_dropped() -> None:
    edge = {
        "parent": "a",
        "child": "b",
        "role": "worker",
        "tag": None,
        "briefDigest": "",
        "status": "running",
        "resultSummary": None,
    }
    manifest = fresh() | {"lineage": [edge, {"parent": "a"}, "nonsense", None]}
    assert normalise(manifest)["lineage"] == [
        {"spawnFingerprint": None, "startedAt": None, "endedAt": None} | edge
    ]


def test_normalising_never_goes_on_with_planning() -> None:
    manifest = complete()
    manifest["leadState"]["planning"]["stage"] = "round_ui"
    assert normalise(manifest)["leadState"]["planning"]["stage"] == "round_ui"


def test_models_are_looked_up_from_the_special_to_the_general() -> None:
    routing = {
        "default": {"n": 5},
        "byRole": {"worker": {"n": 4}},
        "byTag": {"ui": {"n": 3}},
        "byRoleTag": {"worker:ui": {"n": 2}},
    }
    order = ["override", "byRoleTag:worker:ui", "byTag:ui", "byRole:worker", "default", "fallback"]
    seen = []
    override, fallback = {"n": 1}, dict(MODEL)
    for key in order:
        found = lookup(routing, "worker", "ui", override=override, fallback=fallback)
        assert found is not None
        seen.append(found[0])
        if key == "override":
            override = None
        elif key == "default":
            routing["default"] = None
        elif ":" in key:
            table, _, name = key.partition(":")
            del routing[table][name]
    assert seen == order
    assert lookup(routing, "worker", None) is None


def test_fault_o8_a_plan_has_no_sections_that_nobody_writes() -> None:
    """What of a plan is there is read from its text; an older manifest's own list of sections is left behind."""
    manifest = fresh()
    assert set(manifest["planSpec"]) == {"approval"}
    older = dict(manifest) | {
        "planSpec": manifest["planSpec"] | {"sections": [{"id": "goal", "status": "done"}]}
    }
    assert set(normalise(older)["planSpec"]) == {"approval"}
