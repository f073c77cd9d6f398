"""Checks of meaning, across files: what a JSON Schema of one file cannot say. One module a family of rules."""

from __future__ import annotations

from codegen.checks.context import Context

__all__ = ["Context", "run_checks"]


def run_checks(context: Context) -> None:
    """Run every check; faults go to the context's sink."""
