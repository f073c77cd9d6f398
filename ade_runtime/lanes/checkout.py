"""The git side of making and unmaking a lane's worktree, step by step, so that each step can be finished or
undone.

The worktree is checked out under a temporary name, detached, and only then moved to its place and put on its
branch: a folder at the final path is always whole. The post-checkout hook runs last, once, where the files
will stay; run any earlier it would see a path that is about to change
(docs/decisions/0008-lanes-are-made-beside-their-place.md).
"""

from __future__ import annotations

import asyncio
import contextlib
import glob
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.lanes.refs import make_branch
from ade_runtime.lanes.worktrees import registered_git_dir
from ade_runtime.machine.locks import Locks
from ade_runtime.projects.locate import read_line
from ade_runtime.projects.registry import Project

CHECKOUT_TIMEOUT = 1800.0
HOOK_TIMEOUT = 1800.0

FaultPoint = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a new worktree is to become. With ``make_branch`` the branch is made at ``commit``; otherwise it
    exists."""

    lane_id: str
    lane_name: str
    path: Path
    branch: str | None
    commit: str
    make_branch: bool


class Checkout:
    """Makes one worktree of ``project`` as ``plan`` says. ``at_step`` is called after each step with its
    name; ``env`` is the caller's, for filters and hooks."""

    def __init__(
        self,
        project: Project,
        plan: Plan,
        locks: Locks,
        at_step: FaultPoint,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._env = {**os.environ, **(env or {})}
        self._project = project
        self._plan = plan
        self._locks = locks
        self._at_step = at_step
        self._main = Repository(project.root, project.git_dir, env=self._env)

    async def make(self) -> Path:
        """Check out, move into place, put on the branch; gives git's own folder of the worktree."""
        temporary = temporary_path(self._project, self._plan.lane_id, self._plan.path.name)
        await self._add(temporary)
        self._at_step("added")
        repository = self._repository(temporary)
        await repository.git.run(
            "reset", "--hard", "--no-recurse-submodules", "--quiet", timeout=CHECKOUT_TIMEOUT
        )
        git_dir = repository.git_dir
        await _settle_index(git_dir / "index")
        self._at_step("checked_out")
        await self._move(temporary)
        self._at_step("moved")
        await self._attach()
        self._at_step("attached")
        return git_dir

    async def run_hook(self) -> str | None:
        """Run the user's post-checkout hook as ``git worktree add`` does; a failure is told, as git tells
        it."""
        commit = self._plan.commit
        result = await self._repository(self._plan.path).git.run(
            *("hook", "run", "--ignore-missing", "post-checkout", "--", "0" * len(commit), commit, "1"),
            check=False,
            timeout=HOOK_TIMEOUT,
        )
        if result.code == 0:
            return None
        lines = result.stderr.decode("utf-8", "replace").strip().splitlines()
        why = f": {lines[-1][:200]}" if lines else ""
        return f"The repository's post-checkout hook ended with {result.code}{why}"

    async def _add(self, temporary: Path) -> None:
        make_lane_folder(temporary.parent, self._project)
        async with self._locks.project(self._project.id):
            await self._main.git.run(
                *("worktree", "add", "--quiet", "--no-checkout", "--detach", temporary, self._plan.commit)
            )

    async def _move(self, temporary: Path) -> None:
        make_lane_folder(self._plan.path.parent, self._project)
        async with self._locks.project(self._project.id):
            await self._main.git.run("worktree", "move", temporary, self._plan.path)
        _drop_empty_parents(temporary)

    async def _attach(self) -> None:
        plan = self._plan
        if plan.branch is None:
            return
        message = f"lane: {plan.lane_name} ({plan.lane_id})"
        async with self._locks.project(self._project.id):
            if plan.make_branch:
                await make_branch(self._main.git, plan.branch, plan.commit, message)
                self._at_step("branched")
            await self._repository(self._plan.path).git.run(
                "symbolic-ref", "-m", message, "HEAD", f"refs/heads/{plan.branch}"
            )

    def _repository(self, worktree: Path) -> Repository:
        return Repository(worktree, self._project.git_dir, env=self._env)


async def restore_files(repository: Repository, snapshot: str) -> None:
    """Put uncommitted work back as :func:`..git.snapshot.snapshot` kept it: files from its tree, the index
    from its second parent, or from its first where nothing was staged."""
    git = repository.git
    await git.run("read-tree", "--reset", "-u", snapshot + "^{tree}", timeout=CHECKOUT_TIMEOUT)
    staged = await resolve_ref(git, snapshot + "^2^{tree}")
    await git.run("read-tree", "--reset", staged or snapshot + "^1^{tree}")
    await git.run("update-index", "-q", "--refresh", ok=(0, 1), timeout=CHECKOUT_TIMEOUT)


def temporary_path(project: Project, lane_id: str, folder: str) -> Path:
    """Where a lane is checked out first. The path holds the lane's id, so that what is found there is known
    to be its; the last part is that of the final path, after which git names its own folder for the
    worktree."""
    return project.root / ".ade" / "creating" / lane_id / folder


def make_lane_folder(folder: Path, project: Project) -> None:
    """Make ``folder`` below the project's ``.ade``; refuses one that a symlink leads out of the project."""
    folder.mkdir(parents=True, exist_ok=True)
    if Path(os.path.realpath(folder)) != folder or not folder.is_relative_to(project.root):
        raise GitError(command="worktree", stderr=f"{folder} is reached through a symlink")


async def discard_worktree(project: Project, path: Path) -> None:
    """Remove the worktree at ``path`` that ADE was in the middle of making, as far as it got. Nothing else is
    touched.

    Only what git has registered at that path below the project's ``.ade`` is removed.
    """
    if not path.is_relative_to(project.root / ".ade"):
        return
    if registered_git_dir(project.git_dir, path) is not None:
        await _remove_registered(Repository(project.root, project.git_dir).git, path)
    else:
        _drop_empty(path)
        drop_unfinished(project.git_dir, path.name)
    if path.parent.parent.name == "creating":
        _drop_empty_parents(path)


def _drop_empty_parents(temporary: Path) -> None:
    """Remove the lane's own folder in ``creating``, and that one if no other lane is being made."""
    for folder in (temporary.parent, temporary.parent.parent):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _drop_empty(path: Path) -> None:
    """Remove a folder in which git was stopped before it registered it: at most the ``.git`` file is in
    there."""
    with contextlib.suppress(OSError):
        (path / ".git").unlink(missing_ok=True)
        path.rmdir()


async def _remove_registered(git: Git, path: Path) -> None:
    """Twice forced, since git locks a worktree while it makes it; one without a whole ``.git`` is emptied
    first."""
    command = ("worktree", "remove", "--force", "--force", path)
    result = await git.run(*command, check=False, timeout=CHECKOUT_TIMEOUT)
    if result.code != 0:
        await asyncio.to_thread(shutil.rmtree, path, ignore_errors=True)
        await git.run(*command, timeout=CHECKOUT_TIMEOUT)


def drop_unfinished(shared: Path, folder: str) -> None:
    """Remove what ``git worktree add`` made for a worktree called ``folder`` when it was stopped before it
    wrote down where that is: a folder without ``gitdir`` that git itself marked as being initialised. Call
    with the project's lock held, under which nobody else of ADE's makes one."""
    for git_dir in (shared / "worktrees").glob(f"{glob.escape(folder)}*"):
        if git_dir.name.removeprefix(folder).strip("0123456789") or (git_dir / "gitdir").exists():
            continue
        if read_line(git_dir / "locked") != "initializing":
            continue
        for name in ("locked", "commondir", "HEAD"):
            (git_dir / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            git_dir.rmdir()


async def _settle_index(index: Path) -> None:
    """Let the index be younger than the files it describes, as they are all in place: otherwise git compares
    every file's content until the next change, as it might have been edited within the same clock tick."""
    for _ in range(20):
        if _is_younger(index):
            return
        await asyncio.sleep(0.001)


def _is_younger(index: Path) -> bool:
    """Touch the index; whether its time moved on (or cannot be moved)."""
    try:
        before = index.stat().st_mtime_ns
        os.utime(index)
        return index.stat().st_mtime_ns > before
    except OSError:
        return True
