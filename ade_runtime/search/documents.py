"""What a domain gives to be found, and how it says what has changed since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ade_runtime.projects.registry import Project

LONGEST_TITLE = 500
LONGEST_BODY = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing that can be found.

    ``id`` is what its domain calls it; ``names`` are further words it is called by, such as a branch or a hash. ``reader``
    is the id of the action that shows it: who may not call that action does not find it. ``lane`` is a lane's id; ``at`` is in
    milliseconds since the epoch. Texts past their limits are cut.
    """

    kind: str
    id: str
    title: str
    body: str
    names: str
    lane: str | None
    author: str | None
    at: int
    reader: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Changes of one kind of document. ``cursor`` stands for the state after them and is given back with the next question.

    With ``whole`` these are all there are, and others go; with ``keep`` all but these go. With ``more`` the next batch can be
    had at once.
    """

    put: Sequence[Document] = ()
    drop: Sequence[str] = ()
    keep: Sequence[str] | None = None
    cursor: str
    whole: bool = False
    more: bool = False


class Source(Protocol):
    """A kind of document. A batch that was not taken in is asked for again with the cursor of before."""

    kind: str

    async def changes(self, project: Project, cursor: str | None) -> Batch | None:
        """What has changed since ``cursor`` (``None``: since ever), ``None`` where nothing has. Bounded in time and size."""
        ...
