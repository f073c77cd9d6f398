"""What the groups of proof actions share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.types import ProofAdded
from ade_runtime.deeplinks import DeeplinkProblem, mint, parse
from ade_runtime.proof.records import ProofRecord, Source
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.proof.blobs import Draft
    from ade_runtime.proof.kinds import Kind
    from ade_runtime.proof.service import Also, Proofs
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel

LONGEST_NAME = 255


class Base:
    def __init__(self, services: Services) -> None:
        self._services = services

    @property
    def _proofs(self) -> Proofs:
        return self._services.proofs

    async def _lane(self, call: Call, lane: str | None) -> LaneRecord:
        """The lane that is meant; without one, the caller's own or the project's checkout: nothing in it is changed."""
        return await self._services.lanes.resolve(call, lane, write=False)

    async def _of_lane(self, call: Call, proof: str, lane: str | None) -> ProofRecord:
        """A piece of the project, and of that lane where one is named (a session's own is, always)."""
        record = await self._proofs.find(call.project, proof)
        if lane is not None and record.lane != (await self._lane(call, lane)).id:
            raise errors.ProofNotFound(proof=proof)
        call.subject = record.id
        return record

    def _record(
        self, call: Call, lane: LaneRecord, draft: Draft, kind: Kind, *, name: str, source: Source = "file"
    ) -> ProofRecord:
        size = draft.picture
        return ProofRecord(
            id=new_id("prf"),
            project=call.project.id,
            lane=lane.id,
            session=call.identity.session,
            kind=kind,
            name=_name(name),
            caption=None,
            about=None,
            source=source,
            sha256=draft.sha256,
            size=draft.size,
            width=None if size is None else size.width,
            height=None if size is None else size.height,
            pinned=False,
            created_at=from_ms(self._proofs.now_ms()),
        )

    async def _put_one(self, call: Call, draft: Draft, record: ProofRecord) -> ProofAdded:
        """Put one piece away; a receipt's answer is written with it."""
        call.subject = record.id
        path = str(self._proofs.blobs.path(record.sha256))
        added = ProofAdded(proof=record.told(), path=path, removed=0)
        removed = await self._proofs.put([(draft, record)], answering(call, added))
        return added.model_copy(update={"removed": removed})


def about_link(link: str | None) -> str | None:
    """The canonical spelling of what a piece is about."""
    if link is None:
        return None
    try:
        return mint(parse(link))
    except DeeplinkProblem as problem:
        details = {"part": problem.part, "at": problem.at}
        raise errors.InvalidDeeplink(part=problem.part, problem=problem.problem, details=details) from problem


def answering(call: Call, output: WireModel) -> Also | None:
    """Writes the receipt's answer, where there is a receipt, in the transaction that puts the proof away."""
    receipt = call.receipt
    if receipt is None:
        return None
    return lambda db, removed: receipt.fulfil(db, output.model_copy(update={"removed": removed}))


def _name(path: str) -> str:
    """The file's own name, as text that any surface can show."""
    name = Path(path).name or "proof"
    return name.encode("utf-8", "replace").decode("utf-8", "replace")[:LONGEST_NAME]
