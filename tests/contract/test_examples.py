"""Every example of every action, run against a real repository over every way in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from tests.support.display import display, lacking
from tests.support.kept import Samples
from tests.support.sample import Sample, differences
from tests.support.ways import WAYS, Outcome, Way

TABLES = Path(__file__).parents[2] / "ade_generated" / "contract"
FIXTURES = json.loads((TABLES / "fixtures.json").read_text())["fixtures"]


OF_ONE_RUNTIME = frozenset(["event.poll", "event.subscribe"])
"""Actions that tell what has happened since the runtime was started: theirs performs the steps of the sample itself."""


def cases() -> list[Any]:
    """All examples; those that begin with the same sample follow one another."""
    tables = (json.loads(table.read_text()) for table in sorted(TABLES.glob("*.json")))
    found = [case for table in tables for case in table.get("cases", [])]
    found.sort(key=lambda case: case["given"])
    return [pytest.param(case, id=f"{case['action']}: {case['title']}") for case in found]


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Samples:
    return Samples(tmp_path_factory.mktemp("samples"), FIXTURES)


@pytest.mark.parametrize("way_in", WAYS, ids=lambda way: way.name)
@pytest.mark.parametrize("case", cases())
async def test_example(
    case: dict[str, Any], way_in: type[Way], samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = case["action"] not in OF_ONE_RUNTIME
    async with samples.standing(case["given"], kept=kept) as (sample, built):
        lacks = at_a_display(ACTIONS[case["action"]].requires, sample.env, monkeypatch)
        async with way_in(sample.base / "ade-home", sample.project, sample.env) as way:
            if not built:
                await sample.build(case["given"], way.call)
            filled = sample.fill({"input": case["input"], "argv": case["argv"], "as": case.get("as")})
            outcome = await way.perform(case | filled)
        check(case, sample, outcome, lacks)


def check(case: dict[str, Any], sample: Sample, outcome: Outcome, lacks: list[str]) -> None:
    if lacks:
        assert outcome.error is not None, f"it is not hidden, although there is no {lacks}"
        assert outcome.error["code"] == "unknown_action"
    elif "error" in case:
        check_error(case["error"], outcome)
    else:
        assert outcome.error is None, outcome.error
        assert differences(sample.fill(case["output"]), outcome.output) == []


def at_a_display(requires: Sequence[str], env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have the caller sit at a virtual display where the action needs one; gives what the machine lacks even so."""
    name = display() if "computer_use" in requires else None
    if name is not None:
        env["DISPLAY"] = name
        monkeypatch.setenv("DISPLAY", name)
    return lacking(requires, env)


def check_error(expected: dict[str, Any], outcome: Any) -> None:
    assert outcome.error is not None, f"expected {expected['code']}, got {outcome.output}"
    assert outcome.error["code"] == expected["code"], outcome.error
    assert outcome.error["message"]
    assert outcome.error["hint"]
    if outcome.exit is not None:
        assert outcome.exit == expected["exit"]
    if outcome.rpc is not None:
        assert outcome.rpc == expected["rpc"]
    if expected["path"]:
        paths = [problem["path"] for problem in outcome.error["details"]["problems"]]
        assert expected["path"] in paths
