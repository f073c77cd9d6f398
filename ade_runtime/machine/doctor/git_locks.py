"""Lock files that a killed git left behind, in the repositories of this ADE_HOME."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path

from ade_runtime.contracts import AdeError
from ade_runtime.lanes.processes import gits_on
from ade_runtime.machine import loop
from ade_runtime.machine.doctor.rows import Place, Row
from ade_runtime.machine.open_files import holders
from ade_runtime.projects.locate import read_line, real
from ade_runtime.projects.registry import Project

NAMES = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock")
FRESH_SECONDS = 2.0
"""A lock is not looked at before: git makes one for a moment whenever it writes."""


def check(place: Place) -> Iterator[Row]:
    if not place.paths.database.exists():
        return
    try:
        projects = loop.run(_projects(place))
    except AdeError:
        return  # the row of the database says why
    for project in projects:
        for lock, worktree in locks_of(project.git_dir, project.root):
            yield from _judged(lock, worktree)


def locks_of(git_dir: Path, root: Path) -> Iterator[tuple[Path, Path]]:
    """Lock files of a repository, each with the checkout that whoever made it works in."""
    folders = [(git_dir, root)]
    if (git_dir / "worktrees").is_dir():
        for entry in sorted((git_dir / "worktrees").iterdir()):
            marker = read_line(entry / "gitdir")
            folders.append((entry, root if marker is None else real((entry / marker).parent)))
    for folder, worktree in folders:
        for name in NAMES:
            if (folder / name).is_file():
                yield folder / name, worktree


def _judged(lock: Path, worktree: Path) -> Iterator[Row]:
    try:
        age = time.time() - lock.stat().st_mtime
    except FileNotFoundError:
        return
    if age < FRESH_SECONDS:
        return
    name = f"{worktree.name}/{lock.name}"
    told = f"{lock} is {round(age)} s old"
    users = _users(lock, worktree)
    if users:
        step = f"Wait until process {users[0]} ends; it is left alone."
        yield Row(name, "ok", f"{told} and in use by process {', '.join(map(str, users))}", step)
        return
    step = f"rm {shlex.quote(str(lock))}, or `ade doctor --fix`"
    yield Row(name, "warn", f"{told} and nobody holds it", step, fix=lambda: _remove(lock, worktree))


def _users(lock: Path, worktree: Path) -> list[int]:
    """Processes that have the lock open, and gits at work there: one that runs a hook has closed the file it still needs."""
    return sorted({*holders(lock), *gits_on(worktree)})


def _remove(lock: Path, worktree: Path) -> None:
    """Remove the lock if that is still right."""
    try:
        same = time.time() - lock.stat().st_mtime >= FRESH_SECONDS
    except FileNotFoundError:
        return
    if same and not _users(lock, worktree):
        lock.unlink(missing_ok=True)


async def _projects(place: Place) -> list[Project]:
    from ade_runtime.services import Services

    services = Services(place.paths)
    try:
        return await services.projects.all()
    finally:
        await services.close()
