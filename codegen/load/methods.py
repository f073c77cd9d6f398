"""Builds the JSON-RPC methods."""

from __future__ import annotations

from codegen import ir
from codegen.ir import Span
from codegen.load.nodes import View
from codegen.load.values import ValueBuilder


def method(name: str, span: Span, view: View, values: ValueBuilder) -> ir.Method:
    """One method; its parameters and result are built like those of actions."""
    return ir.Method(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        kind=view.word("kind", "request"),
        sent_by=view.word("sent_by", "client"),
        action=view.word("action"),
        params=values.build(view.raw("params")) if "params" in view else None,
        result=values.build(view.raw("result")) if "result" in view else None,
    )
