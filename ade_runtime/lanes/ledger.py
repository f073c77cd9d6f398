"""Writing down a lane's coming and going in one transaction with the call that asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Connection, delete

from ade_runtime.lanes.store import Also, nothing_more
from ade_runtime.storage.schema import deleted_lanes
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.wire import WireModel


Shown = TypeVar("Shown", bound="WireModel")


class Ledger:
    """What is written beside the lane's own row. This one writes nothing."""

    def begun(self, db: Connection, lane: LaneRecord) -> None:
        """Part of the transaction that notes the intention."""

    async def done(self, lane: LaneRecord) -> Also:
        """Part of the transaction that makes ``lane`` as it then is; what raises here takes everything back."""
        return nothing_more


class CallLedger(Ledger, Generic[Shown]):
    """Claims the lane for a call, and gives the call its answer: what ``show`` makes of the lane."""

    def __init__(self, call: Call, show: Callable[[LaneRecord], Awaitable[Shown]]) -> None:
        self._call = call
        self._show = show
        self._output: Shown | None = None

    def answer(self) -> Shown:
        """What the call answers, once the lane is made."""
        assert self._output is not None
        return self._output

    def begun(self, db: Connection, lane: LaneRecord) -> None:
        self._call.claim(db, {"lane": lane.id})

    async def done(self, lane: LaneRecord) -> Also:
        self._call.subject = lane.id
        output = self._output = await self._show(lane)
        return lambda db: self._call.seal(db, output)


def completion(lane: LaneRecord) -> dict[str, Any]:
    """What else changes in the row of a lane that is whole now: one that came back from the trash is as old as it was."""
    final = lane.plan.get("final")
    if final is None:
        return {}
    return {
        "created_at": from_ms(final["created_at"]),
        "base_commit": final["base_commit"],
        "owns_branch": final["owns_branch"],
    }


def out_of_trash(lane: LaneRecord) -> Also:
    """Take what the lane came back from out of the trash. Its refs run out by themselves, in case it is wanted once more."""
    trash = lane.plan.get("trash")
    if trash is None or lane.state != "creating":
        return nothing_more
    return lambda db: remove_from_trash(db, trash)


def remove_from_trash(db: Connection, trash: str) -> None:
    db.execute(delete(deleted_lanes).where(deleted_lanes.c.id == trash))


def together(*parts: Also) -> Also:
    """Several parts of one transaction, in order."""

    def all_of_them(db: Connection) -> None:
        for part in parts:
            part(db)

    return all_of_them
