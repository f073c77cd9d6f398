"""The tables: plain data, complete, and cheap to import. Protocols and the proof that handlers meet them."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from ade_generated.dispatch import ACTIONS, TOOLS
from ade_generated.layouts import LAYOUTS
from ade_generated.roles import RATE_LIMITS, ROLES, TOOLSETS
from ade_runtime.contracts import Effect, Idempotency, Scope
from codegen.emitters import dispatch, environment, layouts, models, protocols, roles
from tests.unit.codegen import made, torture, toy

REPOSITORY = Path(__file__).parents[3]


def test_a_row_says_all_that_the_pipeline_asks(tmp_path: Path) -> None:
    play = toy.action(
        tool="play_toy", effect="destructive", idempotency="request_id", min_role="agent", requires=["linear"],
        moves_refs=True, rate_limit="slow", timeout="1500ms", errors=["toy_broken"], cli={"name": "play-it"},
    )  # fmt: skip
    slow = {"slow": {"summary": "Slow.", "limit": 2, "window": "1m", "per": "machine"}}
    specs = toy.specs(tmp_path, toy.domain(actions={"class": play}), rate_limits=slow)
    package = made.package(tmp_path, specs, dispatch.emit, models.emit, roles.emit)
    entry = package["dispatch.py"].ACTIONS["toy.class"]
    assert (entry.id, entry.tool, entry.domain, entry.method) == ("toy.class", "play_toy", "toy", "class_")
    assert (entry.effect, entry.scope, entry.idempotency) == (
        Effect.DESTRUCTIVE,
        Scope.MACHINE,
        Idempotency.REQUEST_ID,
    )
    assert (entry.toolset, entry.min_role, entry.requires, entry.hidden_in) == (
        "base",
        "agent",
        ("linear",),
        (),
    )
    assert entry.moves_refs
    assert (entry.rate_limit, entry.timeout, entry.errors) == ("slow", 1.5, ("toy_broken",))
    assert entry.cli == ("toys", "play-it")
    assert package["dispatch.py"].TOOLS == {"play_toy": "toy.class"}
    assert entry.input_model is package.model("toy", "ToyClassInput")
    assert entry.output_model is package.model("toy", "ToyClassOutput")
    limit = package["roles.py"].RATE_LIMITS["slow"]
    assert (limit.limit, limit.window, limit.per) == (2, 60.0, "machine")


def test_tables_are_cheap_to_import() -> None:
    code = (
        "import sys, ade_generated.dispatch, ade_generated.errors, ade_generated.roles, ade_generated.layouts, "
        "ade_generated.environment, ade_generated.bindings, pkgutil, importlib, ade_generated.protocols as p\n"
        "for m in pkgutil.iter_modules(p.__path__): importlib.import_module(f'ade_generated.protocols.{m.name}')\n"
        "print([m for m in sys.modules if m.startswith(('pydantic', 'ade_generated.models', 'click', 'ade_runtime.domains'))])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_the_project_s_tables_fit_together() -> None:
    assert sorted(TOOLS.values()) == sorted(ACTIONS)
    for name, entry in ACTIONS.items():
        assert entry.id == name and TOOLS[entry.tool] == name
        assert entry.toolset in TOOLSETS
        assert entry.min_role is None or entry.min_role in ROLES
        assert entry.rate_limit is None or entry.rate_limit in RATE_LIMITS
        assert entry.text is None or entry.text in LAYOUTS
        assert entry.timeout > 0
    ranks = [role.rank for role in ROLES.values()]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_every_model_of_the_project_builds(name: str) -> None:
    entry = ACTIONS[name]
    for model in (entry.input_model, entry.output_model):
        assert model.model_rebuild(force=True) is not False
        assert model.__doc__ is None or model.__doc__.strip()


def test_layouts_and_variables_are_data(tmp_path: Path) -> None:
    specs = toy.specs(
        tmp_path,
        toy.domain(actions={"play": toy.action(text="toy_card")}),
        environment={"ADE_TOY": {"summary": "A toy.", "example": "~/x"}},
        text_layouts={
            "toy_card": {
                "kind": "card",
                "headline": "Toy {done}",
                "columns": [{"field": "done", "label": "Done"}],
            }
        },
    )
    package = made.package(tmp_path, specs, layouts.emit, environment.emit)
    card = package["layouts.py"].LAYOUTS["toy_card"]
    assert (card.kind, card.headline, card.rows, card.body, card.empty) == (
        "card",
        "Toy {done}",
        None,
        None,
        None,
    )
    assert [(column.field, column.label, column.format) for column in card.columns] == [
        ("done", "Done", None)
    ]
    variable = package["environment.py"].ENVIRONMENT["ADE_TOY"]
    assert (variable.name, variable.summary, variable.example, variable.authorises) == (
        "ADE_TOY",
        "A toy.",
        "~/x",
        False,
    )


def test_protocols_have_a_method_an_action(tmp_path: Path) -> None:
    specs = toy.specs(
        tmp_path,
        toy.domain(actions={"class": toy.action(), "list": toy.action(output={"$ref": "Spot"})}),
        types=torture.TYPES,
    )
    files = made.contents(specs, protocols.emit, models.emit)
    package = made.Package(tmp_path, files)
    protocol = package["protocols/toy.py"].ToyProtocol
    for name, output in (("class_", "ToyClassOutput"), ("list", "Spot")):
        method = getattr(protocol, name)
        assert inspect.iscoroutinefunction(method)
        names: dict[str, Any] = {
            "Call": object,
            **vars(package["models/toy.py"]),
            **vars(package["models/types.py"]),
        }
        hints = get_type_hints(method, names)
        assert hints["return"].__name__ == output and hints["args"].__name__.endswith("Input")


HANDLERS = """
from __future__ import annotations
from ade_checked.models.toy import ToyPlayInput, ToyPlayOutput, ToyRestInput, ToyRestOutput
from ade_checked.protocols.toy import ToyProtocol
from ade_runtime.pipeline.call import Call

