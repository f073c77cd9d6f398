"""The error catalogue: one exception class an error.

Slots are filled when an error is raised, by :func:`ade_runtime.contracts.fill`, in one pass over the author's
text: a value that looks like a slot stays as it is, and no attribute or index of a value can be reached.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from codegen import ir, memo
from codegen.failure import GenerationError
from codegen.naming import PyName, class_name
from codegen.plan import PlannedFile
from codegen.templating import render
from codegen.text import SpecText, python_literal

SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
OWN_ARGUMENTS = frozenset(
    ["bool", "details", "fill", "float", "hint", "int", "retry_after_ms", "self", "str", "super"]
)


@dataclass(frozen=True, slots=True)
class Slot:
    wire: str
    python: PyName
    type: str


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    yield memo.of_all(emit, specs.errors.values(), lambda: _module(specs))


def _module(specs: ir.Specs) -> PlannedFile:
    rows = [_row(error) for _, error in sorted(specs.errors.items())]
    names = [str(row["class_name"]) for row in rows]
    if twice := {name for name in names if names.count(name) > 1} | ({"AdeError", "Exit"} & set(names)):
        raise GenerationError(f"specs/errors.yaml: several errors make a class {', '.join(sorted(twice))}")
    content = render("python/errors.py.jinja", errors=rows)
    return PlannedFile(PurePosixPath("ade_generated/errors.py"), content, ("specs/errors.yaml",))


def _row(error: ir.ErrorSpec) -> dict[str, object]:
    slots = [Slot(name, argument_name(name), TYPES[kind]) for name, kind in error.params.items()]
    return {
        "class_name": class_name(error.code),
        "code": error.code,
        "summary": error.summary,
        "message": error.message,
        "hint": error.hint,
        "rpc": error.rpc,
        "exit": error.exit,
        "retry": error.retry,
        "slots": slots,
        "message_slots": _used(error.message, slots),
        "hint_slots": _used(error.hint, slots),
    }


def argument_name(slot: str) -> PyName:
    """A keyword argument of the class; what the class needs itself gets ``_`` behind."""
    return PyName(f"{slot}_" if slot in OWN_ARGUMENTS or keyword.iskeyword(slot) else slot)


def _used(text: SpecText, slots: list[Slot]) -> str:
    """The arguments of ``fill`` for the slots a text has."""
    found = set(SLOT.findall(text.raw))
    values = [f"{python_literal(slot.wire)}: {slot.python}" for slot in slots if slot.wire in found]
    return ", {" + ", ".join(values) + "}" if values else ""
