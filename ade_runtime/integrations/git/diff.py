"""What differs between two commits, the index and the working tree: as a list of changes and as a patch.

Flags are spelt out wherever a user's configuration could change git's answer. Paths go in and come out as
bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ade_runtime.integrations.git.repository import Repository

SUBMODULE = "160000"
_NONE = "000000"
_FLAGS = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--no-color-moved",
    "--ignore-submodules=dirty",
    "--submodule=short",
    "--find-renames",
    "-l2000",
    "-O/dev/null",
)
_PATCH_FLAGS = ("--patch", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/")
Status = Literal[
    "added", "modified", "deleted", "renamed", "type_changed", "unmerged", "untracked", "unchanged"
]
_STATUS: dict[str, Status] = {
    "A": "added",
    "C": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "T": "type_changed",
    "U": "unmerged",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file that differs. Modes are ``None`` where there is no file, ``old_blob`` also where it was not
    read; ``additions`` and ``deletions`` where there are no lines to count (binary files, and changes listed
    without counts)."""

    path: bytes
    old_path: bytes | None
    status: Status
    old_mode: str | None
    new_mode: str | None
    old_blob: str | None = None
    additions: int | None = None
    deletions: int | None = None
    binary: bool = False

    @property
    def submodule(self) -> bool:
        return SUBMODULE in (self.old_mode, self.new_mode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two sides: ``revisions`` are object ids for git's command line, ``cached`` takes the index as the new
    side.

    ``worktree`` is true when the working tree is one side; ``env`` then leads to a copy of the index.
    ``untracked`` holds the paths that were put into that copy because git does not track them; ``unmerged``
    those with conflicts.
    """

    revisions: tuple[str, ...]
    cached: bool = False
    worktree: bool = False
    env: Mapping[str, str] | None = None
    untracked: frozenset[bytes] = frozenset()
    unmerged: frozenset[bytes] = frozenset()

    def arguments(self) -> list[str]:
        out = ["--cached"] if self.cached else []
        if self.worktree and not self.revisions and self.unmerged:
            out.append("--ours")
        return [*out, *self.revisions]


@dataclass(frozen=True, slots=True)
class Patch:
    """``data`` ends after a whole line; ``truncated`` when there was more."""

    data: bytes
    truncated: bool


async def list_changes(
    repository: Repository, comparison: Comparison, paths: Sequence[bytes] = (), *, counts: bool = True
) -> list[Change]:
    """The files that differ, by path. Without ``counts`` lines are not counted, which spares reading the
    files."""
    formats = ("--raw", "--numstat") if counts else ("--raw",)
    result = await repository.git.run(
        "diff",
        *_FLAGS,
        *formats,
        "-z",
        "--no-abbrev",
        *comparison.arguments(),
        "--",
        *paths,
        env=comparison.env,
        read_only=True,
        timeout=110,
    )
    changes = parse_changes(result.stdout)
    return [_marked(change, comparison) for change in changes]


async def read_patch(
    repository: Repository,
    comparison: Comparison,
    paths: Sequence[bytes] = (),
    *,
    context: int = 3,
    binary: bool = False,
    limit: int,
    quote_paths: bool = False,
) -> Patch:
    """The patch text, cut after the last whole line within ``limit`` bytes. With ``quote_paths`` names hold
    ASCII only."""
    start = ("-c", "core.quotePath=true", "diff") if quote_paths else ("diff",)
    flags = (*_FLAGS, *_PATCH_FLAGS, f"--unified={context}", *(("--binary",) if binary else ()))
    result = await repository.git.run(
        *start,
        *flags,
        *comparison.arguments(),
        "--",
        *paths,
        env=comparison.env,
        read_only=True,
        timeout=110,
        limit=limit,
        truncate=True,
    )
    data = result.stdout
    if result.truncated:
        data = data[: data.rfind(b"\n") + 1]
    return Patch(data, result.truncated)


def parse_changes(data: bytes) -> list[Change]:
    """Read ``git diff --raw [--numstat] -z --no-abbrev``, one change a path, sorted by path.

    A file in conflict is listed twice by git, as unmerged and as modified; the two become one unmerged
    change.
    """
    fields = iter(data.split(b"\0"))
    changes: dict[bytes, Change] = {}
    for field in fields:
        if not field:
            continue
        if field.startswith(b":"):
            change = _raw(field, fields)
            known = changes.get(change.path)
            changes[change.path] = _together(known, change) if known else change
        else:
            _count(field, fields, changes)
    return sorted(changes.values(), key=lambda change: change.path)


def sections(patch: bytes) -> list[int]:
    """Where each file's part of a patch begins. A line that starts with ``diff --`` is never part of a
    hunk."""
    found = [0] if patch.startswith(b"diff --") else []
    position = patch.find(b"\ndiff --")
    while position >= 0:
        found.append(position + 1)
        position = patch.find(b"\ndiff --", position + 1)
    return found


def _marked(change: Change, comparison: Comparison) -> Change:
    if change.path in comparison.untracked and change.old_path is None:
        return replace(change, status="untracked")
    if change.path in comparison.unmerged:
        return replace(change, status="unmerged")
    return change


def _raw(field: bytes, rest: Iterator[bytes]) -> Change:
    old_mode, new_mode, old_blob, _, status = field[1:].decode("ascii").split(" ")
    first = next(rest)
    renamed = status[0] in "RC"
    second = next(rest) if renamed else None
    return Change(
        path=first if second is None else second,
        old_path=first if status[0] == "R" else None,
        status=_STATUS.get(status[0], "modified"),
        old_mode=None if old_mode == _NONE else old_mode,
        new_mode=None if new_mode == _NONE else new_mode,
        old_blob=old_blob if old_blob.strip("0") else None,
    )


def _together(known: Change, other: Change) -> Change:
    unmerged, real = (known, other) if known.status == "unmerged" else (other, known)
    return replace(real, status=unmerged.status)


def _count(field: bytes, rest: Iterator[bytes], changes: dict[bytes, Change]) -> None:
    added, removed, path = field.split(b"\t", 2)
    if not path:
        next(rest)
        path = next(rest)
    change = changes.get(path)
    if change is None:
        return
    if added == b"-":
        changes[path] = replace(change, binary=True)
    elif not change.binary:
        changes[path] = replace(
            change,
            additions=(change.additions or 0) + int(added),
            deletions=(change.deletions or 0) + int(removed),
        )
