"""The state of a worktree's files: ``git status --porcelain=v2 -z``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ade_runtime.integrations.git.runner import MEBIBYTE, Git
from ade_runtime.integrations.git.text import show_text

STATUS_LIMIT = 64 * MEBIBYTE

Kind = Literal["tracked", "unmerged", "untracked", "ignored"]
CONFLICTS = {
    "DD": "both_deleted",
    "AU": "added_by_us",
    "UD": "deleted_by_them",
    "UA": "added_by_them",
    "DU": "deleted_by_us",
    "AA": "both_added",
    "UU": "both_modified",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One path that differs. ``index`` and ``worktree`` are git's letters (``.`` for unchanged); for an
    unmerged path the two say how it conflicts and ``stages`` are the blobs of base, ours and theirs
    (``None`` where there is none). ``blob`` is what the index holds. ``submodule`` is git's four letters,
    ``N...`` for a file."""

    path: bytes
    kind: Kind
    index: str = "."
    worktree: str = "."
    old_path: bytes | None = None
    submodule: str = "N..."
    blob: str | None = None
    stages: tuple[str | None, str | None, str | None] = (None, None, None)

    @property
    def staged(self) -> bool:
        return self.kind == "tracked" and self.index != "."

    @property
    def changed(self) -> bool:
        return self.kind == "tracked" and self.worktree != "."

    @property
    def conflict(self) -> str | None:
        return CONFLICTS.get(self.index + self.worktree) if self.kind == "unmerged" else None


@dataclass(slots=True)
class Status:
    """``head`` is ``None`` before the first commit, ``branch`` when HEAD is detached; ``ahead`` and
    ``behind`` when there is no upstream or it is gone."""

    head: str | None = None
    branch: str | None = None
    upstream: str | None = None
    ahead: int | None = None
    behind: int | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def staged(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.staged]

    @property
    def changed(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.changed]

    @property
    def untracked(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == "untracked"]

    @property
    def unmerged(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.kind == "unmerged"]

    @property
    def clean(self) -> bool:
        return not any(entry.kind != "ignored" for entry in self.entries)


async def read_status(
    git: Git,
    *,
    untracked: Literal["no", "normal", "all"] = "normal",
    ignored: bool = False,
    renames: bool = True,
    paths: list[bytes] | None = None,
) -> Status:
    """Status of the whole worktree, or of ``paths`` (already confined). Nothing is written, the index not
    even refreshed."""
    arguments: list[str | bytes] = [
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        f"--untracked-files={untracked}",
    ]
    arguments.append("--ignored=traditional" if ignored else "--ignored=no")
    arguments.append("--find-renames" if renames else "--no-renames")
    if paths is not None:
        arguments += ["--", *paths]
    result = await git.read(*arguments, limit=STATUS_LIMIT)
    return parse_status(result.stdout)


def parse_status(data: bytes) -> Status:
    status = Status()
    records = iter(data.split(b"\0"))
    for record in records:
        mark = record[:2]
        if mark == b"# ":
            _header(status, show_text(record[2:]))
        elif mark == b"1 ":
            status.entries.append(_ordinary(record))
        elif mark == b"2 ":
            status.entries.append(_renamed(record, next(records, b"")))
        elif mark == b"u ":
            status.entries.append(_unmerged(record))
        elif mark == b"? ":
            status.entries.append(Entry(record[2:], "untracked", "?", "?"))
        elif mark == b"! ":
            status.entries.append(Entry(record[2:], "ignored", "!", "!"))
    return status


def _header(status: Status, line: str) -> None:
    key, _, value = line.partition(" ")
    if key == "branch.oid":
        status.head = None if value == "(initial)" else value
    elif key == "branch.head":
        status.branch = None if value == "(detached)" else value
    elif key == "branch.upstream":
        status.upstream = value
    elif key == "branch.ab":
        ahead, behind = value.split()
        status.ahead, status.behind = int(ahead), -int(behind)


def _ordinary(record: bytes) -> Entry:
    _, xy, submodule, _, _, _, _, blob, path = record.split(b" ", 8)
    letters = xy.decode("ascii")
    return Entry(
        path,
        "tracked",
        letters[0],
        letters[1],
        submodule=submodule.decode("ascii"),
        blob=blob.decode("ascii"),
    )


def _renamed(record: bytes, old_path: bytes) -> Entry:
    _, xy, submodule, _, _, _, _, blob, _, path = record.split(b" ", 9)
    letters = xy.decode("ascii")
    return Entry(
        path, "tracked", letters[0], letters[1], old_path, submodule.decode("ascii"), blob.decode("ascii")
    )


def _unmerged(record: bytes) -> Entry:
    fields = record.split(b" ", 10)
    letters = fields[1].decode("ascii")
    base, ours, theirs = (None if not oid.strip(b"0") else oid.decode("ascii") for oid in fields[7:10])
    return Entry(
        fields[10],
        "unmerged",
        letters[0],
        letters[1],
        submodule=fields[2].decode("ascii"),
        stages=(base, ours, theirs),
    )
