"""Checks of a commit: check runs and statuses joined with what the base branch requires."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ade_generated.models.types import PrCheckCounts
from ade_runtime.integrations.github.problems import Refused, shorten

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.pull import Pull

_RUN = re.compile(r"/actions/runs/([0-9]{1,18})(?:/|$)")
_CONCLUSIONS = {
    "success": "passed",
    "neutral": "neutral",
    "skipped": "skipped",
    "failure": "failed",
    "cancelled": "failed",
    "timed_out": "failed",
    "action_required": "failed",
    "startup_failure": "failed",
    "stale": "failed",
}
_STATES = {"success": "passed", "failure": "failed", "error": "failed", "pending": "pending"}
_ORDER = {"failed": 0, "missing": 1, "pending": 2, "passed": 3, "neutral": 4, "skipped": 5}
PASSED = ("passed", "neutral", "skipped")
PENDING = ("pending", "missing")


@dataclass(frozen=True, slots=True)
class Check:
    """``state`` is one of passed, failed, pending, missing, skipped, neutral. ``id`` is that of a check run, ``suite_id``
    that of the suite it is in."""

    name: str
    kind: str
    state: str
    required: bool = False
    summary: str | None = None
    url: str | None = None
    run_id: int | None = None
    completed_at: str | None = None
    id: int | None = None
    suite_id: int | None = None

    def document(self) -> JsonObject:
        names = ("name", "kind", "state", "required", "summary", "url", "run_id", "completed_at")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Rules:
    """What a branch asks of pull requests. ``strict`` wants them up to date; ``threads`` wants every thread resolved."""

    contexts: frozenset[str] = frozenset()
    strict: bool = False
    threads: bool = False


async def read_checks(pull: Pull) -> tuple[list[Check], Rules]:
    """The checks of a pull request's last commit, required ones first, failed before others, and the rules they fall under."""
    client, path = pull.place.client, f"{pull.place.path}/commits/{pull.head_commit}"
    what = f"read the checks of pull request {pull.number}"
    try:
        runs, statuses, rules = await asyncio.gather(
            client.pages(f"{path}/check-runs", what, of="check_runs"),
            client.pages(f"{path}/status", what, of="statuses"),
            read_rules(pull.place, pull.base_branch),
        )
    except Refused as problem:
        raise problem.error from None
    found = [*_newest(map(_of_run, runs)), *map(_of_status, statuses)]
    return join(found, rules), rules


def join(found: Iterable[Check], rules: Rules) -> list[Check]:
    """Checks with what is required marked, and what is required and was not reported added, in the order they are told in."""
    checks = [_marked(check, rules) for check in found]
    missing = sorted(rules.contexts - {check.name for check in checks})
    checks += [Check(name=name, kind="expected", state="missing", required=True) for name in missing]
    return sorted(checks, key=lambda one: (not one.required, _ORDER[one.state], one.name))


async def read_rules(place: Place, branch: str) -> Rules:
    """What rulesets and the older branch protection ask for; who may only read is told of both."""
    client, what = place.client, f"read the rules of {branch}"
    name = quote(branch, safe="")
    rules, about = await asyncio.gather(
        _or_none(client.pages(f"{place.path}/rules/branches/{name}", what)),
        _or_none(client.get(f"{place.path}/branches/{name}", what)),
    )
    contexts: set[str] = set()
    strict = threads = False
    for rule in rules or ():
        given = rule.get("parameters") or {}
        if rule["type"] == "required_status_checks":
            contexts |= {one["context"] for one in given.get("required_status_checks") or ()}
            strict = strict or bool(given.get("strict_required_status_checks_policy"))
        threads = threads or bool(given.get("required_review_thread_resolution"))
    older = ((about or {}).get("protection") or {}).get("required_status_checks") or {}
    contexts |= set(older.get("contexts") or ())
    contexts |= {one["context"] for one in older.get("checks") or ()}
    return Rules(frozenset(contexts), strict or bool(older.get("strict")), threads)


def counts(checks: Sequence[Check]) -> PrCheckCounts:
    return tally(Counter(check.state for check in checks))


def tally(states: Mapping[str, int]) -> PrCheckCounts:
    """Counts of how many checks are in which state."""
    passed = sum(states.get(name, 0) for name in PASSED)
    pending = sum(states.get(name, 0) for name in PENDING)
    failed, total = states.get("failed", 0), sum(states.values())
    state = "failed" if failed else "pending" if pending else "passed" if total else "none"
    return PrCheckCounts.model_validate(
        {"state": state, "total": total, "passed": passed, "failed": failed, "pending": pending}
    )


def conclusion(status: str, concluded: str | None) -> str:
    """The state of a check run from its status and conclusion, in GitHub's spelling of REST or GraphQL."""
    if concluded:
        return _CONCLUSIONS.get(concluded.lower(), "failed")
    return _CONCLUSIONS.get(status.lower(), "pending")


def status_state(state: str) -> str:
    return _STATES.get(state.lower(), "pending")


async def _or_none(reading: Any) -> Any:
    """What was read; ``None`` where this plan, server or token has no such thing."""
    try:
        return await reading
    except Refused as problem:
        if problem.status in (403, 404):
            return None
        raise


def _of_run(raw: Mapping[str, Any]) -> Check:
    url = raw.get("details_url") or raw.get("html_url")
    run = _RUN.search(url or "") if ((raw.get("app") or {}).get("slug") == "github-actions") else None
    output = raw.get("output") or {}
    return Check(
        name=raw["name"],
        kind="check_run",
        state=conclusion(raw["status"], raw.get("conclusion")),
        summary=shorten(output.get("title") or "") or None,
        url=url,
        run_id=int(run[1]) if run else None,
        completed_at=raw.get("completed_at"),
        id=int(raw["id"]),
        suite_id=(raw.get("check_suite") or {}).get("id"),
    )


def _of_status(raw: Mapping[str, Any]) -> Check:
    state = status_state(raw["state"])
    return Check(
        name=raw["context"],
        kind="status",
        state=state,
        summary=shorten(raw.get("description") or "") or None,
        url=raw.get("target_url"),
        completed_at=None if state == "pending" else raw.get("updated_at"),
    )


def _newest(checks: Iterable[Check]) -> list[Check]:
    """Of check runs with one name, which several suites can have, the latest that was made."""
    found: dict[str, Check] = {}
    for check in checks:
        kept = found.get(check.name)
        if kept is None or (check.id or 0) > (kept.id or 0):
            found[check.name] = check
    return list(found.values())


def _marked(check: Check, rules: Rules) -> Check:
    from dataclasses import replace

    return replace(check, required=True) if check.name in rules.contexts else check
