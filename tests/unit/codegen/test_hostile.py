"""Texts that try to break out of wherever they land do not: rows 5, 6 and 7 of the generator reports.

The sites come from the model itself: every attribute that holds a :class:`SpecText` gets the text.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from codegen import generate, ir
from codegen.emitters import EMITTERS, dispatch, environment, errors, layouts, models, protocols, roles
from codegen.failure import GenerationError
from codegen.finish import finish
from codegen.plan import PlannedFile
from codegen.text import SpecText
from tests.unit.codegen import made, torture, toy

REPOSITORY = Path(__file__).parents[3]
CORE = (dispatch.emit, environment.emit, errors.emit, layouts.emit, models.emit, protocols.emit, roles.emit)
MORE = [
    "$(touch marker)", "`touch marker`", "\"; __import__('os').system('touch marker') #",
    "\"\"\"\nimport os\nos.system('touch marker')\n\"\"\"", "'''\nraise SystemExit(3)\n'''", "\\\nraise SystemExit(3)",
    "\u2028raise SystemExit(3)\u2029", "\x0craise SystemExit(3)", "{__import__('os').system('touch marker')}",
    "{problem.__class__}", "{0}", "{}", "%s %(x)s %n", "\\N{SNOWMAN} \\x41 \\u0041 \\", "{{7*7}}", "{% raw %}{{7*7}}",
    "${7*7} #{7*7} <%= 7*7 %>",
]  # fmt: skip


def sites() -> Iterator[tuple[str, str]]:
    """Every attribute of the model that can hold an author's text."""
    for name, kind in vars(ir).items():
        if dataclasses.is_dataclass(kind) and kind is not ir.GuidanceText:
            for attribute, hint in get_type_hints(kind).items():
                if "SpecText" in str(hint):
                    yield name, attribute


def full(root: Path) -> ir.Specs:
    """Specs in which every kind of thing with a text occurs."""
    return toy.specs(
        root,
        torture.domain(),
        types=torture.TYPES,
        environment={"ADE_TOY": {"summary": "A toy.", "example": "x"}},
        rate_limits={"slow": {"summary": "Slow.", "limit": 1, "window": "60s", "per": "session"}},
        text_layouts={
            "toy_card": {"kind": "card", "headline": "Toy", "columns": [{"field": "done", "label": "Done"}]}
        },
    )


