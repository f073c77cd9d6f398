"""As many synthetic actions as wanted, over domains of thirty, generated as a project of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.unit.codegen import toy

ROOT = Path(__file__).parents[3]
A_DOMAIN = 30

LOOK = """
import resource, sys
from ade_generated.cli.index import COMPLETERS, GROUPS
from ade_generated.dispatch import ACTIONS, TOOLS
from ade_runtime.cli.catalog import Catalog
from ade_runtime.cli.outcomes import Invocation, LineState
own = lambda: {name for name in sys.modules if name.startswith("ade_generated.")}
before = own()
catalog = Catalog(GROUPS, COMPLETERS)
group, info = catalog.action(sys.argv[1])
found = catalog.command(group, info).read(["x"], LineState(80, "/", {}), catalog)
assert isinstance(found, Invocation), found
entry = ACTIONS[sys.argv[1]]
after_parsing = own()
entry.input_model.from_wire({"name": "x"})
print(len(ACTIONS), len(TOOLS))
print(*sorted(before))
print(*sorted(after_parsing - before))
print(*sorted(own() - after_parsing))
"""
"""Finds and parses one command, then reads its input; prints what was imported for each."""


def domains(actions: int, a_domain: int = A_DOMAIN) -> list[dict[str, Any]]:
    """Domains with that many actions together."""
    fields = {
        "name": {"type": "string", "minLength": 1, "maxLength": 80, "description": "A name.", "cli": {"positional": True}},
        "level": {"type": "string", "enum": ["low", "high"], "default": "low", "description": "How much it matters."},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 9}, "maxItems": 9, "optional": True},
    }  # fmt: skip
    one = toy.action(
        input=fields,
        output={"$ref": "Thing"},
        examples=[
            {"title": "Works", "input": {"name": "a"}, "output": {}},
            {"title": "Fails", "input": {"name": ""}, "error": {"code": "invalid_arguments", "path": "name"}},
        ],
    )
    return [
        toy.domain(
            f"d{number}", actions={f"act{index}": one for index in range(min(a_domain, actions - start))}
        )
        for number, start in enumerate(range(0, actions, a_domain))
    ]


TYPES = {
    "Thing": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "size": {"type": ["integer", "null"]}},
        "required": ["id", "size"],
    }
}


@dataclass(frozen=True, slots=True)
class Taken:
    """``memory`` is the most the generator had, in MiB; ``seconds`` those of the whole process."""

    memory: int
    seconds: float


def generate(root: Path, actions: int) -> Taken:
    """Generate them from nothing."""
    toy.write(root, *domains(actions), types=TYPES)
    (root / "ade_generated").mkdir()
    (root / "ade_generated" / "__init__.py").touch()
    code = (
        "import resource, sys; from codegen.__main__ import main; "
        "code = main(['--root', sys.argv[1], 'gen']); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024); sys.exit(code)"
    )
    line = [sys.executable, "-c", code, str(root)]
    began = time.perf_counter()
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    assert done.returncode == 0, done.stderr[-2000:]
    return Taken(int(done.stdout.split()[-1]), seconds)


def look(root: Path, action: str) -> tuple[str, set[str], set[str], set[str]]:
    """How many actions and tools there are; the modules of the generated package that were there before anything was asked
    for, that parsing one command loaded, and that reading its input loaded."""
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{ROOT}"}
    line = [sys.executable, "-c", LOOK, action]
    done = subprocess.run(line, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    counts, *names = done.stdout.split("\n")
    before, parsing, reading = (set(row.split()) for row in names[:3])
    return counts, before, parsing, reading
