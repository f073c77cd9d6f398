"""From the text datamodel-code-generator wrote to the sources of our classes, checked on the way.

Its output holds stand-ins where the author's text belongs; each is replaced where the syntax tree says it
stands. A class it lost, renamed or invented, a field it dropped, a type it read otherwise than we do, ``Any``
or a root model: all are errors.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from codegen import ir
from codegen.failure import GenerationError
from codegen.modelgen.annotations import field_annotation
from codegen.modelgen.bundle import Bundle, StandIns
from codegen.modelgen.classes import ModelClass
from codegen.naming import py_name

Types = Mapping[str, ir.NamedType]


@dataclass(frozen=True, slots=True)
class ClassSource:
    """A finished class: its source, and the names it uses at module level."""

    source: str
    names: frozenset[str]


def class_sources(
    written: str, bundle: Bundle, classes: Iterable[ModelClass], types: Types
) -> dict[str, ClassSource]:
    """The source of every class by name."""
    if not written.isascii():
        raise GenerationError("datamodel-code-generator let text through that it was not given")
    expected: dict[str, ModelClass] = {model.name: model for model in classes}
    tree = ast.parse(written)
    nodes = {node.name: node for node in _classes(tree)}
    if nodes.keys() != expected.keys():
        odd = sorted(nodes.keys() ^ expected.keys())
        raise GenerationError(f"datamodel-code-generator lost or invented classes: {', '.join(odd)}")
    lines = written.splitlines(keepends=True)
    used: list[str] = []
    out = {}
    for name, node in nodes.items():
        source = _replace(lines, node, bundle.stand_ins, used)
        checked = _check(source, expected[name], types)
        out[name] = ClassSource(source, _names(checked))
    made = bundle.stand_ins
    if sorted(used) != sorted([*made.expressions, *made.docstrings, *made.types]):
        raise GenerationError("datamodel-code-generator lost or repeated a description, limit or default")
    return out


def _classes(tree: ast.Module) -> Iterable[ast.ClassDef]:
    for node in tree.body:
        rebuild = isinstance(node, ast.Expr) and ast.unparse(node).endswith(".model_rebuild()")
        if isinstance(node, ast.ClassDef):
            yield node
        elif not isinstance(node, ast.Import | ast.ImportFrom) and not rebuild:
            raise GenerationError(f"datamodel-code-generator wrote something unexpected: {ast.unparse(node)}")


def _replace(lines: list[str], node: ast.ClassDef, made: StandIns, used: list[str]) -> str:
    """The class's text with every stand-in replaced and its own configuration dropped (the base class has
    it).
    """
    edits: list[tuple[int, int, int, int, str]] = []

    def edit(at: ast.expr | ast.stmt, text: str) -> None:
        assert at.end_lineno is not None and at.end_col_offset is not None
        edits.append((at.lineno, at.col_offset, at.end_lineno, at.end_col_offset, text))

    for statement in node.body:
        if isinstance(statement, ast.Assign):
            edit(statement, "")
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            word = child.value.strip()
            if word in made.docstrings:
                edit(child, made.docstrings[word])
            elif word in made.expressions:
                edit(child, made.expressions[word])
            else:
                continue
            used.append(word)
        elif isinstance(child, ast.Name) and child.id in made.types:
            edit(child, made.types[child.id])
            used.append(child.id)
    top = node.lineno
    text = lines[top - 1 : node.end_lineno]
    for first, start, last, end, new in sorted(edits, reverse=True):
        head, tail = text[first - top][:start], text[last - top][end:]
        text[first - top : last - top + 1] = [head + new + tail]
    return "".join(text).rstrip() + "\n"


def _check(source: str, model: ModelClass, types: Types) -> ast.ClassDef:
    """Hold the finished class against what the spec says, field by field; gives its tree."""
    try:
        [node] = ast.parse(source).body
    except (SyntaxError, ValueError) as problem:
        raise GenerationError(f"{model.name} does not parse: {problem}") from None
    assert isinstance(node, ast.ClassDef)
    if [ast.unparse(base) for base in node.bases] != ["WireModel"] or node.decorator_list or node.keywords:
        raise GenerationError(f"{model.name} is not a plain wire model")
    found = {
        item.target.id: item
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    wanted = {py_name(name): name for name in model.schema.properties}
    if list(found) != list(wanted) or len(wanted) != len(model.schema.properties):
        raise GenerationError(f"{model.name} has fields {', '.join(found)} instead of {', '.join(wanted)}")
    for python, name in wanted.items():
        item = found[python]
        required = name in model.schema.required
        expected = field_annotation(name, model.field(name), types, required=required)
        if _shape(_text(source, item.annotation)) != _shape(expected):
            written = ast.unparse(item.annotation)
            raise GenerationError(f"{model.name}.{python} was read as {written} instead of {expected}")
        if (item.value is None) != required:
            raise GenerationError(
                f"{model.name}.{python} is {'required' if item.value is None else 'optional'}"
            )
    strange = [item for item in node.body if not isinstance(item, ast.AnnAssign | ast.Expr | ast.Pass)]
    if strange:
        raise GenerationError(f"{model.name} holds more than fields: {ast.unparse(strange[0])}")
    return node


def _text(source: str, node: ast.expr) -> str:
    """The text of an annotation; what is written is ASCII, so columns count characters."""
    if node.lineno != node.end_lineno:
        return ast.unparse(node)
    start = 0
    for _ in range(node.lineno - 1):
        start = source.index("\n", start) + 1
    return source[start + node.col_offset : start + (node.end_col_offset or 0)]


@cache
def _shape(annotation: str) -> str:
    """An annotation in one spelling: keywords sorted, whole floats as integers."""
    node = ast.parse(annotation, mode="eval").body
    for child in ast.walk(node):
        if isinstance(child, ast.Call):
            child.keywords.sort(key=lambda keyword: keyword.arg or "")
        elif isinstance(child, ast.Constant) and isinstance(child.value, float) and child.value.is_integer():
            child.value = int(child.value)
    return ast.unparse(node)


def _names(found: ast.ClassDef) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(found) if isinstance(node, ast.Name))
