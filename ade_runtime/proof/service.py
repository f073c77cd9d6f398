"""Evidence of one ADE_HOME: putting it away, finding it, and letting go of what is too old or too much."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.machine.beneath import NotBeneathError, open_beneath
from ade_runtime.proof import store
from ade_runtime.proof.blobs import Blobs, Draft
from ade_runtime.proof.kinds import Kind, fits
from ade_runtime.proof.records import ProofRecord
from ade_runtime.proof.store import Filter, Limits
from ade_runtime.storage.times import from_ms, to_ms
from ade_runtime.workspace.names import barred

if TYPE_CHECKING:
    from collections.abc import Callable

    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

    Also = Callable[[Any, int], None]

LARGEST = 256 * 2**20
"""Bytes of one piece."""


@dataclass(frozen=True, slots=True)
class Swept:
    """``ids`` are the pieces that went or would go, ``freed`` the bytes of the contents that go with them."""

    ids: tuple[str, ...]
    freed: int


class Proofs:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._database = services.database
        self.blobs = Blobs(services.paths.home / "proof" / "blobs")

    def now_ms(self) -> int:
        return to_ms(self._services.clock.now())

    async def copy(self, root: Path, path: str, folder: Path, wanted: Kind | None) -> tuple[Draft, Kind]:
        """A draft of the file at ``path`` below ``root`` and its kind. Raises ``proof_unreadable``, ``proof_too_large``,
        ``proof_kind_unknown`` and ``proof_kind_mismatch``.
        """
        return await asyncio.to_thread(self._copy, root, path, folder, wanted)

    async def put(self, records: Sequence[tuple[Draft, ProofRecord]], also: Also | None = None) -> int:
        """Put drafts away with what they are; ``also`` writes in the same transaction, given how many older pieces had to go
        for them. Returns that number. Raises ``proof_store_full``.
        """
        async with self._services.locks.proof():
            swept = await self._make_room([draft for draft, _ in records])
            for draft, _ in records:
                await asyncio.to_thread(self.blobs.keep, draft)

            def write(db: Any) -> None:
                store.delete(db, swept.ids)
                for _, record in records:
                    store.insert(db, record)
                if also is not None:
                    also(db, len(swept.ids))

            await self._database.write(write)
            if swept.ids:
                await self._drop_contents()
        return len(swept.ids)

    async def find(self, project: Project, proof: str) -> ProofRecord:
        record = await self._database.read(lambda db: store.get(db, project.id, proof))
        if record is None:
            raise errors.ProofNotFound(proof=proof)
        return record

    async def page(
        self, project: Project, wanted: Filter, cursor: str | None, limit: int
    ) -> tuple[list[ProofRecord], int, str | None]:
        try:
            found, total, more = await self._database.read(
                lambda db: store.page(db, project.id, wanted, cursor, limit)
            )
        except LookupError:
            raise errors.InvalidCursor(cursor=str(cursor)) from None
        return found, total, found[-1].id if more else None

    async def change(self, record: ProofRecord) -> None:
        """Keep what may change of a piece: caption, what it is about, whether it is pinned."""
        values = {"caption": record.caption, "about": record.about, "pinned": int(record.pinned)}
        await self._database.write(lambda db: store.change(db, record.id, values))

    async def delete(self, record: ProofRecord) -> None:
        if record.pinned:
            raise errors.ProofPinned(proof=record.id)
        async with self._services.locks.proof():
            await self._database.write(lambda db: store.delete(db, [record.id]))
            await self._drop_contents()

    async def limits(self) -> Limits:
        return await self._database.read(store.limits)

    async def set_limits(self, wanted: Limits) -> None:
        await self._database.write(lambda db: store.set_limits(db, wanted))

    async def used(self) -> tuple[int, int, int, int]:
        return await self._database.read(store.used)

    async def sweep(self, *, preview: bool) -> Swept:
        """Let go of what is past the limits, and of contents that nothing names any more."""
        async with self._services.locks.proof():
            swept = await self._too_much(0)
            if not preview:
                await self._database.write(lambda db: store.delete(db, swept.ids))
                swept = replace(swept, freed=await self._drop_contents())
        return swept

    def _copy(self, root: Path, path: str, folder: Path, wanted: Kind | None) -> tuple[Draft, Kind]:
        try:
            descriptor = open_beneath(root, path, barred=barred)
        except NotBeneathError as problem:
            raise errors.ProofUnreadable(path=path, reason=problem.reason) from None
        try:
            size = os.fstat(descriptor).st_size
            if size > LARGEST:
                raise errors.ProofTooLarge(path=path, size=size, limit=LARGEST)
            draft = self.blobs.copy(descriptor, path, LARGEST, folder / f"draft-{os.urandom(6).hex()}")
        finally:
            os.close(descriptor)
        return draft, checked_kind(draft, path, wanted)

    async def _make_room(self, drafts: Sequence[Draft]) -> Swept:
        new = {draft.sha256: draft.size for draft in drafts}
        there = await self._database.read(store.contents)
        needed = sum(size for sha256, size in new.items() if sha256 not in there)
        swept = await self._too_much(needed)
        limits = await self.limits()
        size, *_ = await self.used()
        if size - swept.freed + needed > limits.max_bytes:
            raise errors.ProofStoreFull(limit=limits.max_bytes, needed=needed)
        return swept

    async def _too_much(self, needed: int) -> Swept:
        """What must go, the oldest first, for everything to be within the limits with ``needed`` bytes more."""
        limits = await self.limits()
        pieces = await self._database.read(store.oldest_first)
        oldest = to_ms(from_ms(self.now_ms()) - timedelta(days=limits.max_age_days))
        owners: dict[str, int] = {}
        sizes: dict[str, int] = {}
        for _, sha256, size, _, _ in pieces:
            owners[sha256] = owners.get(sha256, 0) + 1
            sizes[sha256] = size
        total, freed, gone = sum(sizes.values()) + needed, 0, []
        for proof, sha256, size, created_at, pinned in pieces:
            if pinned or not (created_at < oldest or total - freed > limits.max_bytes):
                continue
            gone.append(proof)
            owners[sha256] -= 1
            freed += 0 if owners[sha256] else size
        return Swept(tuple(gone), freed)

    async def _drop_contents(self) -> int:
        """Remove contents that no piece has; the bytes they took. Only ever under the lock: a content is named before the
        piece that has it is written.
        """
        kept = await self._database.read(store.contents)

        def drop() -> int:
            freed = 0
            for sha256, size in list(self.blobs.all()):
                if sha256 not in kept:
                    self.blobs.remove(sha256)
                    freed += size
            return freed

        return await asyncio.to_thread(drop)


def checked_kind(draft: Draft, path: str, wanted: Kind | None) -> Kind:
    """The kind a draft is kept as: what its bytes say, which must be what was ``wanted``."""
    if draft.kind is None:
        raise errors.ProofKindUnknown(path=path)
    if wanted is None:
        return draft.kind
    if not fits(wanted, draft.kind):
        raise errors.ProofKindMismatch(path=path, wanted=wanted, found=draft.kind)
    return wanted
