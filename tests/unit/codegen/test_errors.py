"""The generated error classes: typed slots, filled once, never interpreted."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_generated.errors import ERRORS
from ade_runtime.contracts import AdeError, Exit, fill
from codegen.emitters import errors
from codegen.failure import GenerationError
from tests.unit.codegen import made, toy

TAKEN = {
    "summary": "A lane has that name.",
    "message": "A lane named {name} exists ({count}, {ratio}, {sure}).",
    "hint": "Take another name than {name}.",
    "exit": "conflict",
    "retry": True,
    "params": {"name": "string", "count": "integer", "ratio": "number", "sure": "boolean"},
}


def generated(folder: Path, **more: Any) -> Any:
    specs = toy.specs(
        folder, toy.domain(actions={"play": toy.action()}), errors={**toy.TABLES["errors"], **more}
    )
    return made.package(folder, specs, errors.emit)["errors.py"]


def test_a_class_an_error(tmp_path: Path) -> None:
    module = generated(tmp_path, lane_name_taken=TAKEN)
    error = module.LaneNameTaken(name="x", count=2, ratio=0.5, sure=True)
    assert isinstance(error, AdeError)
    assert (error.code, error.exit, error.rpc, error.retry) == (
        "lane_name_taken",
        Exit.CONFLICT,
        -32005,
        True,
    )
    assert error.envelope() == {
        "code": "lane_name_taken",
        "message": "A lane named x exists (2, 0.5, true).",
        "hint": "Take another name than x.",
    }
    assert inspect.getdoc(module.LaneNameTaken) == "A lane has that name."
    hints = get_type_hints(module.LaneNameTaken.__init__)
    assert {name: hints[name] for name in ("name", "count", "ratio", "sure")} == {
        "name": str, "count": int, "ratio": float, "sure": bool,
    }  # fmt: skip
    assert module.ERRORS["lane_name_taken"] is module.LaneNameTaken
    with pytest.raises(TypeError):
        module.LaneNameTaken("x", 2, 0.5, True)
    with pytest.raises(TypeError):
        module.LaneNameTaken(name="x", count=2, ratio=0.5)


def test_hint_details_and_waiting_time_can_be_given(tmp_path: Path) -> None:
    module = generated(tmp_path, lane_name_taken=TAKEN)
    error = module.LaneNameTaken(
        name="x", count=2, ratio=0.5, sure=True, hint="{name}", details={"a": [1]}, retry_after_ms=5
    )  # fmt: skip
    assert error.envelope()["hint"] == "{name}"
    assert error.envelope()["details"] == {"a": [1]} and error.envelope()["retry_after_ms"] == 5


@pytest.mark.parametrize(
    "value", ["{hint}", "{name.__class__}", "{0}", "{}", "%s", "\\g<0>", "\\1", "${name}", "{{name}}"]
)
def test_a_value_that_looks_like_a_slot_stays_as_it_is(value: str, tmp_path: Path) -> None:
    module = generated(tmp_path, lane_name_taken=TAKEN)
    error = module.LaneNameTaken(name=value, count=1, ratio=1.0, sure=False)
    assert error.message == f"A lane named {value} exists (1, 1.0, false)."


@given(st.text(), st.text())
def test_filling_is_one_pass(one: str, two: str) -> None:
    visible = [fill("{x}", {"x": value}) for value in (one, two)]
    assert fill("<{a}|{b}|{c}>", {"a": one, "b": two}) == f"<{visible[0]}|{visible[1]}|{{c}}>"


def test_values_neither_steer_a_terminal_nor_flood_an_answer() -> None:
    told = fill("{name}", {"name": "\x1b[2J\u202egnp.exe\0"})
    assert told == "\\u001b[2J\\u202egnp.exe\\u0000"
    assert len(fill("{name}", {"name": "x" * 10**6})) == 2000


def test_slots_may_have_any_name_that_the_class_does_not_need(tmp_path: Path) -> None:
    params = dict.fromkeys(["class", "message", "str", "fill", "template", "code"], "string")
    text = "".join(f"{{{name}}}" for name in params)
    module = generated(tmp_path, odd={**TAKEN, "message": text, "hint": "Look at {code}.", "params": params})
    error = module.Odd(class_="a", message="b", str_="c", fill_="d", template="e", code="f")
    assert error.message == "abcdef"
    assert error.hint == "Look at f."
    assert error.code == "odd"


def test_two_errors_of_one_class_are_refused(tmp_path: Path) -> None:
    """The loader refuses it with a place; the generator does not rely on that."""
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action()}))
    broken = replace(specs.errors["toy_broken"], code="ade_error")
    with pytest.raises(GenerationError, match="AdeError"):
        list(errors.emit(replace(specs, errors={**specs.errors, "ade_error": broken})))


def test_the_project_s_errors_are_complete() -> None:
    for code, kind in ERRORS.items():
        assert (
            kind.code == code and kind.__doc__ and isinstance(kind.rpc, int) and isinstance(kind.exit, Exit)
        )
        assert kind.rpc < 0 and kind.exit is not Exit.OK
