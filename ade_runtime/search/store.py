"""What a search index must do, whatever database it is in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from ade_runtime.search.documents import Batch
from ade_runtime.search.query import Query

MARK_START = "\x02"
MARK_END = "\x03"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """``readers`` are the actions that the caller may call: nothing else is found or counted. Everything else narrows down
    what is; ``lane`` may be widened by ``lane_ids``, documents that belong to the lane without saying so. ``author`` is part of
    a name in any case; ``since`` is in milliseconds."""

    readers: Collection[str]
    kinds: Collection[str] = ()
    lane: str | None = None
    lane_ids: Collection[str] = ()
    author: str | None = None
    since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result. In ``snippet`` what fitted stands between the marks of this module; ``score`` is higher the better."""

    kind: str
    id: str
    title: str
    snippet: str
    lane: str | None
    author: str | None
    at: int
    reader: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """One page. ``total`` counts up to a bound; ``reachable`` of them can be paged to."""

    items: Sequence[Hit]
    total: int
    reachable: int


class SearchStore(Protocol):
    """The index of one project; each method runs off the event loop."""

    async def cursors(self) -> dict[str, str]:
        """The cursor of each kind that was indexed."""
        ...

    async def apply(self, kind: str, before: str | None, batch: Batch) -> bool:
        """Take a batch in, in one transaction; false where another process has moved the cursor from ``before``."""
        ...

    async def find(self, query: Query, filters: Filters, *, offset: int, limit: int, now: int) -> Hits:
        """The best hits from ``offset`` on; a newer one goes before an equal older one."""
        ...

    async def close(self) -> None: ...
