"""Values of the git integration as models of the git domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar, cast

from ade_generated import errors
from ade_generated.models.types import (
    CommitLine,
    GitCommit,
    GitCounts,
    GitFileChange,
    GitFileStatus,
    GitPerson,
    GitRecovery,
    GitStash,
)
from ade_runtime.integrations.git.log import Commit, FileChange, Person
from ade_runtime.integrations.git.snapshot import Kept
from ade_runtime.integrations.git.stash import Stash
from ade_runtime.integrations.git.status import Entry, Status
from ade_runtime.integrations.git.text import show_path

State = Literal[
    "unmodified",
    "modified",
    "added",
    "deleted",
    "renamed",
    "copied",
    "type_changed",
    "unmerged",
    "untracked",
    "ignored",
]
ConflictKind = Literal[
    "both_modified",
    "both_added",
    "both_deleted",
    "added_by_us",
    "added_by_them",
    "deleted_by_us",
    "deleted_by_them",
]
ChangeStatus = Literal["added", "modified", "deleted", "renamed", "copied", "type_changed", "other"]

_STATES: dict[str, State] = {
    ".": "unmodified",
    "M": "modified",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "type_changed",
    "U": "unmerged",
    "?": "untracked",
    "!": "ignored",
}
_CHANGES: dict[str, ChangeStatus] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "type_changed",
}
BODY_LIMIT = 4000
T = TypeVar("T")


def counts(status: Status) -> GitCounts:
    return GitCounts(
        staged=len(status.staged),
        changed=len(status.changed),
        untracked=len(status.untracked),
        conflicted=len(status.unmerged),
    )


def file_status(entry: Entry) -> GitFileStatus:
    unmerged = entry.kind == "unmerged"
    return GitFileStatus(
        path=show_path(entry.path),
        old_path=None if entry.old_path is None else show_path(entry.old_path),
        index="unmerged" if unmerged else _STATES.get(entry.index, "modified"),
        worktree="unmerged" if unmerged else _STATES.get(entry.worktree, "modified"),
        conflict=conflict_kind(entry) if unmerged else None,
        submodule=entry.submodule.startswith("S"),
    )


def conflict_kind(entry: Entry) -> ConflictKind:
    return cast("ConflictKind", entry.conflict or "both_modified")


def person(value: Person) -> GitPerson:
    return GitPerson(name=value.name, email=value.email, time=value.time)


def commit(value: Commit, *, whole: bool = False) -> GitCommit:
    """``whole`` keeps a body of any length; lists cut it."""
    body = value.body
    if not whole and len(body) > BODY_LIMIT:
        body = body[:BODY_LIMIT] + "…"
    return GitCommit(
        commit=value.oid,
        parents=value.parents,
        author=person(value.author),
        committer=person(value.committer),
        subject=value.subject,
        body=body,
        refs=value.refs,
    )


def commit_line(value: Commit) -> CommitLine:
    return CommitLine(
        commit=value.oid, subject=value.subject, author=value.author.name, time=value.committer.time
    )


def change_status(letter: str) -> ChangeStatus:
    return _CHANGES.get(letter, "other")


def file_change(value: FileChange) -> GitFileChange:
    return GitFileChange(
        path=show_path(value.path),
        old_path=None if value.old_path is None else show_path(value.old_path),
        status=change_status(value.letter),
        additions=value.additions,
        deletions=value.deletions,
    )


def stash(value: Stash) -> GitStash:
    return GitStash(
        stash=value.oid,
        number=value.index,
        message=value.message,
        branch=value.branch,
        base=value.base,
        time=value.time,
        untracked=value.untracked,
    )


def recovery(kept: Kept, restore: str) -> GitRecovery:
    return GitRecovery(commit=kept.commit, ref=kept.ref, until=kept.until, restore=restore)


def offset(cursor: str | None, total: int) -> int:
    """Where a page starts. A cursor of a plain list is the number of its first element; raises
    ``invalid_cursor``."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise errors.InvalidCursor(cursor=cursor)
    return min(int(cursor), total)


def page(start: int, limit: int, total: int) -> str | None:
    """Cursor of the page after the one at ``start``."""
    return str(start + limit) if start + limit < total else None


def paged(values: Sequence[T], cursor: str | None, limit: int) -> tuple[Sequence[T], str | None]:
    """One page of ``values`` and the cursor of the next."""
    start = offset(cursor, len(values))
    return values[start : start + limit], page(start, limit, len(values))
