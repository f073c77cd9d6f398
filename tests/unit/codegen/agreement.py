"""Holds a generated model to the exported JSON Schema: both take exactly the same documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings

from ade_runtime.wire import WireError, WireModel
from codegen import ir, validate
from codegen.emitters.tools import definition
from codegen.jsonschema_export import input_schema, output_schema
from tests.unit.codegen.documents import documents, is_wire_json

Rules = Callable[[dict[str, Any]], list[Any]]
CHECKS = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


def hold_input(action: ir.Action, specs: ir.Specs, model: type[WireModel], examples: int) -> None:
    hold(input_schema(action, specs), model, lambda found: validate.rule_problems(action, found), examples)


def hold_output(action: ir.Action, specs: ir.Specs, model: type[WireModel], examples: int) -> None:
    hold(output_schema(action, specs), model, lambda found: [], examples)


def hold_tool(action: ir.Action, specs: ir.Specs, examples: int) -> None:
    """What the input takes, the schema takes that models are shown: it leaves limits out, and adds none."""
    schema = input_schema(action, specs)
    judge, shown = validate.validator(schema), validate.validator(definition(action, specs)["inputSchema"])

    @settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=CHECKS, derandomize=True
    )
    @given(documents(schema))
    def taken(document: Any) -> None:
        if is_wire_json(document) and not list(validate.problems(judge, document)):
            assert not list(validate.problems(shown, document))

    taken()


def hold(schema: dict[str, Any], model: type[WireModel], rules: Rules, examples: int) -> None:
    judge = validate.validator(schema)

    @settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=CHECKS, derandomize=True
    )
    @given(documents(schema))
    def agree(document: Any) -> None:
        faults = [str(problem) for problem in validate.problems(judge, document)]
        if isinstance(document, dict) and not faults:
            faults = [str(problem) for problem in rules(document)]
        if not is_wire_json(document):
            faults.append("a number that JSON readers refuse")
        try:
            read = model.from_wire(document)
        except WireError as error:
            assert faults, f"the model alone refuses: {error}"
            assert all(len(problem.message) < 1500 for problem in error.problems)
        else:
            assert not faults, f"the schema alone refuses: {faults}"
            round_trip(read, document, judge)

    agree()


def round_trip(read: WireModel, document: Any, judge: Any) -> None:
    """What was read is written as it came: same fields, nothing added, nothing lost."""
    written = read.to_wire()
    assert written.keys() == document.keys()
    assert not validate.problems(judge, written)
    assert type(read).from_wire(written) == read
    assert type(read).from_wire_json(read.to_wire_json()) == read
