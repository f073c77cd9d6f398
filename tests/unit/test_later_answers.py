"""What a later version adds to an answer is left out by the models of an earlier one; whatever else does not fit is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.mock.fill import fill
from ade_runtime.pipeline.schemas import output_schema
from ade_runtime.wire import WireError

LIST = ACTIONS["lane.list"]


def answer() -> dict[str, Any]:
    """An answer with two lanes, one of them with a state of its files."""
    lanes = {"items": [{"name": "one", "status": {"dirty": True}}, {"name": "two"}]}
    found: dict[str, Any] = fill(output_schema(LIST), lanes)
    return found


def test_new_fields_are_left_out_wherever_they_are() -> None:
    given = answer()
    later = answer()
    later["new"] = 1
    later["items"][0]["later"] = {"name": [1, {"deep": None}]}
    later["items"][0]["status"]["more"] = []
    later["items"][1]["status"] = None
    with pytest.raises(WireError):
        LIST.output_model.from_wire(later)
    assert LIST.output_model.from_answer(later).to_wire() == given
    assert later["items"][0]["status"]["more"] == [], "what was given stays as it is"


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("total", "2", "total: must be a whole number"), ("items", [{}], "items.0."), ("next", 1, "next: ")],
)
def test_what_does_not_fit_is_refused(field: str, value: object, told: str) -> None:
    with pytest.raises(WireError, match=told):
        LIST.output_model.from_answer({**answer(), "new": 1, field: value})


def test_every_model_of_an_answer_reads_more_than_it_knows() -> None:
    for entry in ACTIONS.values():
        if entry.domain in ("lane", "run", "pr", "chat"):
            whole = fill(output_schema(entry))
            assert entry.output_model.from_answer({**whole, "of_later": 1}).to_wire() == whole, entry.id
