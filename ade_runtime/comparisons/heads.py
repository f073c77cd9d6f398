"""The commits that lanes stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch
from ade_runtime.integrations.git.working_copy import snapshot
from ade_runtime.lanes.base import resolve_base
from ade_runtime.lanes.failures import translated
from ade_runtime.lanes.refs import read_branches

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService
    from ade_runtime.projects.registry import Project


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A side of a merge. ``lane`` or ``ref`` says where it comes from, ``notes`` what it lacks;
    ``uncommitted`` tells that the commit is a passing one that holds uncommitted work on top of ``tip``."""

    name: str
    commit: str
    tip: str
    lane: LaneRecord | None = None
    ref: str | None = None
    uncommitted: bool = False
    notes: tuple[str, ...] = ()


async def ref_head(main: Repository, text: str) -> Head:
    """The commit a caller names; raises ``invalid_base`` or ``base_not_found``."""
    with translated():
        base = await resolve_base(main.git, await read_branches(main.git), text)
    return Head(name=base.shown, commit=base.commit, tip=base.commit, ref=base.shown)


async def lane_head(
    lanes: LaneService, record: LaneRecord, place: Scratch | None = None, env: Mapping[str, str] | None = None
) -> Head:
    """A lane's latest commit, with ``place`` and where there is any also its uncommitted work.

    A lane whose folder is gone still has its branch; only its uncommitted work cannot be looked at
    (``lane_missing``).
    """
    commit, branch = await lane_commit(lanes, record)
    if place is None:
        return Head(name=record.name, commit=commit, tip=commit, lane=record, ref=branch)
    repository = lanes.repository(record, env)
    with translated(record.name):
        taken = await snapshot(repository, place, commit)
        trees = await repository.git.run(
            *("rev-parse", f"{commit}^{{tree}}", f"{taken.commit}^{{tree}}"), env=place.env, read_only=True
        )
    dirty = len(set(trees.lines)) > 1
    return Head(
        name=record.name,
        commit=taken.commit if dirty else commit,
        tip=commit,
        lane=record,
        ref=branch,
        uncommitted=dirty,
        notes=tuple(f"{record.name}: {note}" for note in taken.notes),
    )


async def lane_commit(lanes: LaneService, record: LaneRecord) -> tuple[str, str | None]:
    """A lane's latest commit and its branch; raises ``repository_has_no_commits``."""
    branch = record.live_branch()
    if record.present:
        repository, revision = lanes.repository(record), "HEAD"
    elif branch is not None:
        repository, revision = lanes.main(record.project), f"refs/heads/{branch}"
    else:
        what, where = record.lost
        raise errors.LaneMissing(lane=record.name, what=what, path=str(where))
    commit = await find_commit(repository, revision)
    if commit is None:
        if record.present:
            raise errors.RepositoryHasNoCommits(project=record.project.name, path=str(record.path))
        what, where = record.lost
        raise errors.LaneMissing(lane=record.name, what=what, path=str(where))
    return commit, branch


async def find_commit(repository: Repository, revision: str) -> str | None:
    """The commit of HEAD, a full ref or an object id; ``None`` when there is none."""
    with translated():
        found = await repository.git.read(
            "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", check=False
        )
    return found.text or None if found.code == 0 else None


async def merge_bases(main: Repository, one: str, other: str, place: Scratch | None = None) -> list[str]:
    """The latest common commits of two commits: several after criss-cross merges, none for unrelated
    histories."""
    with translated():
        found = await main.git.run(
            *("merge-base", "--all", one, other), ok=(0, 1), env=place.env if place else None, read_only=True
        )
    return found.lines


async def parent_head(lanes: LaneService, record: LaneRecord, place: Scratch | None = None) -> Head:
    """The head of the lane that ``record`` is merged into; raises ``no_comparison`` for the primary lane."""
    parent = lanes.parent_of(record, await lanes.all(record.project))
    if parent is None:
        raise errors.NoComparison(lane=record.name, missing="parent")
    return await lane_head(lanes, parent, place)


async def active_lanes(lanes: LaneService, project: Project) -> list[LaneRecord]:
    """Lanes in which work goes on: all but the primary one and those put away."""
    return [record for record in await lanes.all(project, archived=False) if not record.is_primary]
