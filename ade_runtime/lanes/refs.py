"""The repository's local branches, and which new names they leave room for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from ade_generated import errors
from ade_runtime.integrations.git.failures import BadName
from ade_runtime.integrations.git.refs import check_branch, clash, resolve_ref
from ade_runtime.integrations.git.runner import Git
from ade_runtime.lanes.naming import PREFIX, name_key, unique


@dataclass(frozen=True, slots=True)
class Branches:
    """Local branches by short name, with their commits."""

    commits: dict[str, str]

    def clash(self, name: str) -> str | None:
        """The branch that ``name`` cannot stand beside, here or on a disk that ignores case; see
        :func:`clash`."""
        return clash(name, self.commits)


async def read_branches(git: Git) -> Branches:
    """All local branches, from one run of git."""
    result = await git.read("for-each-ref", "--format=%(refname)%00%(objectname)", "refs/heads")
    commits: dict[str, str] = {}
    for line in result.stdout.splitlines():
        name, _, commit = line.partition(b"\0")
        commits[os.fsdecode(name).removeprefix("refs/heads/")] = commit.decode()
    return Branches(commits)


def branch_for(slug: str, branches: Branches, planned: Iterable[str]) -> str:
    """A branch for a new lane: ``ade/<slug>``, numbered when that is taken by a branch or by a lane being
    made."""
    keys = {name_key(name) for name in (*branches.commits, *planned)}
    prefix = "ade-" if PREFIX.rstrip("/") in keys else PREFIX
    return prefix + unique(
        slug, {key.removeprefix(prefix).split("/", 1)[0] for key in keys if key.startswith(prefix)}
    )


def checked_branch_name(name: str) -> str:
    """``name`` if it can be a branch's; raises ``invalid_branch_name``."""
    try:
        return check_branch(name)
    except BadName as problem:
        raise errors.InvalidBranchName(name=printable(name), reason=problem.why) from None


def printable(text: str) -> str:
    """``text`` with what cannot be shown written as escapes."""
    return text if text.isprintable() else text.encode("unicode_escape", "backslashreplace").decode("ascii")


async def make_branch(git: Git, name: str, commit: str, message: str) -> None:
    """Create the branch in one step that fails if it exists; ``message`` goes into its reflog."""
    await git.run(
        "update-ref", "--create-reflog", "-m", message, f"refs/heads/{name}", commit, "0" * len(commit)
    )


async def drop_ref(git: Git, ref: str, commit: str) -> None:
    """Delete the ref if it is still at ``commit``; a ref that is gone is what was wanted."""
    if await resolve_ref(git, ref) is not None:
        await git.run("update-ref", "-d", ref, commit)
