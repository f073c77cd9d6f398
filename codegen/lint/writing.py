"""Rules about how a spec file is written; all of them can be mended without touching comments and layout."""

from __future__ import annotations

from collections.abc import Mapping

from ade_runtime.strict_yaml.reader import Scalar
from codegen import ir
from codegen.checks.context import Context
from codegen.ir import Span
from codegen.lint.findings import Edit, Report
from codegen.load.files import FOLDERS
from codegen.wording import quote

_SCHEMA_LINE = "# yaml-language-server: $schema="


def check(ctx: Context, report: Report, texts: Mapping[str, str]) -> None:
    """``texts`` are the contents of the spec files by name."""
    for name, text in sorted(texts.items()):
        if name.endswith(".yaml"):
            _schema_line(report, name, text)
        _blanks(report, name, text)
    for action in ctx.specs.actions:
        _sentence(ctx, report, action.span, action.summary.raw, texts)
        _defaults(ctx, report, action, texts)
    for error in ctx.specs.errors.values():
        _sentence(ctx, report, error.span, error.summary.raw, texts)


def schema_line(name: str) -> str:
    """The first line of a spec file, by its path in the project."""
    parts = name.split("/")
    kind = FOLDERS.get(parts[1], "") if len(parts) > 2 else parts[-1].removesuffix(".yaml")
    return f"{_SCHEMA_LINE}{'../' * (len(parts) - 2)}schema/{kind}.schema.json"


def _schema_line(report: Report, name: str, text: str) -> None:
    wanted = schema_line(name)
    first = text.partition("\n")[0]
    if first == wanted:
        return
    wrong = first.startswith(_SCHEMA_LINE)
    edit = Edit(1, 1, len(first) if wrong else 0, wanted if wrong else wanted + "\n")
    report.add("schema-line", Span(name, 1, 1), f"the first line is not {wanted}", edit)


def _blanks(report: Report, name: str, text: str) -> None:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        bare = line.rstrip(" \r")
        if bare != line and (name.endswith(".yaml") or not line.endswith("  ")) and "|" not in bare[-3:]:
            edit = Edit(number, len(bare) + 1, len(line) - len(bare))
            report.add("blanks", Span(name, number, len(bare) + 1), "blanks at the end of the line", edit)
    if lines[-1]:
        edit = Edit(len(lines), len(lines[-1]) + 1, 0, "\n")
        report.add("blanks", Span(name, len(lines), len(lines[-1]) + 1), "the last line has no end", edit)


def _sentence(ctx: Context, report: Report, owner: Span, text: str, texts: Mapping[str, str]) -> None:
    node = ctx.places.node(owner, "summary")
    if not isinstance(node, Scalar) or not text.strip():
        return
    if text[-1] in ".!?" and (not text[0].islower() or not text.split()[0].isalpha()):
        return
    message = f"{quote(text)} is no sentence"
    report.add("sentence", node.span, message, _mended(node, text, texts))


def _mended(node: Scalar, text: str, texts: Mapping[str, str]) -> Edit | None:
    """The same text with a capital and a full stop, where it stands on its line just as it is read."""
    line = texts[node.span.file].split("\n")[node.span.line - 1]
    start = node.span.column - 1
    start += 1 if node.quoted and line[start : start + 1] in "\"'" else 0
    if line[start : start + len(text)] != text:
        return None
    better = text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")
    return Edit(node.span.line, start + 1, len(text), better)


def _defaults(ctx: Context, report: Report, action: ir.Action, texts: Mapping[str, str]) -> None:
    natural = "natural" if action.effect == "read" else "none"
    said: dict[str, object] = {
        "idempotency": natural,
        "requires": [],
        "hidden_in": [],
        "moves_refs": False,
        "rate_limit": None,
        "tool": f"{action.domain}_{action.name}",
        "timeout": "60s",
    }
    for key, value in said.items():
        node = ctx.places.node(action.span, key)
        if node is None:
            continue
        written: object = node.value if isinstance(node, Scalar) else getattr(node, "items", None)
        if written != value:
            continue
        span = ctx.places.key(action.span, key)
        line = texts[span.file].split("\n")[span.line - 1]
        alone = line.strip().startswith(f"{key}:") and "{" not in line and "#" not in line
        edit = Edit(span.line, 1, 0, whole=True) if alone else None
        report.add("says-the-default", span, f"{quote(key)} says what holds anyway", edit)
