"""Builds the tables of runs."""

from __future__ import annotations

from codegen.ir import RunMove, RunRule, Span
from codegen.load.nodes import View


def rule(name: str, span: Span, view: View) -> RunRule:
    return RunRule(
        name=name,
        span=span,
        role=view.word("role", ""),
        summary=view.must_text("summary"),
        ops=view.words("ops"),
        paths=view.words("paths"),
        fields=view.words("fields"),
        guard=view.word("guard"),
        phases=view.words("phases"),
    )


def move(name: str, span: Span, view: View) -> RunMove:
    return RunMove(
        name=name,
        span=span,
        summary=view.must_text("summary"),
        sources=view.words("from"),
        target=view.word("to", ""),
    )
