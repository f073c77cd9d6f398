"""How much proof is kept, and what the machine can show of its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated.models import proof as models
from ade_generated.models.types import MachineCapability
from ade_runtime.desktop.capabilities import DETECTORS
from ade_runtime.domains.proof.base import Base
from ade_runtime.pipeline.capabilities import lack_for
from ade_runtime.proof.service import LARGEST
from ade_runtime.proof.store import Limits

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call


class LimitActions(Base):
    async def status(self, call: Call, args: models.ProofStatusInput) -> models.ProofStatusOutput:
        size, contents, pieces, pinned = await self._proofs.used()
        limits = await self._proofs.limits()
        return models.ProofStatusOutput(
            pieces=pieces,
            pinned=pinned,
            contents=contents,
            bytes=size,
            max_bytes=limits.max_bytes,
            max_age_days=limits.max_age_days,
            max_piece_bytes=LARGEST,
            folder=str(self._proofs.blobs.folder),
            capabilities=capabilities_of(call),
        )

    async def sweep(self, call: Call, args: models.ProofSweepInput) -> models.ProofSweepOutput:
        swept = await self._proofs.sweep(preview=args.preview)
        return models.ProofSweepOutput(removed=len(swept.ids), freed=swept.freed, preview=args.preview)

    async def limit(self, call: Call, args: models.ProofLimitInput) -> models.ProofLimitOutput:
        now = await self._proofs.limits()
        wanted = Limits(
            now.max_bytes if args.max_bytes is None else args.max_bytes,
            now.max_age_days if args.max_age_days is None else args.max_age_days,
        )
        await self._proofs.set_limits(wanted)
        return models.ProofLimitOutput(max_bytes=wanted.max_bytes, max_age_days=wanted.max_age_days)


def capabilities_of(call: Call) -> list[MachineCapability]:
    """What computer use needs, as this caller has it."""
    found = []
    for name in DETECTORS:
        lack = lack_for(DETECTORS, name, call.identity, call.caller)
        found.append(
            MachineCapability(
                name=name,
                available=lack is None,
                reason=None if lack is None else lack.reason,
                next=None if lack is None else lack.step,
            )
        )
    return found
