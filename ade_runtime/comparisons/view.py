"""From what a caller asks to compare to the two sides that git compares."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from ade_generated import errors
from ade_generated.models.types import DiffSides
from ade_runtime.comparisons.heads import Head, find_commit, lane_commit, merge_bases, parent_head, ref_head
from ade_runtime.comparisons.paths import confined
from ade_runtime.integrations.git.diff import Comparison
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.scratch import Scratch, scratch
from ade_runtime.integrations.git.working_copy import compare_worktree
from ade_runtime.lanes.failures import translated

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

Compare = Literal["uncommitted", "unstaged", "staged", "parent", "base", "ref"]
WORKING: tuple[Compare, ...] = ("uncommitted", "unstaged", "staged")


class Request(Protocol):
    """The fields that every action of the domain has."""

    @property
    def lane(self) -> str | None: ...
    @property
    def compare(self) -> Compare | None: ...
    @property
    def ref(self) -> str | None: ...
    @property
    def direct(self) -> bool: ...
    @property
    def include_uncommitted(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Two sides of a lane, ready to be read while the context they come from is open."""

    record: LaneRecord
    repository: Repository
    comparison: Comparison
    sides: DiffSides
    paths: list[bytes]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Old:
    """The old side: a commit and how it is called."""

    commit: str
    words: str


@contextlib.asynccontextmanager
async def open_view(
    services: Services, call: Call, request: Request, *, untracked: bool, paths: Sequence[str] | None
) -> AsyncIterator[View]:
    """Resolve lane, sides and paths. Raises what the actions declare."""
    compare = _compare(call, request)
    record = await services.lanes.resolve(call, request.lane, write=False)
    repository = services.lanes.repository(record, call.caller.env)
    wanted = confined(record, repository, paths or ())
    with translated(record.name):
        async with scratch(repository) as place:
            view = _Opening(services, record, repository, place, request, untracked, wanted)
            yield await (view.working(compare) if compare in WORKING else view.since(compare))


class _Opening:
    def __init__(
        self,
        services: Services,
        record: LaneRecord,
        repository: Repository,
        place: Scratch,
        request: Request,
        untracked: bool,
        paths: list[bytes],
    ) -> None:
        self._lanes = services.lanes
        self._record = record
        self._repository = repository
        self._place = place
        self._request = request
        self._untracked = untracked
        self._paths = paths

    async def working(self, compare: Compare) -> View:
        """What is not committed: working tree, index and HEAD against each other."""
        head = await find_commit(self._repository, "HEAD")
        if compare == "staged":
            comparison = Comparison(revisions=(head,) if head else (), cached=True)
            return self._view(
                comparison, self._sides(compare, _head_words(head), "the index", head, None), []
            )
        if compare == "unstaged":
            sides = self._sides(compare, "the index", "the working tree", None, None)
            return await self._worktree((), sides)
        old = head or await self._empty_tree()
        return await self._worktree(
            (old,), self._sides(compare, _head_words(head), "the working tree", head, None)
        )

    async def since(self, compare: Compare) -> View:
        """What the lane added since it left its parent, its base or another commit."""
        head, _ = await lane_commit(self._lanes, self._record)
        old = await self._old_side(compare, head)
        if self._request.include_uncommitted:
            sides = self._sides(compare, old.words, "the working tree", old.commit, None)
            return await self._worktree((old.commit,), sides)
        sides = self._sides(compare, old.words, _commit_words(self._record.name, head), old.commit, head)
        return self._view(Comparison(revisions=(old.commit, head)), sides, [])

    async def _old_side(self, compare: Compare, head: str) -> _Old:
        if compare == "base":
            return await self._base()
        other = await self._other(compare)
        if self._request.direct:
            return _Old(other.commit, _commit_words(other.name, other.commit))
        bases = await merge_bases(self._repository, other.commit, head)
        if not bases:
            raise errors.UnrelatedHistories(one=self._record.name, other=other.name)
        return _Old(bases[0], f"{_commit_words(other.name, bases[0])}, where the lane left it")

    async def _other(self, compare: Compare) -> Head:
        if compare == "parent":
            return await parent_head(self._lanes, self._record)
        assert self._request.ref is not None
        return await ref_head(self._repository, self._request.ref)

    async def _base(self) -> _Old:
        record = self._record
        commit = await find_commit(self._repository, record.base_commit) if record.base_commit else None
        if commit is None:
            raise errors.NoComparison(lane=record.name, missing="commit that it was started from")
        return _Old(commit, f"{_commit_words(record.base or 'the base', commit)}, where the lane was started")

    async def _worktree(self, revisions: tuple[str, ...], sides: DiffSides) -> View:
        comparison, notes = await compare_worktree(
            self._repository, self._place, revisions, untracked=self._untracked, paths=self._paths
        )
        return self._view(comparison, sides, notes)

    def _view(self, comparison: Comparison, sides: DiffSides, notes: list[str]) -> View:
        return View(
            record=self._record,
            repository=self._repository,
            comparison=comparison,
            sides=sides,
            paths=self._paths,
            notes=notes,
        )

    def _sides(
        self, compare: Compare, old: str, new: str, old_commit: str | None, new_commit: str | None
    ) -> DiffSides:
        return DiffSides(
            lane=self._record.name,
            lane_id=self._record.id,
            compare=compare,
            old=old,
            new=new,
            old_commit=old_commit,
            new_commit=new_commit,
        )

    async def _empty_tree(self) -> str:
        return (await self._repository.git.read("hash-object", "-t", "tree", "--stdin", stdin=b"")).text


def _compare(call: Call, request: Request) -> Compare:
    """What to compare with when all fields are taken together; raises ``invalid_arguments`` where they
    disagree."""
    compare: Compare = request.compare or ("uncommitted" if request.ref is None else "ref")
    if compare == "ref" and request.ref is None:
        raise _invalid(call, "ref", "is required with compare ref")
    if compare != "ref" and request.ref is not None:
        raise _invalid(call, "ref", f"cannot be given with compare {compare}")
    if compare in WORKING and request.include_uncommitted:
        raise _invalid(call, "include_uncommitted", f"goes with parent, base or ref; compare is {compare}")
    if request.direct and compare not in ("parent", "ref"):
        raise _invalid(call, "direct", f"goes with parent or ref; compare is {compare}")
    return compare


def _invalid(call: Call, path: str, problem: str) -> errors.InvalidArguments:
    details = {"problems": [{"path": path, "message": problem}]}
    return errors.InvalidArguments(problem=f"{path}: {problem}", action=call.action.id, details=details)


def _head_words(head: str | None) -> str:
    return f"HEAD ({head[:10]})" if head else "nothing, as there is no commit yet"


def _commit_words(name: str, commit: str) -> str:
    return f"{name} ({commit[:10]})"
