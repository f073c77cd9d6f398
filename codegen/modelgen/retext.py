"""A module whose texts changed and whose classes did not: new docstrings in the old module.

Starting datamodel-code-generator costs more than all the rest of a small change, and a better sentence in a
description is the most usual change there is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from codegen.failure import GenerationError


def retext(module: str, docstrings: Iterable[str]) -> str:
    """The module with the docstrings of its classes and fields replaced, in the order they stand in."""
    lines = module.splitlines(keepends=True)
    places = [
        place for node in ast.parse(module).body if isinstance(node, ast.ClassDef) for place in _places(node)
    ]
    texts = list(docstrings)
    if len(texts) != len(places) or not module.isascii():
        raise GenerationError("a generated module does not have the docstrings its manifest tells of")
    for place, text in reversed(list(zip(places, texts, strict=True))):
        assert place.end_lineno is not None
        indent = lines[place.lineno - 1][: place.col_offset]
        lines[place.lineno - 1 : place.end_lineno] = [f"{indent}{text}\n"]
    return "".join(lines)


def _places(node: ast.ClassDef) -> Iterable[ast.expr]:
    for item in node.body:
        if isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant):
            yield item.value
