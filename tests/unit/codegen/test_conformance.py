"""Model and exported JSON Schema judge every document alike."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.wire import WireModel
from codegen import ir
from codegen.load import load_specs
from codegen.modelgen.classes import PACKAGE, input_class, output_class
from codegen.naming import module_name
from tests.unit.codegen import made, random_specs, torture, toy
from tests.unit.codegen.agreement import hold_input, hold_output, hold_tool

ROOT = Path(__file__).parents[3]


@cache
def project() -> ir.Specs:
    return load_specs(ROOT)


def model(module: str, name: str) -> type[WireModel]:
    found = getattr(importlib.import_module(f"{PACKAGE}.{module}"), name)
    assert isinstance(found, type) and issubclass(found, WireModel)
    return found


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_inputs_and_outputs_of_the_project_agree(name: str) -> None:
    [action] = [action for action in project().actions if action.id == name]
    hold_input(action, project(), model(module_name(action.domain), input_class(action)), 10)
    hold_output(action, project(), model(*output_class(action)), 6)


@pytest.fixture(scope="module")
def tortured(tmp_path_factory: pytest.TempPathFactory) -> tuple[ir.Specs, made.Package]:
    folder = tmp_path_factory.mktemp("torture")
    specs = toy.specs(folder, torture.domain(), types=torture.TYPES)
    return specs, made.package(folder, specs)


@pytest.mark.timeout(400)  # hundreds of documents; alone it takes seconds, on a busy machine minutes
def test_every_keyword_in_every_position_agrees(tortured: tuple[ir.Specs, made.Package]) -> None:
    specs, package = tortured
    for action in specs.actions:
        hold_input(action, specs, package.input(action), 300)
        hold_output(action, specs, package.output(action), 100)


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> tuple[ir.Specs, made.Package]:
    """One action a field, so that hardly any document is refused for another reason."""
    folder = tmp_path_factory.mktemp("single")
    actions = {}
    for number, field in enumerate(torture.INPUT.values()):
        schema = {key: value for key, value in field.items() if key != "default"} | {"optional": True}
        actions[f"play_{number}"] = toy.action(input={list(torture.INPUT)[number]: schema})
    specs = toy.specs(folder, toy.domain(actions=actions), types=torture.TYPES)
    return specs, made.package(folder, specs)


@pytest.mark.parametrize("number", range(len(torture.INPUT)), ids=list(torture.INPUT))
def test_each_field_agrees_by_itself(number: int, single: tuple[ir.Specs, made.Package]) -> None:
    specs, package = single
    [action] = [action for action in specs.actions if action.name == f"play_{number}"]
    hold_input(action, specs, package.input(action), 40)


@pytest.mark.parametrize("seed", range(16))
def test_random_specs_agree(seed: int, tmp_path: Path) -> None:
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(input=random_specs.fields(seed))}))
    hold_input(specs.actions[0], specs, made.package(tmp_path, specs).input(specs.actions[0]), 40)


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.stress) for seed in range(2, 40))]
)
def test_random_worlds_of_types_rules_and_outputs_agree(seed: int, tmp_path: Path) -> None:
    """Four random actions a seed over random shared types."""
    actions, types = random_specs.world(seed, 4)
    spec = toy.domain(actions={name: toy.action(**action) for name, action in actions.items()})
    specs = toy.specs(tmp_path, spec, types=types)
    package = made.package(tmp_path, specs)
    for action in specs.actions:
        hold_input(action, specs, package.input(action), 12)
        hold_output(action, specs, package.output(action), 8)
        hold_tool(action, specs, 8)
