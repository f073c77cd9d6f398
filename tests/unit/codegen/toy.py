"""A small set of specs for tests of the outer products, and texts that try to break out of wherever they
land.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from ade_runtime.cli.catalog import Catalog
from codegen import ir
from codegen.checks.tables import PIPELINE_ERRORS
from codegen.load import load_specs
from codegen.plan import PlannedFile
from codegen.text import SpecText

HOSTILE = [
    '"',
    "'",
    '"""',
    "'''",
    "two\nlines",
    "windows\r\nlines",
    "{{7*7}}",
    "{% raw %}{{ 7*7 }}",
    "{# gone #}",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "| cell | cell |",
    "```\ncode\n```",
    "*/ /* //",
    "</script><script>alert(1)</script>",
    "<!-- hidden",
    "--> shown",
    "[link](javascript:x) ![x](y)",
    "$(touch marker)",
    "`touch marker`",
    "; touch marker #",
    "%s %d %(x)s {x}",
    "line\u2028separator\u2029end",
    "C:\\new\\N{x} \\",
    "\\",
    "\u200fright to left\u200e",
    "修正 é 👍🏽",
    "x" * 4000,
    "word " * 800,
    "&amp; &#x27;",
    "~~struck~~ **bold** _it_ ***",
    "===\n---",
    "\t tab",
]
"""Rows 5, 6, 7, 10, 11 and 15 of the generator reports, and what each target reads as markup."""


def action(**more: Any) -> dict[str, Any]:
    """One action's spec, complete and valid; ``more`` replaces parts."""
    base: dict[str, Any] = {
        "summary": "Play.",
        "effect": "read",
        "toolset": "base",
        "timeout": "10s",
        "input": {},
        "output": {
            "type": "object",
            "properties": {"done": {"type": "boolean", "description": "Whether."}},
            "required": ["done"],
        },
        "examples": [
            {"title": "Works", "input": {}, "output": {}},
            {"title": "Fails", "input": {"no_such": 1}, "error": {"code": "invalid_arguments"}},
        ],
    }
    return {**base, **more}


def domain(name: str = "toy", *, actions: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """One domain's spec."""
    base = {"domain": name, "title": "Toys", "summary": "Things to play with.", "cli": {"group": f"{name}s"}}
    return {**base, "scope": "machine", **more, "actions": dict(actions)}


TABLES: dict[str, Any] = {
    "errors": {
        **{
            code: {
                "summary": "It happened.",
                "message": "It happened.",
                "hint": "Try again.",
                "exit": "failed",
            }
            for code in PIPELINE_ERRORS
        },
        "invalid_arguments": {
            "summary": "The arguments do not fit.",
            "message": "{problem}",
            "hint": "See `ade toys play --help` about {action}.",
            "exit": "usage",
            "params": {"problem": "string", "action": "string"},
        },
        "toy_broken": {
            "summary": "The toy is broken.",
            "message": "{toy} is broken.",
            "hint": "Mend it.",
            "exit": "conflict",
            "params": {"toy": "string"},
        },
    },
    "roles": {"agent": {"rank": 0, "summary": "An agent.", "effects": ["read", "write"]}},
    "toolsets": {"base": {"summary": "What everybody sees.", "roles": ["agent"], "server": "ade"}},
}
_KEYS = {"text_layouts": "layouts", "completions": "completers"}


def write(
    root: Path, *domains: Mapping[str, Any], types: Mapping[str, Any] | None = None, **tables: Any
) -> Path:
    """Write specs under ``root``. JSON is YAML, and keeps every character as it is meant."""
    folder = root / "specs"
    (folder / "domains").mkdir(parents=True, exist_ok=True)
    for one in domains:
        write_domain(root, one)
    for name, table in {**TABLES, **tables}.items():
        (folder / f"{name}.yaml").write_text(json.dumps({_KEYS.get(name, name): table}))
    if types:
        write_types(root, types)
    return root


def write_domain(root: Path, domain: Mapping[str, Any]) -> None:
    (root / "specs" / "domains" / f"{domain['domain']}.yaml").write_text(json.dumps(domain))


def write_types(root: Path, types: Mapping[str, Any]) -> None:
    folder = root / "specs" / "types"
    folder.mkdir(exist_ok=True)
    (folder / "all.yaml").write_text(json.dumps({"types": types}))


def specs(root: Path, *domains: Mapping[str, Any], **more: Any) -> ir.Specs:
    """Write and load specs."""
    return load_specs(write(root, *domains, **more))


def poisoned(node: Any, text: str) -> Any:
    """The same model with ``text`` in every slot that holds an author's text, except guidance files."""
    if isinstance(node, SpecText):
        return SpecText(text)
    if isinstance(node, Mapping):
        return {key: poisoned(value, text) for key, value in node.items()}
    if isinstance(node, tuple):
        return tuple(poisoned(value, text) for value in node)
    if is_dataclass(node) and not isinstance(node, type | ir.Span | ir.GuidanceText):
        changed = {field.name: poisoned(getattr(node, field.name), text) for field in fields(node)}
        return replace(node, **changed)
    return node


def catalog(files: Iterable[PlannedFile]) -> Catalog:
    """The catalogue of generated command modules, without writing them anywhere."""
    sources = {str(file.path): file.content for file in files}

    def load(name: str) -> ModuleType:
        path = name.replace(".", "/") + ".py"
        module = ModuleType(name)
        exec(compile(sources[path], path, "exec"), module.__dict__)
        return module

    index = load("ade_generated.cli.index")
    return Catalog(index.GROUPS, index.COMPLETERS, load=load)


def squeezed(text: str) -> str:
    """Text without any white space, for comparing what was wrapped."""
    return "".join(text.split())
