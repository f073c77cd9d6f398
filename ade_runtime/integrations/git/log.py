"""Commits and how files changed in them: ``git log -z`` with a format of fixed fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ade_runtime.integrations.git.runner import Argument, Git
from ade_runtime.integrations.git.text import show_text

FIELDS = ("%H", "%P", "%an", "%ae", "%at", "%cn", "%ce", "%ct", "%D", "%B")
FORMAT = "--format=" + "%x00".join(FIELDS)
COUNT_LIMIT = 10_000
"""Commits are counted up to here; beyond, a total would cost more than it tells."""
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    email: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Commit:
    """``refs`` are full names of branches, tags and HEAD that point at it."""

    oid: str
    parents: list[str]
    author: Person
    committer: Person
    refs: list[str]
    message: str

    @property
    def subject(self) -> str:
        """The message's first paragraph in one line."""
        return " ".join(self.message.strip().split("\n\n", 1)[0].split())

    @property
    def body(self) -> str:
        """The message after its first paragraph."""
        _, _, rest = self.message.strip().partition("\n\n")
        return rest.strip()


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file in one commit. ``letter`` is git's (A, M, D, R, C, T); counts are ``None`` for binary
    files."""

    path: bytes
    old_path: bytes | None
    letter: str
    additions: int | None
    deletions: int | None
    old_mode: str
    new_mode: str


async def read_log(git: Git, *revisions: str, count: int, skip: int = 0, options: Sequence[Argument] = (),
                   paths: Sequence[bytes] = ()) -> list[Commit]:  # fmt: skip
    """Commits reachable from ``revisions`` (object ids, ``^`` before one to leave out), newest first."""
    arguments: list[Argument] = ["log", "-z", FORMAT, "--decorate=full", "--encoding=UTF-8", "--no-color"]
    arguments += ["--no-patch", f"--max-count={count}", f"--skip={skip}", *options, *revisions, "--", *paths]
    result = await git.read(*arguments)
    return list(parse_log(result.stdout))


async def count_commits(git: Git, *revisions: str, options: Sequence[Argument] = (),
                        paths: Sequence[bytes] = ()) -> int | None:  # fmt: skip
    """How many commits :func:`read_log` would find in all, ``None`` when there are more than
    :data:`COUNT_LIMIT`."""
    result = await git.read(
        "rev-list", "--count", f"--max-count={COUNT_LIMIT + 1}", *options, *revisions, "--", *paths
    )
    count = int(result.text)
    return count if count <= COUNT_LIMIT else None


async def read_commit(git: Git, oid: str) -> Commit:
    """The commit with the full id ``oid``."""
    return (await read_log(git, oid, count=1, options=["--no-walk"]))[0]


def parse_log(data: bytes) -> Iterator[Commit]:
    tokens = data.split(b"\0")
    size = len(FIELDS)
    for start in range(0, len(tokens) - size + 1, size):
        yield make_commit(tokens[start : start + size])


def make_commit(fields: Sequence[bytes]) -> Commit:
    """A commit from the values of :data:`FIELDS`."""
    oid, parents, *people, refs, message = (show_text(value) for value in fields)
    return Commit(
        oid=oid.strip(),
        parents=parents.split(),
        author=Person(people[0], people[1], _time(people[2])),
        committer=Person(people[3], people[4], _time(people[5])),
        refs=_refs(refs),
        message=message,
    )


async def changed_files(
    git: Git, oid: str, *, parent: str | None, paths: Sequence[bytes] = (), limit: int = 32 * 1024 * 1024
) -> list[FileChange]:
    """Files that differ between ``parent`` (nothing for a first commit) and ``oid``, renames found."""
    sides = ["--root", oid] if parent is None else [parent, oid]
    result = await git.read(
        "diff-tree", "-r", "-z", "--raw", "--numstat", "--find-renames", "--no-commit-id", *sides,
        "--", *paths, limit=limit,
    )  # fmt: skip
    changes, _ = parse_changes(result.stdout.split(b"\0"), 0)
    return changes


async def read_file_history(
    git: Git, start: str, path: bytes, *, count: int, skip: int, follow: bool
) -> list[tuple[Commit, FileChange | None]]:
    """Commits that changed ``path``, newest first, each with how. With ``follow`` renames are followed
    backwards."""
    # Git follows no rename in a commit that it skips, so with follow those are read and left out here.
    left_out, skip = (skip, 0) if follow else (0, skip)
    arguments: list[Argument] = ["log", "-z", FORMAT, "--decorate=full", "--encoding=UTF-8", "--no-color"]
    arguments += ["--raw", "--numstat", f"--max-count={left_out + count}", f"--skip={skip}"]
    arguments += ["--follow" if follow else "--no-renames", "--diff-merges=first-parent", start, "--", path]
    tokens = (await git.read(*arguments)).stdout.split(b"\0")
    out: list[tuple[Commit, FileChange | None]] = []
    position = 0
    while position + len(FIELDS) <= len(tokens) and tokens[position]:
        commit = make_commit(tokens[position : position + len(FIELDS)])
        changes, position = parse_changes(tokens, position + len(FIELDS))
        out.append((commit, changes[0] if changes else None))
    return out[left_out:]


def parse_changes(tokens: Sequence[bytes], position: int) -> tuple[list[FileChange], int]:
    """Read the ``--raw --numstat -z`` block that starts at ``position``; also returns where the next one
    begins."""
    raws: list[tuple[str, bytes, bytes | None, str, str]] = []
    counts: dict[bytes, tuple[int | None, int | None]] = {}
    while position < len(tokens):
        token = tokens[position].lstrip(b"\n")
        if token.startswith(b":"):
            old_mode, new_mode, _, _, letter = token[1:].decode("ascii").split(" ")
            two = letter[0] in "RC"
            path = tokens[position + (2 if two else 1)]
            raws.append((letter[0], path, tokens[position + 1] if two else None, old_mode, new_mode))
            position += 3 if two else 2
        elif token.count(b"\t") >= 2 and _is_numstat(token):
            added, deleted, name = token.split(b"\t", 2)
            if not name:
                name = tokens[position + 2]
                position += 2
            counts[name] = (_count(added), _count(deleted))
            position += 1
        else:
            position += 0 if token else 1
            break
    return [FileChange(path, old, letter, *counts.get(path, (None, None)), old_mode, new_mode)
            for letter, path, old, old_mode, new_mode in raws], position  # fmt: skip


def _is_numstat(token: bytes) -> bool:
    added, deleted, _ = token.split(b"\t", 2)
    return all(value == b"-" or value.isdigit() for value in (added, deleted))


def _count(value: bytes) -> int | None:
    return int(value) if value.isdigit() else None


def _refs(text: str) -> list[str]:
    out = []
    for part in text.split(", "):
        name = part.removeprefix("HEAD -> ").removeprefix("tag: ").strip()
        if part.startswith("HEAD -> "):
            out.append("HEAD")
        if name:
            out.append(name)
    return out


def _time(text: str) -> datetime:
    """A commit's time in UTC; the epoch where a damaged commit has none, its bounds where it is out of
    range."""
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        return _FIRST
