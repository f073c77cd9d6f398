"""Builds the smaller spec files, from errors and roles to layouts and fixtures."""

from __future__ import annotations

from codegen import ir
from codegen.ir import Span
from codegen.load.nodes import View, seconds
from codegen.text import SpecText

RPC_CODES = {
    "failed": -32000,
    "usage": -32602,
    "denied": -32003,
    "not_found": -32004,
    "conflict": -32005,
    "rate_limited": -32006,
    "unavailable": -32007,
    "timed_out": -32008,
    "interrupted": -32009,
}
"""JSON-RPC code of each kind of failure, unless an error names its own."""


def error(code: str, span: Span, view: View) -> ir.ErrorSpec:
    kind = view.word("exit", "failed")
    return ir.ErrorSpec(
        code=code,
        span=span,
        summary=view.must_text("summary"),
        message=view.must_text("message"),
        hint=view.must_text("hint"),
        exit=kind,
        rpc=int(view.word("rpc", RPC_CODES[kind])),
        retry=view.word("retry", False),
        params=view.data("params") or {},
    )


def role(name: str, span: Span, view: View) -> ir.Role:
    return ir.Role(
        name=name,
        span=span,
        rank=int(view.word("rank", 0)),
        summary=view.must_text("summary"),
        effects=view.words("effects"),
    )


def toolset(name: str, span: Span, view: View) -> ir.Toolset:
    return ir.Toolset(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        roles=view.words("roles"),
        modes=view.words("modes"),
        owner=view.scalar("owner") is True,
        server=view.word("server", ""),
        always=view.words("always"),
    )


def rate_limit(name: str, span: Span, view: View) -> ir.RateLimit:
    return ir.RateLimit(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        limit=int(view.word("limit", 1)),
        window=seconds(view.word("window"), 60.0),
        per=view.word("per", "session"),
        also=view.word("also"),
    )


def variable(name: str, span: Span, view: View) -> ir.EnvironmentVariable:
    return ir.EnvironmentVariable(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        example=view.text("example"),
        authorises=view.word("authorises", False),
    )


def provider(name: str, span: Span, view: View) -> ir.Provider:
    return ir.Provider(
        name=name,
        span=span,
        title=view.must_text("title"),
        summary=view.must_text("summary"),
        program=view.word("program", ""),
        adapter=view.word("adapter", ""),
        arguments=view.words("arguments"),
        environment=view.words("environment"),
        tools=view.word("tools", "none"),
        steer=view.word("steer", False),
        permission_modes=view.data("permission_modes") or {},
        efforts=view.words("efforts"),
        models=view.words("models"),
        hint=view.must_text("hint"),
        acp=_acp(view.view("acp")) if "acp" in view else None,
        terminal=_terminal(view.view("terminal")) if "terminal" in view else None,
    )


def _acp(view: View) -> ir.ProviderAcp:
    return ir.ProviderAcp(
        tool_names=view.words("tool_names"),
        writes_as_edits=view.word("writes_as_edits", False),
        undeclared_tools=view.word("undeclared_tools", False),
        late_tools=view.word("late_tools", False),
        plan_environment=view.data("plan_environment") or {},
    )


def _terminal(view: View) -> ir.ProviderTerminal:
    modes: dict[str, list[str]] = view.data("permission_modes") or {}
    return ir.ProviderTerminal(
        span=view.span,
        arguments=view.words("arguments"),
        permission_modes={mode: tuple(arguments) for mode, arguments in modes.items()},
        model=view.word("model", ""),
        brief=view.word("brief", ""),
        allowed_tools=view.word("allowed_tools", ""),
        environment=view.data("environment") or {},
    )


def external_tool(name: str, span: Span, view: View) -> ir.ExternalTool:
    return ir.ExternalTool(
        name=name,
        span=span,
        title=view.must_text("title"),
        programs=view.words("programs"),
        known_folders=view.words("known_folders"),
        version_args=view.words("version_args"),
        version_pattern=view.word("version_pattern", ""),
        version_environment=view.data("version_environment") or {},
        excluded={key: SpecText(str(reason)) for key, reason in (view.data("excluded") or {}).items()},
    )


def layout(name: str, span: Span, view: View) -> ir.TextLayout:
    return ir.TextLayout(
        name=name,
        span=span,
        kind=view.word("kind", "card"),
        headline=view.text("headline"),
        rows=view.word("rows"),
        body=view.word("body"),
        empty=view.text("empty"),
        columns=tuple(
            ir.Column(field=item.word("field", ""), label=item.must_text("label"), format=item.word("format"))
            for item in view.items("columns")
        ),
        parts=view.words("parts"),
    )


def completer(name: str, span: Span, view: View) -> ir.Completer:
    return ir.Completer(
        name=name,
        span=span,
        action=view.word("action", ""),
        input=view.data("input") or {},
        items=view.word("items", ""),
        value=view.word("value", ""),
        help=view.word("help"),
    )


def fixture(name: str, span: Span, view: View) -> ir.Fixture:
    steps = view.data("steps")
    return ir.Fixture(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        steps=tuple(step for step in steps or () if isinstance(step, dict)),
    )
