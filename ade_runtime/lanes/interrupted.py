"""A merge that was cut short by the end of its process: the parent goes back to where it was.

Git makes a squash in two steps, so a process killed between them leaves its changes staged in the parent. The lane's row says
that a merge is under way; whoever next looks at the lanes, and gets both locks, settles it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.refs import resolve_ref
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.status import read_status
from ade_runtime.lanes.failures import to_the_end

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.integrations.git.runner import Git
    from ade_runtime.lanes.merge import Merged
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.lanes.service import LaneService

Mode = Literal["merge", "squash", "fast_forward"]
MERGING = "merging"
"""The step of a lane that is being merged into its parent."""


@dataclass(frozen=True, slots=True)
class Intention:
    """The parent is clean at the commit ``ours``, the lane at ``theirs``; ``tree`` is what a merge without conflicts makes of
    them."""

    ours: str
    theirs: str
    mode: Mode
    tree: str | None = None
    keep_conflict: bool = False


class MergeLedger:
    """What is written in one transaction with the lane's own row. This one writes nothing."""

    earlier: Mapping[str, Any] = {}
    """The plan of an attempt at the same call whose process was killed."""

    def begun(self, db: Connection, plan: dict[str, Any]) -> None:
        """Part of the transaction that notes the intention."""

    def done(self, db: Connection, merged: Merged) -> None:
        """Part of the transaction that forgets it again."""


async def carried_out(
    service: LaneService,
    lane: LaneRecord,
    parent: LaneRecord,
    intention: Intention,
    ledger: MergeLedger,
    work: Callable[[], Awaitable[Merged]],
) -> Merged:
    """Do ``work``; the lane's row says meanwhile what is under way. Both lanes' locks are held."""
    plan = {"parent": parent.id, **asdict(intention)}
    under_way = await service.store.change(
        lane, also=lambda db: ledger.begun(db, plan), step=MERGING, plan=plan
    )
    try:
        merged = await work()
    except BaseException:
        await to_the_end(service.store.change(under_way, step=None, plan={}))
        raise
    await to_the_end(
        service.store.change(under_way, also=lambda db: ledger.done(db, merged), step=None, plan={})
    )
    return merged


async def was_merged(git: Git, now: str, theirs: str, plan: Mapping[str, Any]) -> bool:
    """Whether the parent, now at the commit ``now``, is what the merge of ``plan`` was to make of it."""
    if plan["theirs"] != theirs or plan["ours"] == now:
        return False
    if plan["mode"] == "fast_forward":
        return now == theirs
    read = await git.read("show", "--no-patch", "--format=%T %P", now)
    tree, *parents = read.text.split()
    if plan["mode"] == "squash":
        return parents == [plan["ours"]] and tree == plan["tree"]
    return parents == [plan["ours"], theirs]


async def settle_merge(service: LaneService, lane: LaneRecord, patience: float) -> bool:
    """Take a merge back that was not finished; whether it is settled. The lane's own lock is held."""
    from ade_runtime.lanes.processes import wait_for_gits
    from ade_runtime.lanes.records import primary_lane

    everyone = [primary_lane(lane.project), *await service.store.all(lane.project)]
    parent = next((one for one in everyone if one.id == lane.plan["parent"]), None)
    if parent is None or not parent.present:
        await _forget(service, lane)
        return True
    async with service.locks.try_lane(parent.id) as free:
        if not free or not await wait_for_gits(parent.path, patience):
            return False
        left = await _taken_back(Repository(parent.path, parent.project.git_dir), lane)
    await _forget(service, lane, left and f"Its merge into {parent.name} was interrupted; {left}")
    return True


async def _forget(service: LaneService, lane: LaneRecord, note: str | None = None) -> None:
    notes = "\n".join(text for text in (lane.note, note) if text) or None
    await service.store.change(lane, step=None, plan={}, note=notes)


async def _taken_back(repository: Repository, lane: LaneRecord) -> str | None:
    """Take the parent back if nothing but the merge happened there; says what is left to the user otherwise."""
    git, plan = repository.git, lane.plan
    if await resolve_ref(git, "HEAD^{commit}") != plan["ours"]:
        return None  # it was finished, or somebody went on
    status = await read_status(git, untracked="no", renames=False)
    merging = (repository.git_dir / "MERGE_HEAD").exists()
    if merging and plan["keep_conflict"] and status.unmerged:
        return None  # as it was asked for
    if not status.clean or merging:
        if status.unmerged or not await _is_staged(repository, plan["tree"]):
            return "what is staged there was left alone"
        try:
            await git.run("reset", "--merge", plan["ours"])
        except GitError:
            return "what is staged there was left alone"
    for name in ("SQUASH_MSG", "MERGE_MSG"):
        (repository.git_dir / name).unlink(missing_ok=True)
    return None


async def _is_staged(repository: Repository, tree: str | None) -> bool:
    """Whether the index is exactly the merge: then nobody staged anything since."""
    if tree is None:
        return False
    same = await repository.git.read("diff-index", "--cached", "--quiet", tree, ok=(0, 1))
    return same.code == 0
