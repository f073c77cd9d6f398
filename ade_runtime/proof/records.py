"""A piece of evidence as it is kept, and as it is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ade_generated.models.types import Proof
from ade_runtime.proof.kinds import MEDIA_TYPES, Kind
from ade_runtime.storage.times import from_ms, to_ms

Source = Literal["file", "screenshot", "recording"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofRecord:
    """``about`` is a canonical ``ade://`` link; ``size`` is in bytes, ``width`` and ``height`` are in pixels where known."""

    id: str
    project: str
    lane: str | None
    session: str | None
    kind: Kind
    name: str
    caption: str | None
    about: str | None
    source: Source
    sha256: str
    size: int
    width: int | None
    height: int | None
    pinned: bool
    created_at: datetime

    def row(self) -> dict[str, Any]:
        """Column values of the proofs table."""
        return {
            "id": self.id,
            "project_id": self.project,
            "lane_id": self.lane,
            "session_id": self.session,
            "kind": self.kind,
            "media_type": MEDIA_TYPES[self.kind],
            "name": self.name,
            "caption": self.caption,
            "about": self.about,
            "source": self.source,
            "sha256": self.sha256,
            "size": self.size,
            "width": self.width,
            "height": self.height,
            "pinned": int(self.pinned),
            "created_at": to_ms(self.created_at),
        }

    def told(self) -> Proof:
        return Proof(
            id=self.id,
            kind=self.kind,
            name=self.name,
            caption=self.caption,
            about=self.about,
            source=self.source,
            lane=self.lane,
            session=self.session,
            media_type=MEDIA_TYPES[self.kind],
            sha256=self.sha256,
            size=self.size,
            width=self.width,
            height=self.height,
            pinned=self.pinned,
            created_at=self.created_at,
        )


def from_row(row: Any) -> ProofRecord:
    """The record of a row of the proofs table."""
    return ProofRecord(
        id=row.id,
        project=row.project_id,
        lane=row.lane_id,
        session=row.session_id,
        kind=row.kind,
        name=row.name,
        caption=row.caption,
        about=row.about,
        source=row.source,
        sha256=row.sha256,
        size=row.size,
        width=row.width,
        height=row.height,
        pinned=bool(row.pinned),
        created_at=from_ms(row.created_at),
    )
