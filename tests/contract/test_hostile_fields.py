"""Public reports 1 and 2: fields whose names mean something to Python, pydantic, JSON Schema or the command line.

An action with such fields is added to a copy of the project and called through every way in.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import ways

ROOT = Path(__file__).parents[2]
FIELDS = ["schema", "copy", "json", "model_config", "class", "from", "type", "id", "help", "list", "self"]
KEPT_BY_THE_PROGRAM = {"json", "help"}
VALUES: dict[str, Any] = {name: f"value of {name}" for name in FIELDS} | {"list": ["a", "b"], "id": 7}

HANDLER = """
    async def echo(self, call: Call, args: models.RuntimeEchoInput) -> models.RuntimeEchoOutput:
        return models.RuntimeEchoOutput(document=args.to_wire())
"""
CALLS = """
import asyncio, json, sys
from pathlib import Path
from ade_generated.dispatch import ACTIONS
from tests.support.ways import WAYS, Socket
case = json.loads(sys.argv[1])
async def main():
    found = {}
    for way in WAYS:
        async with way(Path(sys.argv[2]) / way.__name__, Path(sys.argv[2]), {}) as opened:
            outcome = await opened.perform(case)
            found[way.name] = outcome.output if outcome.error is None else outcome.error
    model = ACTIONS["runtime.echo"].input_model
    found["model"] = model.from_wire(case["input"]).to_wire()
    found["model, as text"] = json.loads(model.from_wire(case["input"]).to_wire_json())
    print(json.dumps(found))
asyncio.run(main())
"""


def spec() -> str:
    kinds = {
        "list": "{type: array, items: {type: string}, optional: true",
        "id": "{type: integer, optional: true",
    }
    text = "{type: string, optional: true"
    fields = "".join(
        f"      {name}: {kinds.get(name, text)}, description: Given back.}}\n" for name in FIELDS
    )
    return f"""\
  echo:
    summary: Give the input back.
    effect: read
    toolset: base
    input:
{fields}\
    output:
      type: object
      properties: {{document: {{type: object, additionalProperties: true, description: The input.}}}}
      required: [document]
    examples:
      - {{title: Everything, input: {json.dumps(VALUES)}, output: {{document: {json.dumps(VALUES)}}}}}
      - {{title: Another kind, input: {{id: x}}, error: {{code: invalid_arguments, path: id}}}}
"""


def run(copy: Path, *argv: str, expect: int = 0) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("ADE_")}
    env |= {"ADE_HOME": str(copy.parent / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"PYTHONPATH": f"{copy}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-W", "error", *argv],
        cwd=copy,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout if expect == 0 else done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the project with ``runtime.echo``."""
    made = tmp_path_factory.mktemp("hostile") / "ade"
    for folder in ("specs", "codegen", "ade_generated", "ade_runtime", "docs/reference"):
        shutil.copytree(ROOT / folder, made / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", made)
    with (made / "specs/domains/runtime.yaml").open("a") as file:
        file.write(spec())
    with (made / "ade_runtime/domains/runtime.py").open("a") as file:
        file.write(HANDLER)
    run(made, "-m", "codegen", "gen")
    yield made


def ade(copy: Path, *argv: str, expect: int = 0) -> str:
    return run(
        copy, "-c", "from ade_runtime.client.main import main; main()", "--headless", *argv, expect=expect
    )


def test_public_1_they_go_through_every_way_in_unchanged(copy: Path, tmp_path: Path) -> None:
    case = {"action": "runtime.echo", "tool": "runtime_echo", "input": VALUES, "argv": None}
    found = json.loads(run(copy, "-c", CALLS, json.dumps(case), str(tmp_path)))
    assert len(found) == len(ways.WAYS) + 2
    for way, answer in found.items():
        assert (answer if way.startswith("model") else answer["document"]) == VALUES, way


def test_public_1_they_are_options_of_the_typed_command(copy: Path) -> None:
    given = [(name, one) for name, value in VALUES.items() for one in (value if name == "list" else [value])]
    flags = {
        name: f"--{name.replace('_', '-')}" + "-value" * (name in KEPT_BY_THE_PROGRAM) for name in FIELDS
    }
    for line in (
        [f"{flags[name]}={one}" for name, one in given],
        [word for name, one in given for word in (flags[name], str(one))],
        [f"--arg={name}={one}" for name, one in given],
    ):
        assert json.loads(ade(copy, "runtime", "echo", "--json", *line))["document"] == VALUES
    page = ade(copy, "runtime", "echo", *[f"{flags[name]}={one}" for name, one in given], "--help")
    assert page.startswith("Usage: ade runtime echo")
    assert all(f"{flag} " in page for flag in flags.values()), page


def test_public_1_they_are_told_apart_from_what_python_calls_them(copy: Path) -> None:
    for wrong in ("class_", "from_", "schema_", "model_config_"):
        error = json.loads(
            ade(copy, "runtime", "echo", "--json", "--input-json", json.dumps({wrong: "x"}), expect=2)
        )["error"]
        [problem] = error["details"]["problems"]
        assert problem["path"] == wrong
        assert f"did you mean {wrong.rstrip('_')}?" in problem["message"]


def test_public_1_they_stand_in_schemas_and_docs_as_written(copy: Path) -> None:
    tools = json.loads((copy / "ade_generated/tools/base.json").read_text())["tools"]
    [tool] = [tool for tool in tools if tool["name"] == "runtime_echo"]
    assert [*tool["inputSchema"]["properties"]] == FIELDS
    page = (copy / "docs/reference/actions/runtime.md").read_text()
    assert all(f"`{name}`" in page for name in FIELDS)
    run(copy, "-m", "codegen", "check")
