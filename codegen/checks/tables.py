"""Small tables: ranks order roles, durations are longer than nothing."""

from __future__ import annotations

from codegen.checks.context import Context
from codegen.wording import quote

PIPELINE_ERRORS = (
    "invalid_arguments",
    "unknown_action",
    "policy_denied",
    "rate_limited",
    "timed_out",
    "cancelled",
    "request_in_progress",
    "request_id_conflict",
    "internal_error",
    "project_required",
    "project_not_found",
    "storage_failed",
    "runtime_unavailable",
)
"""Errors that the pipeline raises by itself, implied for every action; specs/errors.yaml has them all."""


def check(ctx: Context) -> None:
    ranks: dict[int, str] = {}
    for role in ctx.specs.roles.values():
        first = ranks.setdefault(role.rank, role.name)
        if first != role.name:
            span = ctx.places.at(role.span, "rank")
            message = f"the roles {quote(first)} and {quote(role.name)} have the same rank {role.rank}"
            ctx.sink.add(span, "duplicate-value", message, "give each its own")
    for limit in ctx.specs.rate_limits.values():
        if limit.window <= 0:
            span = ctx.places.at(limit.span, "window")
            ctx.sink.add(span, "bad-duration", "the window has no length", "write one such as 60s")
    for action in ctx.specs.actions:
        if not 0 < action.timeout <= 86_400:
            span = ctx.places.at(action.span, "timeout")
            message = "a timeout lies above 0s and at most at 24h"
            ctx.sink.add(span, "bad-duration", message, "write one such as 60s")
