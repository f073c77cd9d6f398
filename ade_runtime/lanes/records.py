"""What ADE knows about a lane, and how it is kept in a row."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from ade_runtime.lanes.naming import PRIMARY
from ade_runtime.projects.locate import git_dir_of, read_line
from ade_runtime.projects.registry import Project

LaneKind = Literal["primary", "worktree", "attached"]
LaneState = Literal["creating", "active", "archived", "deleting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneRecord:
    """A lane as it is recorded; what git has made of it since is read when needed.

    ``branch`` is the short name of the branch it was given; see :meth:`live_branch`. ``base`` is what the
    caller named, ``base_branch`` the branch behind it (short, ``origin/x`` for a remote one) where there is
    one. ``owns_branch`` is true when ADE made the branch. ``step`` and ``plan`` belong to a creation,
    deletion, merge or repair that is under way. ``parent_id`` is ``None`` for lanes that stand on the primary one.
    """

    id: str
    project: Project
    name: str
    kind: LaneKind
    state: LaneState
    path: Path
    git_dir: Path | None
    branch: str | None
    created_at: datetime
    description: str | None = None
    step: str | None = None
    owns_branch: bool = False
    parent_id: str | None = None
    base: str | None = None
    base_branch: str | None = None
    base_commit: str | None = None
    note: str | None = None
    plan: dict[str, Any] = field(default_factory=dict)
    archived_at: datetime | None = None

    @property
    def is_primary(self) -> bool:
        return self.kind == "primary"

    @property
    def present(self) -> bool:
        """Whether its folder is there and still a checkout of the project's repository."""
        if self.git_dir is not None and read_line(f"{self.path}/.git") == f"gitdir: {self.git_dir}":
            return os.path.exists(f"{self.git_dir}/HEAD")  # noqa: PTH110 - asked for every lane of a list
        found = git_dir_of(self.path / ".git")
        return found is not None and (self.git_dir is None or found == self.git_dir)

    @property
    def lost(self) -> tuple[str, Path]:
        """What a lane that is not :attr:`present` has lost, as the end of a sentence, and where that was."""
        if not self.path.is_dir():
            return "its folder", self.path
        if not (self.path / ".git").exists():
            return "its .git file", self.path / ".git"
        return "its connection to the project", self.path / ".git"

    def live_branch(self) -> str | None:
        """The branch checked out now, read from HEAD; ``None`` when it is detached, the recorded one when
        unknown."""
        head = read_line(f"{self.git_dir}/HEAD") if self.git_dir else None
        if head is None:
            return self.branch
        if head.startswith("ref: refs/heads/"):
            return head.removeprefix("ref: refs/heads/")
        return None

    def row(self) -> dict[str, Any]:
        """Column values for the lanes table, without its key."""
        from ade_runtime.lanes.naming import name_key
        from ade_runtime.storage.times import to_ms

        return {
            "project_id": self.project.id,
            "name": self.name,
            "name_key": name_key(self.name),
            "description": self.description,
            "kind": self.kind,
            "state": self.state,
            "step": self.step,
            "path": str(self.path),
            "git_dir": str(self.git_dir) if self.git_dir else None,
            "branch": self.branch,
            "owns_branch": int(self.owns_branch),
            "parent_id": self.parent_id,
            "base": self.base,
            "base_branch": self.base_branch,
            "base_commit": self.base_commit,
            "note": self.note,
            "plan": json.dumps(self.plan, ensure_ascii=False) if self.plan else None,
            "created_at": to_ms(self.created_at),
            "archived_at": to_ms(self.archived_at) if self.archived_at else None,
        }


def from_row(project: Project, row: Any) -> LaneRecord:
    """The record of a row mapping of the lanes table."""
    from ade_runtime.storage.times import from_ms

    return LaneRecord(
        id=row["id"],
        project=project,
        name=row["name"],
        kind=row["kind"],
        state=row["state"],
        path=Path(row["path"]),
        git_dir=Path(row["git_dir"]) if row["git_dir"] else None,
        branch=row["branch"],
        created_at=from_ms(row["created_at"]),
        description=row["description"],
        step=row["step"],
        owns_branch=bool(row["owns_branch"]),
        parent_id=row["parent_id"],
        base=row["base"],
        base_branch=row["base_branch"],
        base_commit=row["base_commit"],
        note=row["note"],
        plan=json.loads(row["plan"]) if row["plan"] else {},
        archived_at=from_ms(row["archived_at"]) if row["archived_at"] is not None else None,
    )


def primary_id(project: Project) -> str:
    """Id of a project's primary lane: it has no row, so its id is made from the project's."""
    return "lane_" + project.id.removeprefix("prj_")


def primary_lane(project: Project) -> LaneRecord:
    """The project's own checkout as a lane."""
    return LaneRecord(
        id=primary_id(project),
        project=project,
        name=PRIMARY,
        kind="primary",
        state="active",
        path=project.root,
        git_dir=project.git_dir,
        branch=None,
        created_at=project.added_at,
    )
