"""Looking at proof, taking it out, and writing the comment that shows it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import proof as models
from ade_runtime.domains.proof.base import Base, about_link
from ade_runtime.machine.place_file import PlaceError, place_file
from ade_runtime.proof.kinds import TEXTS
from ade_runtime.proof.markdown import SHOWN_TEXT, Shown, comment, url_problem
from ade_runtime.proof.store import Filter
from ade_runtime.skills.show import whole_characters
from ade_runtime.workspace.names import barred

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.proof.records import ProofRecord

MOST_PUBLISHED = 50


class ShowActions(Base):
    async def list(self, call: Call, args: models.ProofListInput) -> models.ProofListOutput:
        lane = None if args.lane is None else (await self._lane(call, args.lane)).id
        wanted = Filter(lane, args.session, about_link(args.about), args.kind, args.pinned)
        found, total, following = await self._proofs.page(call.project, wanted, args.cursor, args.limit)
        return models.ProofListOutput(items=[one.told() for one in found], total=total, next=following)

    async def show(self, call: Call, args: models.ProofShowInput) -> models.ProofShowOutput:
        record = await self._proofs.find(call.project, args.proof)
        present = await asyncio.to_thread(self._proofs.blobs.verify, record.sha256)
        content, following = None, None
        if present and record.kind in TEXTS:
            data = await asyncio.to_thread(
                self._proofs.blobs.read, record.sha256, args.offset, args.max_bytes
            )
            data = whole_characters(data or b"", last=args.offset + len(data or b"") >= record.size)
            end = args.offset + len(data)
            content, following = data.decode("utf-8", "replace"), end if data and end < record.size else None
        return models.ProofShowOutput(
            proof=record.told(),
            path=str(self._proofs.blobs.path(record.sha256)),
            present=present,
            content=content,
            next_offset=following,
        )

    async def export(self, call: Call, args: models.ProofExportInput) -> models.ProofExportOutput:
        record = await self._proofs.find(call.project, args.proof)
        if not await asyncio.to_thread(self._proofs.blobs.verify, record.sha256):
            raise errors.ProofContentGone(proof=record.id)
        lane = await self._lane(call, args.lane)
        source = self._proofs.blobs.path(record.sha256)
        try:
            if call.identity.session is None and args.path.startswith("/"):
                root, inside = Path(args.path).parent, Path(args.path).name
            else:
                self._services.lanes.repository(lane)
                root, inside = lane.path, args.path
            await asyncio.to_thread(place_file, source, root, inside, overwrite=args.overwrite, barred=barred)
        except PlaceError as problem:
            if problem.kind == "outside":
                raise errors.PathOutsideLane(path=args.path, lane=lane.name, reason=problem.reason) from None
            if problem.kind == "exists":
                raise errors.ProofTargetExists(path=args.path) from None
            raise errors.ProofExportFailed(path=args.path, reason=problem.reason) from None
        return models.ProofExportOutput(path=str(root / inside), size=record.size)

    async def publish(self, call: Call, args: models.ProofPublishInput) -> models.ProofPublishOutput:
        urls = args.urls or {}
        for proof, url in urls.items():
            if problem := url_problem(url):
                raise errors.InvalidProofUrl(proof=proof, reason=problem)
        records = await self._chosen(call, args)
        if not records:
            raise errors.NothingToPublish()
        shown = [await asyncio.to_thread(self._shown, record, urls.get(record.id)) for record in records]
        body, left = comment(args.title, shown)
        items = [record.told() for record in records]
        return models.ProofPublishOutput(
            body=body, posted=False, items=items, total=len(items), next=None, uploads=left
        )

    async def _chosen(self, call: Call, args: models.ProofPublishInput) -> Sequence[ProofRecord]:
        """The pieces to show, the oldest first."""
        if args.proofs is not None:
            found = [await self._proofs.find(call.project, proof) for proof in args.proofs]
            return sorted(found, key=lambda record: record.created_at)
        lane = await self._lane(call, args.lane)
        wanted = Filter(lane=lane.id, about=about_link(args.about))
        newest, _, _ = await self._proofs.page(call.project, wanted, None, MOST_PUBLISHED)
        return newest[::-1]

    def _shown(self, record: ProofRecord, url: str | None) -> Shown:
        text = None
        if url is None and record.kind in TEXTS:
            data = self._proofs.blobs.read(record.sha256, 0, SHOWN_TEXT) or b""
            text = whole_characters(data, last=len(data) >= record.size).decode("utf-8", "replace")
        return Shown(record, url, text)