class ToyHandlers:
    async def play(self, call: Call, args: ToyPlayInput) -> ToyPlayOutput:
        return ToyPlayOutput(done=True)

    async def rest(self, call: Call, args: ToyRestInput) -> ToyRestOutput:
        return ToyRestOutput(done=False)

def is_complete(handlers: ToyHandlers) -> ToyProtocol:
    return handlers
"""
FAULTS = [
    ("", "", ""),
    ("async def rest", "async def sleep", '"ToyHandlers" is missing following "ToyProtocol" protocol member'),
    ("-> ToyRestOutput", "-> ToyPlayOutput", "Incompatible return value type"),
    ("args: ToyPlayInput", "args: ToyRestInput", "Incompatible return value type"),
    ("async def play", "def play", "Incompatible return value type"),
    ("done=True", "done='yes'", "incompatible type"),
    ("done=True", "", "Missing named argument"),
    ("done=True", "dine=True", "Unexpected keyword argument"),
]


def test_a_type_checker_proves_that_handlers_do_what_the_specs_say(tmp_path: Path) -> None:
    """One run over handlers that are right and handlers with one fault each."""
    specs = toy.specs(tmp_path, toy.domain(actions={"play": toy.action(), "rest": toy.action()}))
    files = made.contents(specs, protocols.emit, models.emit)
    del files["ade_generated/bindings.py"]
    for path, content in files.items():
        target = tmp_path / path.replace("ade_generated", "ade_checked")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content.replace("ade_generated.", "ade_checked."))
    for number, (old, new, _) in enumerate(FAULTS):
        (tmp_path / f"handlers_{number}.py").write_text(HANDLERS.replace(old, new, 1) if old else HANDLERS)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(REPOSITORY / "pyproject.toml"),
        "--no-color-output",
    ]
    paths = [str(tmp_path / f"handlers_{number}.py") for number in range(len(FAULTS))]
    env = {
        "PATH": os.environ["PATH"],
        "MYPYPATH": f"{tmp_path}{os.pathsep}{REPOSITORY}",
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), *paths],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    for number, (_, _, complaint) in enumerate(FAULTS):
        told = [line for line in done.stdout.splitlines() if f"handlers_{number}.py" in line]
        assert (complaint in "\n".join(told)) if complaint else not told, done.stdout + done.stderr
