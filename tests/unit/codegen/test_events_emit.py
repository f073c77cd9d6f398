"""Events: one an action that changes something, and those a domain declares besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.events import EVENTS
from ade_runtime.contracts import Effect
from codegen.diagnostics import SpecErrors
from codegen.emitters import docs, events
from tests.unit.codegen import made, toy

LEADS = {name: {"summary": "Toys.", "roles": ["agent"], "server": "ade"} for name in ("base", "leads")}


def domain(declared: dict[str, object]) -> dict[str, object]:
    actions = {"look": toy.action(), "play": toy.action(effect="write"), "break": toy.action(effect="secret")}
    return {**toy.domain(actions=actions), "events": declared}


def test_actions_that_change_something_have_an_event_and_domains_add_theirs(tmp_path: Path) -> None:
    said = {"tired": {"summary": "A toy is tired.", "toolset": "leads"}}
    specs = toy.specs(tmp_path, domain(said), toolsets=LEADS)
    table = made.package(tmp_path, specs, events.emit)["events.py"].EVENTS
    assert list(table) == ["toy.break", "toy.play", "toy.tired"]
    assert (table["toy.play"].toolset, table["toy.play"].from_action) == ("base", True)
    tired = table["toy.tired"]
    assert (tired.category, tired.toolset, tired.from_action) == ("toy", "leads", False)
    page = next(file.content for file in docs.emit(specs) if file.path.name == "events.md")
    assert "[Worked:](actions/toy.md#toyplay) Play." in page
    assert "Told: A toy is tired." in page


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ({"play": {"summary": "Again."}}, "name-collision"),
        ({"tired": {"summary": "No such set.", "toolset": "nobodys"}}, "unknown-toolset"),
        ({"tired": {}}, "missing-key"),
        ({"Tired": {"summary": "Badly spelt."}}, "bad-name"),
        ({"tired": {"summary": "More.", "categry": "x"}}, "unknown-key"),
    ],
)
def test_mistakes_are_told(declared: dict[str, object], code: str, tmp_path: Path) -> None:
    with pytest.raises(SpecErrors) as caught:
        toy.specs(tmp_path, domain(declared))
    assert code in {one.code for one in caught.value.diagnostics}


def test_every_changing_action_of_ade_has_its_event() -> None:
    changing = {entry.id for entry in ACTIONS.values() if entry.effect is not Effect.READ}
    assert changing == {event.type for event in EVENTS.values() if event.from_action}
