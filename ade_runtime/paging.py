"""Pages of lists that are in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ade_generated import errors

T = TypeVar("T")


def cut(
    items: Sequence[T], cursor: str | None, limit: int, *, key: Callable[[T], str]
) -> tuple[list[T], str | None]:
    """At most ``limit`` items after the one whose key is ``cursor``, and the cursor of the next page, if
    there is one.

    Raises ``invalid_cursor`` when no item has that key.
    """
    start = 0
    if cursor is not None:
        start = next((place for place, item in enumerate(items, start=1) if key(item) == cursor), 0)
        if not start:
            raise errors.InvalidCursor(cursor=cursor)
    page = list(items[start : start + limit])
    more = start + limit < len(items)
    return page, key(page[-1]) if more and page else None
