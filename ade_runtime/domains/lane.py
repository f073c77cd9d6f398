"""Lanes: each method finds the lane, has the work done in :mod:`ade_runtime.lanes`, and shows the outcome."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import lane as models
from ade_generated.models.types import Lane, LaneRisk
from ade_runtime.lanes.delete import Deletion, DeletionLedger, delete_lane, earlier_deletion
from ade_runtime.lanes.failures import translated as _git
from ade_runtime.lanes.interrupted import MergeLedger
from ade_runtime.lanes.naming import PRIMARY
from ade_runtime.lanes.records import LaneRecord, primary_lane
from ade_runtime.lanes.view import (
    deleted_document,
    deletion_document,
    lane_document,
    merge_document,
    risk_document,
    stack_document,
)
from ade_runtime.paging import cut

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.ledger import CallLedger
    from ade_runtime.lanes.merge import Merged
    from ade_runtime.lanes.status import LaneStatus
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class LaneHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._lanes = services.lanes

    async def list(self, call: Call, args: models.LaneListInput) -> models.LaneListOutput:
        if args.deleted:
            return await self._list_deleted(call, args)
        lanes = await self._lanes.all(call.project)
        shown = [lane for lane in lanes if args.archived or lane.state != "archived"]
        page, rest = cut(shown, args.cursor, args.limit, key=lambda lane: lane.id)
        statuses: dict[str, LaneStatus] = {}
        if args.include_status:
            from ade_runtime.lanes.status import read_statuses

            with _git():
                statuses = await read_statuses(call.project, lanes, page)
        by_id = {lane.id: lane for lane in lanes}
        items = [
            lane_document(
                lane,
                None if lane.is_primary else by_id.get(lane.parent_id or "", lanes[0]),
                statuses.get(lane.id),
            )
            for lane in page
        ]
        document = {"items": items, "total": len(shown), "next": rest}
        return models.LaneListOutput.model_validate(document)

    async def show(self, call: Call, args: models.LaneShowInput) -> Lane:
        return await self._show(call, await self._lanes.resolve(call, args.lane, write=False))

    async def create(self, call: Call, args: models.LaneCreateInput) -> Lane:
        from ade_runtime.lanes.create import NewLane, checked_lane_name

        name = checked_lane_name(args.name)
        with _git(name):
            if (earlier := await self._earlier(call)) is not None:
                return earlier
            parent = await self._lanes.find(call.project, args.parent) if args.parent else None
            base = await self._base(call, parent, args.base)
            new = NewLane(name=name, base=base, description=args.description, parent_id=_parent_id(parent))
            return await self._make(call, new)

    async def create_child(self, call: Call, args: models.LaneCreateChildInput) -> Lane:
        from ade_runtime.lanes.create import NewLane, checked_lane_name

        name = checked_lane_name(args.name)
        with _git(name):
            if (earlier := await self._earlier(call)) is not None:
                return earlier
            parent = await self._lanes.resolve(call, args.lane, write=True)
            base = await self._base(call, parent, None)
            new = NewLane(name=name, base=base, description=args.description, parent_id=_parent_id(parent))
            return await self._make(call, new)

    async def import_branch(self, call: Call, args: models.LaneImportBranchInput) -> Lane:
        from ade_runtime.lanes.attach import branch_to_import, track

        with _git(args.name or args.branch):
            if (earlier := await self._earlier(call)) is not None:
                return earlier
            parent = await self._lanes.find(call.project, args.parent or PRIMARY)
            new, upstream = await branch_to_import(
                self._lanes,
                call.project,
                args.branch,
                name=args.name,
                description=args.description,
                parent=parent,
            )
            return await self._make(
                call, new, first=None if upstream is None else lambda lane: track(self._lanes, lane, upstream)
            )

    async def attach(self, call: Call, args: models.LaneAttachInput) -> Lane:
        from ade_runtime.lanes.attach import attach

        with _git(args.name or args.path):
            parent = await self._lanes.find(call.project, args.parent or PRIMARY)
            path = Path(call.caller.cwd or call.project.root) / args.path
            lane = await attach(
                self._lanes, call.project, path, name=args.name, description=args.description, parent=parent
            )
            return await self._show(call, lane)

    async def list_unregistered(
        self, call: Call, args: models.LaneListUnregisteredInput
    ) -> models.LaneListUnregisteredOutput:
        from ade_runtime.lanes.attach import unregistered

        with _git():
            found = await unregistered(self._lanes, call.project)
        items = [
            {
                "path": str(worktree.path),
                "branch": worktree.branch,
                "head": worktree.head,
                "exists": (worktree.path / ".git").exists(),
                "locked": worktree.locked,
            }
            for worktree in found[: args.limit]
        ]
        document = {"items": items, "total": len(found), "next": None}
        return models.LaneListUnregisteredOutput.model_validate(document)

    async def rename(self, call: Call, args: models.LaneRenameInput) -> Lane:
        from ade_runtime.lanes.create import checked_lane_name

        name = checked_lane_name(args.name)
        async with self._lanes.held(await self._own_lane(call, args.lane, "renamed")) as lane:
            lane = await self._lanes.store.change(lane, name=name)
        return await self._show(call, lane)

    async def archive(self, call: Call, args: models.LaneArchiveInput) -> Lane:
        async with self._lanes.held(await self._own_lane(call, args.lane, "archived")) as lane:
            if lane.state != "archived":
                now = self._lanes.now()
                lane = await self._lanes.store.change(lane, state="archived", archived_at=now)
        return await self._show(call, lane)

    async def unarchive(self, call: Call, args: models.LaneUnarchiveInput) -> Lane:
        async with self._lanes.held(await self._own_lane(call, args.lane, "unarchived")) as lane:
            if lane.state == "archived":
                lane = await self._lanes.store.change(lane, state="active", archived_at=None)
        return await self._show(call, lane)

    async def delete(self, call: Call, args: models.LaneDeleteInput) -> models.LaneDeleteOutput:
        if call.earlier:
            with _git(args.lane):
                done = await earlier_deletion(self._lanes, call.project, call.earlier)
            if done is not None:
                call.subject = done.deleted.lane.id
                return deletion_output(done)
        lane = await self._lanes.resolve(call, args.lane, write=True)
        with _git(lane.name):
            done = await delete_lane(
                self._lanes,
                lane,
                args.discard or [],
                delete_branch=args.delete_branch,
                ledger=_Deletion(call),
            )
        return deletion_output(done)

    async def delete_risk(self, call: Call, args: models.LaneDeleteRiskInput) -> LaneRisk:
        from ade_runtime.lanes.risk import assess

        lane = await self._own_lane(call, args.lane, "deleted")
        with _git(lane.name):
            risk = await assess(self._lanes, lane, await self._lanes.all(call.project))
        return LaneRisk.model_validate(risk_document(risk))

    async def undelete(self, call: Call, args: models.LaneUndeleteInput) -> Lane:
        from ade_runtime.lanes.undelete import undelete

        with _git(args.lane):
            if (earlier := await self._earlier(call)) is not None:
                return earlier
            ledger = self._ledger(call)
            await undelete(
                *(self._lanes, call.project, args.lane, args.name, call.progress),
                env=call.caller.env,
                ledger=ledger,
            )
            return ledger.answer()

    async def repair(self, call: Call, args: models.LaneRepairInput) -> Lane:
        from ade_runtime.lanes.repair import repair

        lane = await self._lanes.resolve(call, args.lane, write=True)
        with _git(lane.name):
            return await self._show(call, await repair(self._lanes, lane, call.caller.env))

    async def merge(self, call: Call, args: models.LaneMergeInput) -> models.LaneMergeOutput:
        from ade_runtime.lanes.merge import merge_lane

        lane = await self._lanes.resolve(call, args.lane, write=True)
        with _git(lane.name):
            done = await merge_lane(
                self._lanes,
                lane,
                mode=args.mode,
                message=args.message,
                keep_conflict=args.keep_conflict,
                env=call.caller.env,
                ledger=_Merge(call, lane),
            )
        return merge_output(lane, done)

    async def reparent(self, call: Call, args: models.LaneReparentInput) -> Lane:
        from ade_runtime.lanes.stack import check_no_cycle

        lane = await self._own_lane(call, args.lane, "put on top of another lane")
        parent = await self._lanes.find(call.project, args.parent)
        async with self._services.locks.project(call.project.id):
            lanes = [primary_lane(call.project), *await self._lanes.store.all(call.project)]
            check_no_cycle(lanes, lane, parent)
            lane = await self._lanes.store.change(lane, parent_id=_parent_id(parent), base_branch=None)
        return await self._show(call, lane)

    async def stack(self, call: Call, args: models.LaneStackInput) -> models.LaneStackOutput:
        from ade_runtime.lanes.stack import stack_of
        from ade_runtime.lanes.status import read_distances

        root = await self._lanes.find(call.project, args.lane or PRIMARY)
        lanes = await self._lanes.all(call.project)
        entries = stack_of(lanes, root)
        with _git():
            distances = await read_distances(call.project, lanes, [entry.lane for entry in entries])
        items = [
            stack_document(entry, self._lanes.parent_of(entry.lane, lanes), distances.get(entry.lane.id))
            for entry in entries
        ]
        document = {"items": items, "total": len(items), "next": None}
        return models.LaneStackOutput.model_validate(document)

    async def switch_branch(self, call: Call, args: models.LaneSwitchBranchInput) -> Lane:
        from ade_runtime.lanes.switch import switch_branch

        lane = await self._lanes.resolve(call, args.lane, write=True)
        with _git(lane.name):
            lane = await switch_branch(
                self._lanes, lane, args.branch, create=args.create, env=call.caller.env
            )
            return await self._show(call, lane)

    async def _list_deleted(self, call: Call, args: models.LaneListInput) -> models.LaneListOutput:
        from ade_runtime.lanes.trash import in_trash

        found = await in_trash(self._services.database, call.project, self._lanes.now())
        page, rest = cut(found, args.cursor, args.limit, key=lambda deleted: deleted.id)
        document = {"items": [deleted_document(one) for one in page], "total": len(found), "next": rest}
        return models.LaneListOutput.model_validate(document)

    async def _base(self, call: Call, parent: LaneRecord | None, base: str | None) -> Any:
        from ade_runtime.lanes.base import default_base, parent_base, resolve_base
        from ade_runtime.lanes.refs import read_branches

        git = self._lanes.main(call.project).git
        branches = await read_branches(git)
        if base is not None:
            return await resolve_base(git, branches, base)
        if parent is not None:
            return await parent_base(self._lanes.repository(parent).git, parent)
        return await default_base(git, call.project, branches)

    async def _make(self, call: Call, new: Any, first: Any = None) -> Lane:
        """Make a lane, have ``first`` done to it, and show it."""
        from ade_runtime.lanes.create import make_lane

        ledger = self._ledger(call, first)
        await make_lane(self._lanes, call.project, new, call.progress, env=call.caller.env, ledger=ledger)
        return ledger.answer()

    def _ledger(self, call: Call, first: Any = None) -> CallLedger[Lane]:
        from ade_runtime.lanes.ledger import CallLedger

        async def show(lane: LaneRecord) -> Lane:
            if first is not None:
                await first(lane)
            return await self._show(call, lane)

        return CallLedger(call, show)

    async def _earlier(self, call: Call) -> Lane | None:
        """The lane that an attempt at this call made before its process was killed, where it got that far."""
        made = call.earlier.get("lane")
        found = [lane for lane in await self._lanes.all(call.project) if lane.id == made] if made else []
        if not found:
            return None
        call.subject = found[0].id
        return await self._show(call, found[0])

    async def _own_lane(self, call: Call, ref: str, operation: str) -> LaneRecord:
        """The lane named, which must not be the primary one."""
        lane = await self._lanes.resolve(call, ref, write=True)
        if lane.is_primary:
            raise errors.PrimaryLaneProtected(operation=operation)
        return lane

    async def _show(self, call: Call, lane: LaneRecord) -> Lane:
        from ade_runtime.lanes.status import read_one

        lanes = [one for one in await self._lanes.all(call.project) if one.id != lane.id]
        lanes.insert(
            0 if lane.is_primary else len(lanes), lane
        )  # as it is about to be, where it is being made
        with _git(lane.name):
            status = await read_one(call.project, lanes, lane)
        return Lane.model_validate(lane_document(lane, self._lanes.parent_of(lane, lanes), status))


class _Deletion(DeletionLedger):
    """Has a deletion and the answer of its call written at once."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def begun(self, db: Connection, claim: dict[str, Any]) -> None:
        self._call.claim(db, claim)

    def done(self, db: Connection, deletion: Deletion) -> None:
        self._call.seal(db, deletion_output(deletion))


class _Merge(MergeLedger):
    """Has the end of a merge and the answer of its call written at once."""

    def __init__(self, call: Call, lane: LaneRecord) -> None:
        self._call = call
        self._lane = lane
        self.earlier = call.earlier

    def begun(self, db: Connection, plan: dict[str, Any]) -> None:
        self._call.claim(db, plan)

    def done(self, db: Connection, merged: Merged) -> None:
        self._call.seal(db, merge_output(self._lane, merged))


def merge_output(lane: LaneRecord, done: Merged) -> models.LaneMergeOutput:
    return models.LaneMergeOutput.model_validate(merge_document(lane, done))


def deletion_output(done: Deletion) -> models.LaneDeleteOutput:
    return models.LaneDeleteOutput.model_validate(deletion_document(done))


def _parent_id(parent: LaneRecord | None) -> str | None:
    """The parent as it is recorded: lanes on the primary one name none."""
    return None if parent is None or parent.is_primary else parent.id
