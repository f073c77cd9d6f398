"""Providers: each runs a program that is looked for."""

from __future__ import annotations

from codegen.checks.context import Context


def check(ctx: Context) -> None:
    for provider in ctx.specs.providers.values():
        span = ctx.places.at(provider.span, "program")
        ctx.known(span, "unknown-program", "external tool", provider.program, ctx.specs.external_tools)
