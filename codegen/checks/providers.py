"""Providers: each runs a program that is looked for, and holds the same permission modes in a terminal as in a chat."""

from __future__ import annotations

from codegen.checks.context import Context


def check(ctx: Context) -> None:
    for provider in ctx.specs.providers.values():
        span = ctx.places.at(provider.span, "program")
        ctx.known(span, "unknown-program", "external tool", provider.program, ctx.specs.external_tools)
        if (provider.adapter == "acp") != (provider.acp is not None):
            key = "adapter" if provider.acp is None else "acp"
            message = "acp: and adapter: acp belong together"
            ctx.sink.add(ctx.places.at(provider.span, key), "acp-adapter", message, "give both or neither")
        if provider.terminal is not None:
            differing = sorted(set(provider.terminal.permission_modes) ^ set(provider.permission_modes))
            if differing:
                span = ctx.places.at(provider.span, "terminal")
                message = f"its terminal and its chats differ in {', '.join(differing)}"
                ctx.sink.add(span, "terminal-modes", message, "give both the same permission modes")
