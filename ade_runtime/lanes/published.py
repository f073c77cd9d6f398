"""Whether a lane's commits live on somewhere when the lane is gone.

They do when another branch, a tag or a remote branch reaches them; or when a branch holds their content, as
after a squash merge or a rebase on the server, which leaves other commits with the same changes. Nothing is
fetched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.log import Commit, count_commits, read_log
from ade_runtime.integrations.git.merge_tree import merge_commits
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.scratch import scratch
from ade_runtime.lanes.base import remote_default

if TYPE_CHECKING:
    from ade_runtime.integrations.git.repository import Repository
    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.lanes.records import LaneRecord

SHOWN = 100
_LOOK_BACK = 500
"""Commits of a target that are compared with the squashed lane."""


@dataclass(frozen=True, slots=True)
class Publication:
    """``commits`` (at most 100, newest first) and their ``count`` are found nowhere else; ``holder`` is the
    branch that holds the lane's work when there are none."""

    commits: list[Commit] = field(default_factory=list)
    count: int = 0
    holder: str | None = None


async def look(
    repository: Repository, lane: LaneRecord, own_branch: str | None, tips: list[str], targets: list[str]
) -> Publication:
    """Where the commits ``tips`` are, besides ``own_branch``. ``targets`` are full refs in which to look for
    their content, the likeliest first."""
    git = repository.git
    if not tips:
        return Publication()
    elsewhere = ["--not"]
    if own_branch is not None:
        elsewhere.append(f"--exclude={own_branch}")
    elsewhere += ["--branches", "--remotes", "--tags"]
    commits = await read_log(git, *tips, *elsewhere, count=SHOWN)
    if not commits:
        return Publication(holder=await _reaching(git, tips, targets))
    count = await count_commits(git, *tips, *elsewhere)
    holder = await _holder_of_content(repository, tips, targets)
    if holder is not None:
        return Publication(holder=holder)
    return Publication(commits, count if count is not None else len(commits))


async def candidates(
    git: Git, lane: LaneRecord, parent_branch: str | None, upstream: str | None
) -> list[str]:
    """Full refs in which a lane's work may have landed, without repeats."""
    default = remote_default(lane.project)
    names = [f"refs/heads/{parent_branch}"] if parent_branch else []
    names += [f"refs/remotes/origin/{parent_branch}"] if parent_branch else []
    if lane.base_branch:
        names += [f"refs/heads/{lane.base_branch}", f"refs/remotes/{lane.base_branch}"]
        names += [f"refs/remotes/origin/{lane.base_branch}"]
    if default:
        names += [f"refs/remotes/origin/{default}", f"refs/heads/{default}"]
    if upstream:
        names.append(f"refs/remotes/{upstream}")
    return list(dict.fromkeys(names))


async def _reaching(git: Git, tips: list[str], targets: list[str]) -> str | None:
    for ref in targets:
        if await resolve_ref(git, ref) is None:
            continue
        result = await git.read("rev-list", "--count", "--max-count=1", *tips, "--not", ref, check=False)
        if result.code == 0 and result.text == "0":
            return _short(ref)
    return None


async def _holder_of_content(repository: Repository, tips: list[str], targets: list[str]) -> str | None:
    for ref in targets:
        commit = await resolve_ref(repository.git, ref + "^{commit}")
        if commit is None:
            continue
        try:
            held = [await _holds(repository, commit, tip) for tip in tips]
        except GitError:
            continue
        if all(held):
            return _short(ref)
    return None


async def _holds(repository: Repository, target: str, tip: str) -> bool:
    """Whether ``target`` holds every change of ``tip``: merging would change nothing, or one of its commits
    makes the same change as all of the tip's commits together."""
    git = repository.git
    fork = (await git.read("merge-base", target, tip, ok=(0, 1))).text
    if not fork or fork == target or await _same_tree(git, fork, tip):
        return False
    async with scratch(repository) as place:
        merged = await merge_commits(repository, target, tip, place.env)
    if merged.clean and merged.tree == await resolve_ref(git, target + "^{tree}"):
        return True
    return await _squashed(git, fork, target, tip)


async def _same_tree(git: Git, one: str, other: str) -> bool:
    return await resolve_ref(git, one + "^{tree}") == await resolve_ref(git, other + "^{tree}")


async def _squashed(git: Git, fork: str, target: str, tip: str) -> bool:
    """Binary files have no patch to compare, so changes that touch one are left to the exact test."""
    numbers = await git.read("diff", "--numstat", fork, tip)
    if any(line.startswith("-\t-\t") for line in numbers.lines):
        return False
    whole = await git.read("diff", "--no-color", "--full-index", fork, tip)
    wanted = await _patch_ids(git, whole.stdout)
    history = await git.read(
        *("log", "--no-color", "--full-index", "--first-parent", "--no-merges", "-p", "--format=commit %H"),
        *(f"--max-count={_LOOK_BACK}", f"{fork}..{target}"),
    )
    return bool(wanted) and wanted <= await _patch_ids(git, history.stdout)


async def _patch_ids(git: Git, patch: bytes) -> set[str]:
    result = await git.read("patch-id", "--verbatim", stdin=patch)
    return {line.split()[0] for line in result.lines if line.strip()}


def _short(ref: str) -> str:
    return ref.split("/", 2)[2]
