"""Parameter tables of the contract tests: every example of every action as data, and the fixtures they
start from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from codegen import cache, ir
from codegen.emitters.cli import RUN_ACTION, exit_code
from codegen.emitters.samples import command_words
from codegen.json_text import as_json
from codegen.naming import module_name
from codegen.plan import PlannedFile
from codegen.text import SpecText

_FOLDER = PurePosixPath("ade_generated/contract")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """``contract/<domain>.json``: a list of cases; ``contract/fixtures.json``: the named starting points."""
    for domain in specs.domains:
        yield cache.of_domain(_FOLDER / f"{module_name(domain.name)}.json", domain, specs, _cases)
    fixtures = {name: _plain(fixture.steps) for name, fixture in sorted(specs.fixtures.items())}
    content = as_json({"fixtures": fixtures})
    yield PlannedFile(_FOLDER / "fixtures.json", content, ("specs/fixtures.yaml",))


def _cases(domain: ir.Domain, specs: ir.Specs) -> str:
    cases = [
        _case(domain, action, example, specs) for action in domain.actions for example in action.examples
    ]
    return as_json({"domain": domain.name, "cases": cases})


def _case(domain: ir.Domain, action: ir.Action, example: ir.Example, specs: ir.Specs) -> dict[str, Any]:
    """One example. ``argv`` is the same call as a command line, or null where only JSON can say it.

    ``ade actions run ID`` prints the output of the action it names, so no line shows that of its own.
    """
    words = None if action.id == RUN_ACTION else command_words(domain, action, _plain(example.input), specs)
    case = {
        "action": action.id,
        "tool": action.tool,
        "title": example.title.raw,
        "given": list(example.given),
        "input": _plain(example.input),
        "argv": words,
    }
    if example.role is not None:
        case["role"] = example.role
    if example.token is not None:
        case["as"] = example.token
    if example.error is None:
        return case | {"output": _plain(example.output)}
    error = specs.errors[example.error.code]
    expected = {"code": error.code, "path": example.error.path, "rpc": error.rpc, "exit": exit_code(error)}
    return case | {"error": expected}


def _plain(value: Any) -> Any:
    """Frozen mappings and tuples of the model as plain JSON."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value.raw if isinstance(value, SpecText) else value
