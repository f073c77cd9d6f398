"""How a pull request stands: what is in the way of its merge, and the verdict that follows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated.models.types import PrObstacle, PrThread
from ade_runtime.integrations.github import queries
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pulls.checks import Check, Rules, counts, read_checks
from ade_runtime.pulls.pull import mergeable_word
from ade_runtime.pulls.threads import read_threads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from ade_generated.models.types import PrCheckCounts
    from ade_runtime.pulls.pull import Pull

REVIEWS = {"APPROVED": "approved", "CHANGES_REQUESTED": "changes_requested", "REVIEW_REQUIRED": "required"}
MOST_SHOWN = 100
"""Obstacles of one kind that are told one by one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """``merge_state`` is GitHub's own word. ``reviews`` are the last ones of each reviewer that approve or ask for changes."""

    pull: Pull
    checks: Sequence[Check]
    rules: Rules
    threads: Sequence[PrThread]
    decision: str
    mergeable: str
    merge_state: str
    reviews: Sequence[Mapping[str, Any]]

    @property
    def counts(self) -> PrCheckCounts:
        return counts(self.checks)

    @property
    def unresolved(self) -> list[PrThread]:
        return [thread for thread in self.threads if not thread.resolved]

    @property
    def behind(self) -> bool:
        return self.merge_state == "BEHIND"

    @property
    def approvals(self) -> list[str]:
        return [_by(one) for one in self.reviews if one["state"] == "APPROVED"]

    @property
    def obstacles(self) -> list[PrObstacle]:
        return obstacles(self)

    @property
    def verdict(self) -> str:
        return verdict(self.pull.state, self.obstacles)


async def read_standing(pull: Pull) -> Standing:
    """Everything that decides about a pull request, read at once."""
    repository = pull.place.repository
    asked = {"owner": repository.owner, "name": repository.name, "number": pull.number}
    what = f"read how pull request {pull.number} stands"
    try:
        (checks, rules), threads, data = await asyncio.gather(
            read_checks(pull), read_threads(pull), pull.place.client.query(queries.STANDING, asked, what)
        )
    except Refused as problem:
        raise problem.error from None
    found = data["repository"]["pullRequest"]
    return Standing(
        pull=pull,
        checks=checks,
        rules=rules,
        threads=threads,
        decision=REVIEWS.get(found["reviewDecision"] or "", "none"),
        mergeable=mergeable_word(found["mergeable"]),
        merge_state=found["mergeStateStatus"],
        reviews=found["latestOpinionatedReviews"]["nodes"],
    )


def verdict(state: str, found: Sequence[PrObstacle]) -> str:
    """ready, waiting, blocked, merged or closed."""
    if state != "open":
        return state
    blocking = [one for one in found if one.blocking]
    if any(not one.waits for one in blocking):
        return "blocked"
    return "waiting" if blocking else "ready"


def obstacles(standing: Standing) -> list[PrObstacle]:
    """What is in the way, what blocks before what waits before what only ought to be seen to. Nothing once it is over."""
    if standing.pull.state != "open":
        return []
    found = [
        *_of_itself(standing),
        *_of_checks(standing),
        *_of_reviews(standing),
        *_of_threads(standing),
    ]
    if standing.merge_state == "BLOCKED" and not any(one.blocking for one in found):
        what = "GitHub's rules for the base branch do not let it be merged yet"
        found.append(_obstacle("blocked", what, standing.pull.url, "Look at its page; it names the rule."))
    return sorted(found, key=lambda one: (not one.blocking, one.waits))


def _of_itself(standing: Standing) -> list[PrObstacle]:
    pull, found = standing.pull, []
    number, base = pull.number, pull.base_branch
    if pull.raw.get("draft"):
        found.append(_obstacle("draft", "It is a draft", pull.url, "Mark it as ready on its page."))
    if standing.mergeable == "no":
        what = f"It conflicts with {base}"
        how = f"Rebase the lane onto {base} with `ade git rebase`, resolve, push with --force-with-lease."
        found.append(_obstacle("conflict", what, pull.url, how))
    elif standing.behind:
        what = f"{base} has gone on, and its rules want pull requests up to date"
        found.append(_obstacle("behind", what, pull.url, f"`ade prs update-branch {number}`."))
    elif standing.mergeable == "unknown":
        what = "GitHub is still finding out whether it can be merged"
        found.append(_obstacle("unknown", what, pull.url, "Ask again in a few seconds.", waits=True))
    return found


def _of_checks(standing: Standing) -> list[PrObstacle]:
    found = []
    for check in standing.checks:
        # Where nothing is required, a failure is a reason to stop all the same.
        blocking = check.required or not standing.rules.contexts
        says = f": {check.summary}" if check.summary else ""
        if check.state == "failed":
            how = f"Read its log, mend it and push; `ade prs rerun-failed-checks {standing.pull.number}` if it was chance."
            what = f"{check.name} failed{says}"
            found.append(_obstacle("failed_check", what, check.url, how, blocking=blocking))
        elif check.state == "pending":
            how = f"`ade prs watch {standing.pull.number} --until checks` waits for it."
            what = f"{check.name} has not ended"
            found.append(_obstacle("pending_check", what, check.url, how, blocking=blocking, waits=True))
        elif check.state == "missing":
            what = f"{check.name} is required and has not been reported"
            how = "Wait for it; if it never comes, look whether its workflow runs for this branch."
            found.append(_obstacle("missing_check", what, check.url, how, waits=True))
    return found[:MOST_SHOWN]


def _of_reviews(standing: Standing) -> list[PrObstacle]:
    pull, found = standing.pull, []
    for review in standing.reviews:
        if review["state"] == "CHANGES_REQUESTED":
            how = "Make them or answer, push, and ask for another review with `ade prs request-reviewers`."
            what = f"{_by(review)} asked for changes"
            found.append(_obstacle("changes_requested", what, review["url"], how))
    if standing.decision == "required":
        how = f"`ade prs request-reviewers {pull.number} --reviewers NAME` asks for one."
        found.append(_obstacle("review_required", "It lacks an approving review", pull.url, how))
    return found


def _of_threads(standing: Standing) -> list[PrObstacle]:
    blocking = standing.rules.threads
    found = []
    for thread in standing.unresolved[:MOST_SHOWN]:
        first = thread.comments[0] if thread.comments else None
        said = f"{first.author or 'somebody'}: {_line(first.body)}" if first else "a comment"
        place = thread.path if thread.line is None else f"{thread.path}:{thread.line}"
        how = f"Answer with `ade prs reply-to-review-thread {thread.id} --body TEXT`, then resolve it."
        url = first.url if first else None
        found.append(_obstacle("unresolved_thread", f"{place} — {said}", url, how, blocking=blocking))
    return found


def _obstacle(
    kind: str, what: str, url: str | None, how: str, *, blocking: bool = True, waits: bool = False
) -> PrObstacle:
    document = {"kind": kind, "blocking": blocking, "waits": waits, "what": what, "url": url, "next": how}
    return PrObstacle.model_validate(document)


def _by(review: Mapping[str, Any]) -> str:
    return str((review.get("author") or {}).get("login") or "somebody")


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:199] + "…"
