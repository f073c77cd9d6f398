"""Names of generated things.

Each kind is a type that only its function here builds, so an emitter cannot print another.
"""

from __future__ import annotations

import keyword
import re
from typing import NewType

PyName = NewType("PyName", str)
ClassName = NewType("ClassName", str)
ModuleName = NewType("ModuleName", str)

MODEL_ATTRIBUTES = frozenset(
    [
        "construct", "copy", "dict", "fields", "from_answer", "from_orm", "from_wire", "from_wire_json", "json",
        "parse_file", "parse_obj", "parse_raw", "register", "schema", "schema_json", "shown", "to_wire", "to_wire_json",
        "update_forward_refs", "validate",
    ]
)  # fmt: skip
"""What pydantic's base class, its metaclass and ours define in public. Written out, not computed, so that the
same specs give the same names with any version of Python and pydantic; a test compares it with the classes.
Names beginning ``model_`` are pydantic's too."""

CLASS_BODY_NAMES = frozenset(
    ["bool", "dict", "float", "frozenset", "int", "list", "parse_date", "parse_date_time", "str"]
)
"""Lower-case names that annotations and defaults of a model use: a field of that name would shadow them."""


def py_name(name: str) -> PyName:
    """A Python identifier for a wire name; the wire name itself wherever that is safe, else with ``_``
    behind.
    """
    safe = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_") or "field"
    if safe[0].isdigit():
        safe = f"field_{safe}"
    if is_reserved(safe):
        safe += "_"
    return PyName(safe)


def is_reserved(name: str) -> bool:
    """Whether a field of that Python name would break or shadow something in a model class.

    Names that begin with a capital may be a class that an annotation of the same model uses (``Lane``,
    ``Any``, ``Field``).
    """
    return (
        keyword.iskeyword(name)
        or name in MODEL_ATTRIBUTES
        or name in CLASS_BODY_NAMES
        or name.startswith("model_")
        or name[0].isupper()
        or name == "self"
    )


def method_name(name: str) -> PyName:
    """The handler method of an action: its name, with ``_`` behind a Python keyword."""
    return PyName(f"{name}_" if keyword.iskeyword(name) else name)


def class_name(*parts: str) -> ClassName:
    """A class name from the path of its owner: ``("lane", "create", "input")`` gives ``LaneCreateInput``."""
    pieces = (piece for part in parts for piece in re.split(r"[^A-Za-z0-9]+", part))
    return ClassName("".join(piece[:1].upper() + piece[1:] for piece in pieces))


def module_name(domain: str) -> ModuleName:
    """The module of a domain; a Python keyword gets ``_`` behind."""
    return ModuleName(f"{domain}_" if keyword.iskeyword(domain) else domain)


def command_name(name: str) -> str:
    """The command of an action and the group of a domain, unless the spec says otherwise: dashes for underscores."""
    return name.replace("_", "-")


def flag(name: str) -> str:
    """The option of a field: ``foo_bar`` gives ``--foo-bar``; the spelling is otherwise kept."""
    return "--" + name.replace("_", "-").replace(".", "-").strip("-")