def found_sites(node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, tuple):
        for item in node:
            yield from found_sites(item)
    elif dataclasses.is_dataclass(node) and not isinstance(node, type | SpecText):
        for item in dataclasses.fields(node):
            value = getattr(node, item.name)
            if isinstance(value, SpecText):
                yield type(node).__name__, item.name
            yield from found_sites(value)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ir.Specs:
    return full(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("text", [*toy.HOSTILE, *MORE])
def test_python_products_keep_their_structure(text: str, whole: ir.Specs) -> None:
    """``finish`` holds every module against its skeleton; here the values are looked at as well."""
    specs = toy.poisoned(whole, text)
    files = made.contents(specs, *CORE)
    for path, content in files.items():
        tree = ast.parse(content)
        strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        if path.endswith(("errors.py", "roles.py", "environment.py", "dispatch.py")):
            assert text in strings, path
        docs = {ast.get_docstring(node, clean=False) for node in tree.body if isinstance(node, ast.ClassDef)}
        if path.endswith(("errors.py", "models/toy.py", "protocols/toy.py")):
            assert text in docs, path


def test_generator_6_every_text_site_is_covered(tmp_path: Path) -> None:
    """A new attribute with a text needs a place in the specs above."""
    missing = set(sites()) - set(found_sites(full(tmp_path)))
    assert missing <= {
        *(
            (kind, "title")
            for kind in ("Schema", "StringSchema", "NumberSchema", "BooleanSchema", "ArraySchema")
        ),
        *((kind, "title") for kind in ("ObjectSchema", "MapSchema", "RefSchema", "UnionSchema")),
        *(
            (kind, "description")
            for kind in ("Schema", "ArraySchema", "MapSchema", "RefSchema", "UnionSchema")
        ),
        *((kind, "description") for kind in ("NumberSchema", "ObjectSchema")),
        *{(kind, name) for kind, name in missing if kind in OTHER_KINDS},
        ("Action", "description"),
        ("Action", "guidance"),
        ("TextLayout", "empty"),
    }, sorted(missing)


OTHER_KINDS = (
    "Completer", "Event", "ExternalTool", "Fixture", "Method", "MethodField", "Provider", "RunMove",
    "RunRule", "SkillText",
)  # fmt: skip
"""Kinds whose products have their own tests."""


def test_generator_7_all_products_of_hostile_specs_import_and_run_nothing(tmp_path: Path) -> None:
    """Through the front door: one action a text, generated, imported, printed."""
    refused = "\r\x0c\u200f"  # by the loader; JSON's escapes of what is past U+FFFF are no YAML
    texts = [text for text in (*toy.HOSTILE, *MORE) if text.strip() and len(text) <= 100]
    texts = [text for text in texts if not set(text) & set(refused) and max(text) <= "\uffff"]
    actions = {f"play_{number}": hostile(text) for number, text in enumerate(texts)}
    root = tmp_path / "project"
    toy.write(root, toy.domain(actions=actions))
    assert generate.gen(root) == 0
    assert generate.check(root) == 0
    (root / "ade_generated/__init__.py").touch()
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{root}{os.pathsep}{REPOSITORY}", "HOME": str(root)}
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", READ_ALL],
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(len(texts))
    assert not list(tmp_path.rglob("marker"))
    for path in (file for folder in ("ade_generated", "docs") for file in (root / folder).rglob("*.*")):
        if path.is_file() and path.name != "MANIFEST.json":
            assert not re.search(r"\b49\b", path.read_text()), path
    docs = {ast.literal_eval(line) for line in done.stdout.splitlines()[:-1]}
    assert docs == set(texts)


READ_ALL = """
import importlib, pkgutil
import ade_generated
from ade_generated.dispatch import ACTIONS
for found in pkgutil.walk_packages(ade_generated.__path__, "ade_generated."):
    importlib.import_module(found.name)
for entry in ACTIONS.values():
    entry.output_model.model_rebuild()
    print(ascii(entry.input_model.__doc__))
print(len(ACTIONS))
"""


def hostile(text: str) -> dict[str, Any]:
    schema = {"type": "string", "description": text}
    return toy.action(
        summary=text,
        description=text,
        guidance=text,
        input={
            "word": {**schema, "enum": ["plain", text], "optional": True},
            "default": {**schema, "default": text},
            "only": {**schema, "const": text, "optional": True},
        },
        output={
            "type": "object",
            "properties": {"done": {"type": "boolean", "description": text}},
            "required": ["done"],
        },
        examples=[
            {"title": text, "input": {}, "output": {}},
            {
                "title": "Fails",
                "input": {"no_such": 1},
                "error": {"code": "invalid_arguments", "path": "no_such"},
            },
        ],
    )


def test_an_escape_that_fails_is_found_by_structure(tmp_path: Path) -> None:
    """An emitter that prints a text raw, as if it were harmless, is stopped."""

    def careless(specs: ir.Specs) -> list[PlannedFile]:
        [domain] = specs.domains
        content = f'x = "{domain.summary.raw}"\n'
        return [PlannedFile(models.FOLDER / "careless.py", content, ())]

    specs = full(tmp_path)
    assert finish([(careless, careless(specs))], specs)
    broken = toy.poisoned(specs, '"; import os; "')
    with pytest.raises(GenerationError, match="structure"):
        finish([(careless, careless(broken))], broken)
    unparsable = toy.poisoned(specs, '"')
    with pytest.raises(GenerationError, match="parse"):
        finish([(careless, careless(unparsable))], unparsable)


def test_every_emitter_is_listed_once() -> None:
    assert len(set(EMITTERS)) == len(EMITTERS)
    names = [emit.__module__ for emit in EMITTERS]
    assert names == sorted(names)
    modules = {
        path.stem
        for path in (REPOSITORY / "codegen/emitters").glob("*.py")
        if "def emit(" in path.read_text()
    }
    assert {name.rpartition(".")[2] for name in names} == modules
