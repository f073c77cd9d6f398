"""Commits that branches reach, those of remotes among them.

The cursor holds the branch tips that were taken in, those of ways that were begun and not finished, and how far the present
way is. What is new is what the present tips reach and those taken in do not; what is gone is what only the others reach. It is
read a few hundred at a time.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.search.documents import Batch, Document

if TYPE_CHECKING:
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

log = logging.getLogger("ade.search")
COMMITS_AT_ONCE = 500
MOST_COMMITS = 500_000
MOST_TIPS = 5000
_FORMAT = "%H%x1f%ct%x1f%aN <%aE>%x1f%s%x1f%b"
_BODY = 4000
_TITLE = 300


@dataclass(frozen=True, slots=True)
class State:
    """What a cursor says. ``begun`` are the tips of every way since ``tips``; ``goal`` tells which the present one leads to,
    and ``done`` how many of its commits are in."""

    tips: tuple[str, ...] = ()
    begun: tuple[str, ...] = ()
    goal: str = ""
    done: int = 0

    @classmethod
    def of(cls, cursor: str | None) -> State:
        if cursor is None:
            return cls()
        tips, begun, goal, done = json.loads(cursor)
        return cls(tuple(tips), tuple(begun), goal, done)

    def cursor(self) -> str:
        return json.dumps([self.tips, self.begun, self.goal, self.done])


@dataclass(frozen=True, slots=True)
class Way:
    """From a state to the tips of now: commits to add, the newest first, and those that are gone. Where git no longer has what
    was taken in, everything is added, and ``keep`` says that all else goes."""

    start: tuple[str, ...]
    begun: tuple[str, ...]
    goal: str
    add: tuple[str, ...]
    drop: tuple[str, ...]
    keep: bool


class Commits:
    kind = "commit"

    def __init__(self, services: Services) -> None:
        self._services = services
        self._ways: dict[str, Way] = {}

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        try:
            git = self._services.lanes.main(project).git
            return await self._changes(project, git, cursor)
        except (GitError, errors.ProjectMissing) as problem:
            log.warning("the commits of %s cannot be read now: %s", project.name, problem)
            return None

    async def _changes(self, project: Project, git: Git, cursor: str | None) -> Batch | None:
        tips = await _tips(git)
        state, goal = State.of(cursor), _digest(tips)
        if state.tips == tips and not state.begun:
            return None
        begun = tuple(sorted({*state.begun, *tips}))
        way = await self._way(project, git, State(state.tips, begun, goal), tips)
        done = state.done if state.goal == goal else 0
        part = way.add[done : done + COMMITS_AT_ONCE]
        done += len(part)
        documents = await _read(git, part)
        if done < len(way.add):
            following = State(state.tips, begun, goal, done)
            return Batch(put=documents, cursor=following.cursor(), more=True)
        self._ways.pop(project.id, None)
        keep = way.add if way.keep else None
        return Batch(put=documents, drop=way.drop, keep=keep, cursor=State(tips).cursor())

    async def _way(self, project: Project, git: Git, state: State, tips: tuple[str, ...]) -> Way:
        """The way, kept while it is walked."""
        known = self._ways.get(project.id)
        if known is not None and (known.start, known.begun, known.goal) == (
            state.tips,
            state.begun,
            state.goal,
        ):
            return known
        before = tuple(sorted({*state.tips, *state.begun} - {*tips}))
        lost = await _existing(git, before) != before
        add = await _reached(git, tips, () if lost else state.tips)
        drop = () if lost else await _reached(git, before, tips)
        way = Way(state.tips, state.begun, state.goal, add, drop, lost)
        self._ways[project.id] = way
        return way


async def own_commits(git: Git, tip: str, *, without: Sequence[str], most: int) -> list[str]:
    """Hashes of the commits that ``tip`` reaches and ``without`` do not, the newest first."""
    revisions = [tip, *(f"^{other}" for other in without)]
    return list(await _list(git, revisions, most))


async def _tips(git: Git) -> tuple[str, ...]:
    """Hashes of all branch tips, each once, in order."""
    result = await git.read(
        "for-each-ref",
        f"--count={MOST_TIPS}",
        "--sort=-committerdate",
        "--format=%(objectname)",
        "refs/heads",
        "refs/remotes",
    )
    return tuple(sorted(set(result.lines)))


async def _existing(git: Git, hashes: tuple[str, ...]) -> tuple[str, ...]:
    if not hashes:
        return ()
    result = await git.read(
        "cat-file", "--batch-check=%(objectname) %(objecttype)", stdin="\n".join(hashes).encode() + b"\n"
    )
    found = {line.split()[0] for line in result.lines if line.endswith(" commit")}
    return tuple(one for one in hashes if one in found)


async def _reached(git: Git, tips: Sequence[str], without: Sequence[str]) -> tuple[str, ...]:
    return await _list(git, [*tips, *(f"^{other}" for other in without)], MOST_COMMITS) if tips else ()


async def _list(git: Git, revisions: Sequence[str], most: int) -> tuple[str, ...]:
    result = await git.read(
        "rev-list", f"--max-count={most}", "--stdin", stdin="\n".join(revisions).encode() + b"\n"
    )
    return tuple(result.lines)


async def _read(git: Git, hashes: Sequence[str]) -> list[Document]:
    if not hashes:
        return []
    result = await git.read(
        "log",
        "--no-walk=unsorted",
        "--no-color",
        "-z",
        f"--format={_FORMAT}",
        "--stdin",
        stdin="\n".join(hashes).encode() + b"\n",
        truncate=True,
    )
    return [_document(record.decode("utf-8", "replace")) for record in result.records()]


def _document(record: str) -> Document:
    commit, at, author, subject, body = record.split("\x1f", 4)
    return Document(
        kind="commit",
        id=commit.strip(),
        title=subject[:_TITLE],
        body=body[:_BODY].strip(),
        names=commit.strip(),
        lane=None,
        author=author,
        at=int(at) * 1000,
        reader="git.show",
    )


def _digest(tips: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(tips).encode()).hexdigest()[:16]
