"""Checks of meaning, across files: what the schema of one file cannot say. One module a family of rules."""

from __future__ import annotations

from codegen.checks import (
    deprecations,
    examples,
    external_tools,
    fixtures,
    flags,
    layouts,
    messages,
    methods,
    names,
    outputs,
    providers,
    references,
    rules,
    secrets,
    tables,
    values,
)
from codegen.checks.context import Context

__all__ = ["Context", "run_checks"]

CHECKS = (
    references.check,
    values.check,
    values.named,
    outputs.check,
    names.check,
    flags.check,
    rules.check,
    secrets.check,
    deprecations.check,
    messages.check,
    methods.check,
    tables.check,
    external_tools.check,
    providers.check,
    layouts.check,
    fixtures.check,
    examples.check,
)


def run_checks(context: Context) -> None:
    """Run every check; faults go to the context's sink."""
    for check in CHECKS:
        check(context)
