"""What is about to be discarded, kept as a commit under ``refs/ade/trash/`` for 30 days.

Made by plumbing on a copy of the index: no hook runs, and neither HEAD, the index nor a file changes.
Ignored files are left out unless they are named. The commit's first parent is HEAD; a second one holds the index where that
differs from both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ade_runtime.integrations.git.hidden import reveal
from ade_runtime.integrations.git.refs import head
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.scratch import copy_index_file
from ade_runtime.machine.temporary import temporary_folder

KEEP = timedelta(days=30)
TIMEOUT = 300.0
TRASH = "refs/ade/trash/"
_STAMP = "%Y%m%dT%H%M%S"

_IDENTITY = {
    "GIT_AUTHOR_NAME": "ADE",
    "GIT_AUTHOR_EMAIL": "ade@localhost",
    "GIT_COMMITTER_NAME": "ADE",
    "GIT_COMMITTER_EMAIL": "ade@localhost",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """``commit`` is kept alive by ``ref`` until ``until``."""

    ref: str
    commit: str
    until: datetime


async def snapshot(
    repository: Repository, message: str, *, untracked: bool = True, ignored: Sequence[bytes] = ()
) -> str:
    """A commit of the worktree as it is, files that are not tracked included unless told otherwise, and of the
    ignored files those named. It is not yet referred to by anything: give it to :func:`keep`."""
    git = repository.git
    parent = await head(git)
    with temporary_folder("index") as folder:
        index = folder / "index"
        await asyncio.to_thread(copy_index_file, repository.git_dir / "index", index)
        env = {"GIT_INDEX_FILE": str(index), **_IDENTITY}
        parents = [] if parent is None else [parent]
        staged = await _staged(git, env, parents)
        await reveal(repository, env)
        await _add(git, env, untracked=untracked, ignored=ignored)
        tree = (await git.run("write-tree", env=env, plumbing=True)).text
        if staged is not None:
            parents.append(staged)
        return await _commit(git, env, tree, parents, message)


async def keep(git: Git, commit: str, label: str, now: datetime) -> Kept:
    """Keep ``commit`` for :data:`KEEP` from ``now`` on, under a ref whose name carries the time and
    ``label`` (letters, digits, dashes)."""
    ref = f"{TRASH}{now.astimezone(UTC).strftime(_STAMP)}-{label}-{commit[:12]}"
    await git.run("update-ref", ref, commit, plumbing=True)
    return Kept(ref, commit, now + KEEP)


async def prune(git: Git, now: datetime) -> list[str]:
    """Let go of what :func:`keep` kept for longer than :data:`KEEP`; returns the refs. Refs of other shapes
    are left alone."""
    result = await git.read("for-each-ref", "--format=%(refname)", TRASH)
    expired = [ref for ref in result.lines if (made := made_at(ref)) is not None and made + KEEP < now]
    if expired:
        lines = "".join(f"delete {ref}\n" for ref in expired)
        await git.run("update-ref", "--stdin", stdin=lines.encode(), plumbing=True)
    return expired


def made_at(ref: str) -> datetime | None:
    """When a ref of :func:`keep` was made, ``None`` for any other."""
    stamp = ref.removeprefix(TRASH).split("-", 1)[0]
    try:
        return datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


async def _add(git: Git, env: dict[str, str], *, untracked: bool, ignored: Sequence[bytes]) -> None:
    """Add what changed to the copied index. Repositories inside the worktree are left out: their files are theirs."""
    await git.run("add", "--update", "--", ".", env=env, timeout=TIMEOUT, plumbing=True)
    files = [path for path in ignored if not path.endswith(b"/")]
    if untracked:
        listed = await git.read("ls-files", "-z", "--others", "--exclude-standard", timeout=TIMEOUT)
        files += [path for path in listed.records() if not path.endswith(b"/")]
    if files:
        await git.run(
            "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=b"\0".join(files), env=env,
            timeout=TIMEOUT, plumbing=True,
        )  # fmt: skip


async def _staged(git: Git, env: dict[str, str], parents: list[str]) -> str | None:
    """The index as a commit, ``None`` when it is that of HEAD or holds conflicts."""
    written = await git.run("write-tree", env=env, check=False, plumbing=True)
    if written.code:
        return None
    tree = written.text
    if parents and (await git.read("rev-parse", parents[0] + "^{tree}")).text == tree:
        return None
    return await _commit(git, env, tree, parents, "What was staged")


async def _commit(git: Git, env: dict[str, str], tree: str, parents: list[str], message: str) -> str:
    arguments = [part for parent in parents for part in ("-p", parent)]
    return (
        await git.run("commit-tree", "--no-gpg-sign", *arguments, tree, stdin=message.encode(), env=env)
    ).text
