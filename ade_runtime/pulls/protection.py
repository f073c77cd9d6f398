"""What GitHub's rules for branches refuse, told apart by its own words, and what to do about each.

GitHub gives no code for a rule: the words are those that its interface answers a merge with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.contracts import AdeError
    from ade_runtime.integrations.github.problems import Refused
    from ade_runtime.pulls.pull import Pull

METHODS = {"merge": "allow_merge_commit", "squash": "allow_squash_merge", "rebase": "allow_rebase_merge"}
"""Ways of merging, and the setting of a repository that allows each."""

_METHOD = re.compile(
    r"(?:merge commits|squash merges|rebase merges|merge method .*) (?:are|is) not allowed"
    r"|must not contain merge commits|linear history",
    re.IGNORECASE,
)
_FIXES = (
    (
        r"merge queue",
        "Only GitHub's own merge queue merges into it; put the pull request there on its page at GitHub.",
    ),
    (
        r"approving review|code owner|review (?:is|has been) required|changes (?:were|have been) requested",
        "`ade prs request-reviewers {number} --reviewers NAME` asks for one; an author's own review does not count.",
    ),
    (
        r"status check|required check|required workflow|deployment",
        "`ade prs checks {number} --text` tells which; `ade prs watch {number} --until checks` waits for them.",
    ),
    (
        r"conversation|comments? must be resolved|unresolved",
        "`ade prs review-comments {number} --text` lists the threads; answer, then `ade prs resolve-review-thread THREAD`.",
    ),
    (
        r"out[ -]of[ -]date|not up[ -]to[ -]date|must be up[ -]to[ -]date",
        "`ade prs update-branch {number}` brings it up to date; its checks run again.",
    ),
    (
        r"verified signature|must be signed|commits? (?:must|need).*sign",
        "Sign the commits with a key that GitHub knows, and push them again.",
    ),
    (
        r"not authorized to (?:push|merge)|restrict(?:ed|s|ion)|cannot update this protected ref|cannot (?:push|merge) to this",
        "Only those its rules name may merge into it: ask one of them, or have the account added.",
    ),
    (
        r"rule violation|protected branch|branch protection|is protected|locked|read-only",
        "`ade prs issue-inventory {number} --text` lists what is in the way; its page at GitHub names the rule.",
    ),
)
_TABLE = tuple((re.compile(pattern, re.IGNORECASE), fix) for pattern, fix in _FIXES)


def explained(pull: Pull, method: str, problem: Refused) -> AdeError | None:
    """The error for a merge that rules or settings refuse; ``None`` where it is refused for something else."""
    if problem.status not in (403, 405, 409, 422):
        return None
    if _METHOD.search(problem.reason):
        return _other_method(pull, method, problem)
    for pattern, fix in _TABLE:
        if pattern.search(problem.reason):
            return errors.PrProtected(
                number=pull.number,
                base=pull.base_branch,
                reason=problem.reason,
                fix=fix.format(number=pull.number),
            )
    return None


def allowed_methods(pull: Pull) -> list[str]:
    """Ways of merging that the repository allows, as far as its settings are shown to who asks."""
    about = pull.place.about
    return [name for name, key in METHODS.items() if about.get(key, True)]


def _other_method(pull: Pull, method: str, problem: Refused) -> AdeError:
    others = [name for name in allowed_methods(pull) if name != method]
    return errors.PrMethodNotAllowed(
        method=method,
        base=pull.base_branch,
        reason=problem.reason,
        allowed=" or --method ".join(others) or "that is allowed at GitHub",
    )
