"""Stashes, always told apart by object id: their numbers shift whenever another worktree stashes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from ade_runtime.integrations.git.runner import Argument, Git
from ade_runtime.integrations.git.text import show_text

_SUBJECT = re.compile(r"(WIP on|On) (\(no branch\)|[^:]+): ?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Stash:
    """``branch`` is the one it was made on, ``None`` for a detached HEAD. ``base`` is the commit it was
    made on. ``untracked`` tells that it holds files that were not tracked."""

    index: int
    oid: str
    base: str
    branch: str | None
    message: str
    time: datetime
    untracked: bool


async def list_stashes(git: Git) -> list[Stash]:
    """All stashes of the repository (its worktrees share them), the latest first."""
    known = await git.read("rev-parse", "--verify", "--quiet", "refs/stash", ok=(0, 1))
    if known.code:
        return []
    result = await git.read("stash", "list", "-z", "--format=%H%x00%P%x00%ct%x00%gs")
    fields = result.stdout.split(b"\0")
    return [
        _stash(number, fields[start : start + 4]) for number, start in enumerate(range(0, len(fields) - 3, 4))
    ]


def _stash(number: int, fields: list[bytes]) -> Stash:
    oid, parents, time, subject = (show_text(value) for value in fields)
    match = _SUBJECT.match(subject)
    branch = match.group(2) if match else None
    return Stash(
        index=number,
        oid=oid,
        base=(parents.split() or [""])[0],
        branch=None if branch == "(no branch)" else branch,
        message=match.group(3) if match else subject,
        time=datetime.fromtimestamp(int(time or 0), UTC),
        untracked=len(parents.split()) > 2,
    )


async def find_stash(git: Git, ref: str) -> Stash | None:
    """The stash with this object id or, for up to six digits, this number; ``None`` when there is none."""
    for stash in await list_stashes(git):
        if ref in (stash.oid, str(stash.index)):
            return stash
    return None


async def push_stash(git: Git, message: str, *options: Argument) -> str | None:
    """Stash changes; the object id, ``None`` when there were none."""
    before = await _latest(git)
    await git.run(
        "stash",
        "push",
        "--quiet",
        "--message",
        message,
        *options,
        timeout=300,
        literal=False,
        retry_locked=False,
    )
    after = await _latest(git)
    return after if after != before else None


async def drop_stash(git: Git, stash: Stash) -> None:
    """Take a stash that was just listed out of the list, if its number is still its own."""
    await git.run("stash", "drop", "--quiet", f"stash@{{{stash.index}}}", literal=False)


async def _latest(git: Git) -> str | None:
    result = await git.read("rev-parse", "--verify", "--quiet", "refs/stash", ok=(0, 1))
    return result.text if result.code == 0 else None
