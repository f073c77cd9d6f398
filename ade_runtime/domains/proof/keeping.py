"""Putting proof away, changing what is said of it, and letting go of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ade_generated.models import proof as models
from ade_generated.models.types import Proof, ProofAdded, ProofFailure
from ade_runtime.contracts import AdeError
from ade_runtime.domains.proof.base import Base, about_link, answering
from ade_runtime.machine.temporary import temporary_folder

if TYPE_CHECKING:
    from pathlib import Path

    from ade_runtime.pipeline.call import Call
    from ade_runtime.proof.blobs import Draft
    from ade_runtime.proof.kinds import Kind
    from ade_runtime.proof.records import ProofRecord


class KeepActions(Base):
    async def attach(self, call: Call, args: models.ProofAttachInput) -> ProofAdded:
        about = about_link(args.about)
        lane = await self._lane(call, args.lane)
        self._services.lanes.repository(lane)  # the folder is there and the lane's
        with temporary_folder("proof") as folder:
            draft, kind = await self._proofs.copy(lane.path, args.path, folder, args.kind)
            record = self._record(call, lane, draft, kind, name=args.path)
            record = replace(record, caption=args.caption, about=about, pinned=args.pinned)
            return await self._put_one(call, draft, record)

    async def ingest(self, call: Call, args: models.ProofIngestInput) -> models.ProofIngestOutput:
        about = about_link(args.about)
        lane = await self._lane(call, args.lane)
        self._services.lanes.repository(lane)
        with temporary_folder("proof") as folder:
            found, failures = await self._copies(call, lane.path, args.paths, folder)
            records = [
                (
                    draft,
                    replace(
                        self._record(call, lane, draft, kind, name=path), caption=args.caption, about=about
                    ),
                )
                for path, draft, kind in found
            ]
            output = _ingested([record for _, record in records], failures)
            removed = await self._proofs.put(records, answering(call, output))
        return output.model_copy(update={"removed": removed})

    async def update(self, call: Call, args: models.ProofUpdateInput) -> Proof:
        record = await self._of_lane(call, args.proof, args.lane)
        changed = replace(
            record,
            caption=record.caption if args.caption is None else args.caption,
            about=record.about if args.about is None else about_link(args.about),
            pinned=record.pinned if args.pinned is None else args.pinned,
        )
        await self._proofs.change(changed)
        return changed.told()

    async def delete(self, call: Call, args: models.ProofDeleteInput) -> Proof:
        record = await self._of_lane(call, args.proof, args.lane)
        await self._proofs.delete(record)
        return record.told()

    async def _copies(
        self, call: Call, root: Path, paths: list[str], folder: Path
    ) -> tuple[list[tuple[str, Draft, Kind]], list[ProofFailure]]:
        """A draft for each path that can be put away, and why the others cannot. Raises the first of those where none can."""
        found: list[tuple[str, Draft, Kind]] = []
        failures: list[ProofFailure] = []
        first: AdeError | None = None
        for count, path in enumerate(paths):
            call.progress(path, count / len(paths))
            try:
                found.append((path, *await self._proofs.copy(root, path, folder, None)))
            except AdeError as problem:
                first = first or problem
                failures.append(ProofFailure(path=path, code=problem.code, message=problem.message))
        if first is not None and not found:
            raise first
        return found, failures


def _ingested(records: list[ProofRecord], failures: list[ProofFailure]) -> models.ProofIngestOutput:
    items = [record.told() for record in records]
    return models.ProofIngestOutput(items=items, total=len(items), next=None, failures=failures, removed=0)
