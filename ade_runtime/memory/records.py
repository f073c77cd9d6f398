"""A fact as it is kept, and when two texts say the same."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from ade_runtime.storage.times import from_ms

Audience = Literal["everyone", "cto"]
EVERYONE: tuple[Audience, ...] = ("everyone",)
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_END = " .!…。"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text on its way in: redacted, with its tags as they are kept, and who gives it."""

    text: str
    redactions: int
    tags: tuple[str, ...]
    author: str
    session: str | None
    lane: str | None
    at: datetime

    @property
    def digest(self) -> str:
        """The same for texts that differ only in case, spacing and the full stop at the end."""
        return hashlib.sha256(folded(self.text).rstrip(_END).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact that is kept. ``lane`` is the id of the lane it was noted in."""

    id: str
    text: str
    tags: tuple[str, ...]
    audience: Audience
    author: str
    session: str | None
    lane: str | None
    redactions: int
    created_at: datetime
    pinned: bool
    archived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """A discovery in the stream: ``end`` is the byte behind it."""

    id: str
    text: str
    tags: tuple[str, ...]
    author: str
    session: str | None
    lane: str | None
    at: datetime
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What every agent is told first; ``revision`` 0 says that there is none."""

    text: str = ""
    revision: int = 0
    author: str | None = None
    updated_at: datetime | None = None


def fact_from(row: Any) -> Fact:
    """The fact of a row mapping."""
    return Fact(
        id=row["id"],
        text=row["text"],
        tags=tuple(json.loads(row["tags"])),
        audience=row["audience"],
        author=row["author"],
        session=row["session_id"],
        lane=row["lane_id"],
        redactions=row["redactions"],
        created_at=from_ms(row["created_at"]),
        pinned=row["pinned_at"] is not None,
        archived=row["archived_at"] is not None,
    )


def discovery_from(row: Any) -> Discovery:
    """The discovery of a row mapping."""
    return Discovery(
        id=row["id"],
        text=row["text"],
        tags=tuple(json.loads(row["tags"])),
        author=row["author"],
        session=row["session_id"],
        lane=row["lane_id"],
        at=from_ms(row["at"]),
        end=row["end"],
    )


def folded(text: str) -> str:
    """A text as it is compared: one Unicode form, no case, single spaces."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def words_of(text: str) -> list[str]:
    """The words of a text, as they are compared."""
    return _WORD.findall(folded(text))
