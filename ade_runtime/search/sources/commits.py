"""Commits that branches reach, those of remotes among them.

The cursor holds the branch tips that were taken in, and how far the way to the present ones is: what is new is what the
present tips reach and the old ones do not, and the other way round for what is gone. It is read a few hundred at a time.
"""

from __future__ import annotations

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
class Way:
    """From the tips of a cursor to those of now: commits to add, the newest first, and commits that are gone."""

    start: tuple[str, ...]
    goal: tuple[str, ...]
    add: tuple[str, ...]
    drop: tuple[str, ...]
    whole: bool


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
        state = json.loads(cursor) if cursor else {"tips": [], "goal": None, "done": 0}
        if state["goal"] is None and state["tips"] == [*tips]:
            return None
        way = await self._way(project, git, tuple(state["tips"]), tips)
        done = state["done"] if state["goal"] == _short(tips) else 0
        part = way.add[done : done + COMMITS_AT_ONCE]
        done += len(part)
        documents = await _read(git, part)
        if done < len(way.add):
            following = {"tips": state["tips"], "goal": _short(tips), "done": done}
            return Batch(put=documents, cursor=json.dumps(following), more=True)
        self._ways.pop(project.id, None)
        arrived = {"tips": [*tips], "goal": None, "done": 0}
        return Batch(put=documents, drop=way.drop, cursor=json.dumps(arrived))

    async def _way(self, project: Project, git: Git, start: tuple[str, ...], goal: tuple[str, ...]) -> Way:
        """The way, kept while it is walked. Where old tips are no longer in the repository all is read anew."""
        known = self._ways.get(project.id)
        if known is not None and (known.start, known.goal) == (start, goal):
            return known
        there = await _existing(git, start)
        add = await _reached(git, goal, () if there != start else start)
        drop = await _reached(git, start, goal) if there == start else ()
        way = self._ways[project.id] = Way(start, goal, add, drop, there != start)
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


def _short(tips: Sequence[str]) -> str:
    import hashlib

    return hashlib.sha256(" ".join(tips).encode()).hexdigest()[:16]
