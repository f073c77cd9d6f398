"""The registered projects, and the one a call means."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.projects import locate, table
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call, Caller
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True)
class Project:
    """A registered repository. ``root`` is its main checkout and ``git_dir`` git's shared folder, symlinks
    resolved."""

    id: str
    name: str
    root: Path
    git_dir: Path
    added_at: datetime
    last_used_at: datetime

    @property
    def worktrees(self) -> Path:
        """Where the worktrees of its lanes lie; nothing of ADE's is ever made or removed outside of it."""
        return self.root / ".ade" / "worktrees"

    @property
    def exists(self) -> bool:
        """Whether the checkout is still there and still a repository."""
        return self.root.is_dir() and (self.git_dir / "HEAD").exists()


Answer = Callable[[Project], "Awaitable[Callable[[Connection], None]]"]
"""Makes, of a project that is about to be registered, what is to be written with it."""


class ProjectRegistry:
    """Projects of one ADE_HOME; the database is the only state, so that processes never disagree."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def all(self) -> list[Project]:
        """Every project, the last used first."""
        return [_project(row) for row in await self._services.database.read(table.all_projects)]

    async def resolve(self, caller: Caller) -> Project | None:
        """The project a caller means: the one it named, else the one its working folder lies in, else that of
        its
        ``project_root``. ``None`` when there is nothing to go by.

        A name is an id, a name or a path; raises ``project_not_found`` or ``project_ambiguous`` for one that
        fits none or several. A folder in a lane's worktree belongs to the lane's project.
        """
        projects = await self.all()
        if caller.project is not None:
            return _named(projects, caller.project, caller.cwd)
        found = _around(projects, Path(caller.cwd)) if caller.cwd else None
        if found is None and caller.project_root:
            return _named(projects, caller.project_root, caller.cwd)
        return found

    async def meant(self, call: Call, ref: str | None) -> Project:
        """The project ``ref`` names, else the one the caller is in; raises ``project_required`` without
        either."""
        if ref is not None:
            return _named(await self.all(), ref, call.caller.cwd)
        found = await self.resolve(call.caller)
        if found is None:
            raise errors.ProjectRequired(action=call.action.id)
        return found

    async def register(
        self,
        root: Path,
        git_dir: Path,
        name: str | None,
        answer: Answer | None = None,
    ) -> Project:
        """The project at ``root``, made if it is not known; ``name`` replaces the one it has. For a new one ``answer`` gives
        what else is to be written in the same transaction."""
        now = to_ms(self._services.clock.now())
        row = table.ProjectRow(
            id=new_id("prj"),
            root=str(root),
            git_dir=str(git_dir),
            name=name or root.name or "root",
            added_at=now,
            last_used_at=now,
        )
        also = None if answer is None else await answer(_project(row))

        def put(db: Connection) -> table.ProjectRow:
            found = table.put(db, row, rename=name is not None)
            if also is not None and found.id == row.id:
                also(db)
            return found

        return _project(await self._services.database.write(put))

    async def touch(self, project: Project) -> Project:
        now = to_ms(self._services.clock.now())
        await self._services.database.write(lambda db: table.touch(db, project.id, now))
        return Project(
            project.id, project.name, project.root, project.git_dir, project.added_at, from_ms(now)
        )

    async def lane_counts(self) -> dict[str, int]:
        """How many lanes each project has besides the primary one, by project id."""
        return await self._services.database.read(table.lane_counts)

    async def forget(self, project: Project) -> None:
        """Remove the project and the records of its lanes; files are left alone."""
        await self._services.database.write(lambda db: table.remove(db, project.id))


def _named(projects: list[Project], ref: str, cwd: str | None) -> Project:
    for project in projects:
        if project.id == ref:
            return project
    named = [project for project in projects if project.name == ref]
    if len(named) > 1:
        roots = [str(project.root) for project in named]
        raise errors.ProjectAmbiguous(project=ref, details={"roots": roots})
    if named:
        return named[0]
    try:
        path = Path(cwd or "/") / Path(ref).expanduser()
    except RuntimeError:
        raise errors.ProjectNotFound(project=ref) from None
    found = _around(projects, path) if "\x00" not in ref and ("/" in ref or path.exists()) else None
    if found is None:
        raise errors.ProjectNotFound(project=ref)
    return found


def _around(projects: list[Project], folder: Path) -> Project | None:
    by_git_dir = {project.git_dir: project for project in projects}
    for git_dir in locate.git_dirs_above(folder):
        if git_dir in by_git_dir:
            return by_git_dir[git_dir]
        inside = next((p for p in projects if git_dir.is_relative_to(p.git_dir / "modules")), None)
        if inside is None:
            break
    here = locate.real(folder)
    gone = [p for p in projects if not p.exists and here.is_relative_to(p.root)]
    return max(gone, key=lambda p: len(p.root.parts), default=None)


def _project(row: table.ProjectRow) -> Project:
    return Project(
        id=row.id,
        name=row.name,
        root=Path(row.root),
        git_dir=Path(row.git_dir),
        added_at=from_ms(row.added_at),
        last_used_at=from_ms(row.last_used_at),
    )
