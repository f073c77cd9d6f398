"""What deleting a lane would give up."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.hidden import hidden_changes
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.state import operation
from ade_runtime.integrations.git.status import Status, read_status
from ade_runtime.integrations.git.text import show_path
from ade_runtime.integrations.git.worktrees import list_worktrees
from ade_runtime.lanes.nested import has_own_work, nested
from ade_runtime.lanes.processes import Inhabitant
from ade_runtime.lanes.published import Publication, candidates, look
from ade_runtime.lanes.status import OWN_FOLDERS

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService

Loss = Literal["uncommitted", "untracked", "unpublished", "live_process"]
BranchFate = Literal["kept", "deleted", "none"]


@dataclass(slots=True, kw_only=True)
class Risk:
    """Everything that was found, in full. ``branch`` is the one checked out, or the lane's own when the
    folder is gone; ``head`` its commit. ``submodules`` have work inside that only they hold; ``populated``
    ones only make git refuse a plain removal. ``nested`` folders are repositories of their own, which cannot
    be kept. ``merged`` tells that the parent reaches every commit. ``locked`` is the reason, possibly
    empty."""

    lane: LaneRecord
    present: bool
    branch: str | None = None
    head: str | None = None
    branch_commit: str | None = None
    uncommitted: list[str] = field(default_factory=list)
    untracked: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    publication: Publication = field(default_factory=Publication)
    processes: list[Inhabitant] = field(default_factory=list)
    submodules: list[str] = field(default_factory=list)
    populated: list[str] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    operation: str | None = None
    merged: bool = False
    locked: str | None = None

    @property
    def losses(self) -> list[Loss]:
        """What ``discard`` has to name."""
        found: list[Loss] = []
        if self.uncommitted or self.operation or self.submodules:
            found.append("uncommitted")
        if self.untracked:
            found.append("untracked")
        if self.publication.commits:
            found.append("unpublished")
        if self.processes:
            found.append("live_process")
        return found

    @property
    def fate(self) -> BranchFate:
        """A branch is deleted with its lane only when ADE made it and the parent has all of it."""
        if self.branch is None or self.branch_commit is None:
            return "none"
        own = self.lane.owns_branch and self.branch == self.lane.branch
        return "deleted" if own and self.merged else "kept"

    def words(self) -> str:
        """What was found, as part of a sentence."""
        parts = [
            _count(len(self.uncommitted), "uncommitted file"),
            f"an unfinished {self.operation}" if self.operation else "",
            _count(
                len(self.submodules), "submodule with work of its own", "submodules with work of their own"
            ),
            _count(len(self.untracked), "new file"),
            _count(self.publication.count, "commit found nowhere else", "commits found nowhere else"),
            _count(len(self.processes), "running process", "running processes"),
        ]
        return ", ".join(part for part in parts if part)


async def assess(service: LaneService, lane: LaneRecord, lanes: list[LaneRecord]) -> Risk:
    """Look at a lane's files, commits and processes. Attached lanes are only forgotten, so nothing of theirs
    is at risk."""
    risk = Risk(lane=lane, present=lane.present)
    main = service.main(lane.project)
    risk.branch = lane.live_branch()
    if risk.branch is not None:
        risk.branch_commit = await resolve_ref(main.git, f"refs/heads/{risk.branch}^{{commit}}")
    risk.head = risk.branch_commit
    if lane.kind == "attached":
        return risk
    risk.locked = await _lock_reason(main.git, lane.path)
    risk.processes = await service.programs(lane)
    if risk.present:
        await _look_at_files(risk, Repository(lane.path, lane.project.git_dir))
    elif risk.branch is None and lane.git_dir is not None:
        risk.head = await resolve_ref(main.git, f"worktrees/{lane.git_dir.name}/HEAD^{{commit}}")
    await _look_at_commits(risk, main, service.parent_of(lane, lanes))
    return risk


async def _look_at_files(risk: Risk, repository: Repository) -> None:
    status = await read_status(repository.git, ignored=True, renames=False)
    risk.head = status.head
    risk.operation = operation(repository.git_dir)
    risk.uncommitted = [show_path(e.path) for e in status.entries if e.kind in ("tracked", "unmerged")]
    risk.uncommitted += [show_path(path) for path in await hidden_changes(repository)]
    risk.untracked = [show_path(entry.path) for entry in status.untracked]
    risk.ignored = [
        show_path(entry.path)
        for entry in status.entries
        if entry.kind == "ignored" and entry.path.rstrip(b"/") not in OWN_FOLDERS
    ]
    risk.nested = [show_path(path) for path in await nested(repository.worktree, status)]
    await _look_at_submodules(risk, repository, status)


async def _look_at_submodules(risk: Risk, repository: Repository, status: Status) -> None:
    listed = await repository.git.read("ls-files", "--stage", "-z")
    paths = [show_path(r.split(b"\t", 1)[1]) for r in listed.records() if r.startswith(b"160000 ")]
    risk.populated = [path for path in paths if (repository.worktree / path / ".git").exists()]
    dirty = {show_path(entry.path) for entry in status.entries if entry.submodule not in ("N...", "S...")}
    for path in risk.populated:
        if path in dirty or await has_own_work(repository.worktree / path):
            risk.submodules.append(path)


async def _look_at_commits(risk: Risk, main: Repository, parent: LaneRecord | None) -> None:
    tips = list(dict.fromkeys(tip for tip in (risk.head, risk.branch_commit) if tip is not None))
    parent_branch = parent.live_branch() if parent is not None else None
    upstream = await _upstream(main.git, risk.branch)
    targets = await candidates(main.git, risk.lane, parent_branch, upstream)
    try:
        risk.publication = await look(main, risk.lane, risk.branch, tips, targets)
        risk.merged = bool(tips) and await _merged(main.git, tips, risk.lane, parent_branch)
    except GitError:
        if tips:
            raise


async def _merged(git: Git, tips: list[str], lane: LaneRecord, parent_branch: str | None) -> bool:
    """Whether the parent, or the branch the lane was started from, reaches every commit."""
    for name in dict.fromkeys(n for n in (parent_branch, lane.base_branch) if n):
        for ref in (f"refs/heads/{name}", f"refs/remotes/{name}"):
            if await resolve_ref(git, ref) is None:
                continue
            if (await git.read("rev-list", "--count", "--max-count=1", *tips, "--not", ref)).text == "0":
                return True
    return False


async def _upstream(git: Git, branch: str | None) -> str | None:
    if branch is None:
        return None
    result = await git.read("for-each-ref", "--format=%(upstream:lstrip=2)", f"refs/heads/{branch}")
    return result.text or None


async def _lock_reason(git: Git, path: Path) -> str | None:
    for worktree in await list_worktrees(git):
        if worktree.path == path:
            return worktree.locked
    return None


def _count(number: int, one: str, many: str | None = None) -> str:
    if not number:
        return ""
    return f"{number} {one if number == 1 else many or one + 's'}"
