"""External tools: one program belongs to one tool, and a version pattern finds exactly one thing."""

from __future__ import annotations

import re

from codegen.checks import patterns
from codegen.checks.context import Context
from codegen.ir import Span
from codegen.wording import quote


def check(ctx: Context) -> None:
    owners: dict[str, str] = {}
    for tool in ctx.specs.external_tools.values():
        for index, program in enumerate(tool.programs):
            span = ctx.places.at(tool.span, "programs", index)
            first = owners.setdefault(program, tool.name)
            if program in tool.excluded:
                message = f"{quote(program)} is both a program of {tool.name} and excluded"
                ctx.sink.add(span, "duplicate-value", message, "keep one")
            elif first != tool.name or tool.programs.index(program) != index:
                message = f"the program {quote(program)} is named twice; first for {first}"
                ctx.sink.add(span, "duplicate-value", message, "keep one")
        _pattern(ctx, tool.span, tool.version_pattern)


def _pattern(ctx: Context, owner: Span, pattern: str) -> None:
    span = ctx.places.at(owner, "version_pattern")
    found = patterns.problem(pattern)
    if found is not None:
        ctx.sink.add(span, "schema-pattern", *found)
    elif (groups := re.compile(pattern).groups) != 1:
        message = f"the pattern has {groups} groups where one holds the version"
        ctx.sink.add(span, "schema-pattern", message, "put ( ) around the version and write (?: ) elsewhere")
