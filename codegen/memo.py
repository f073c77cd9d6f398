"""What was made of a part of the model is kept for as long as that part is the same object.

Within one run many emitters ask for the same things; in a watching process the parts of files that were not saved are the
same objects from run to run, so what follows from them need not be made again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

R = TypeVar("R")


class Store:
    """Results by what made them and of which object. An entry holds on to its object, so that no other gets its identity."""

    def __init__(self) -> None:
        self._kept: dict[tuple[object, int], tuple[object, str, Any]] = {}
        self._used: dict[tuple[object, int], tuple[object, str, Any]] = {}

    def turn(self) -> None:
        """Drop what the run that ends here did not ask for."""
        self._kept, self._used = self._used, {}

    def get(self, made_by: object, part: object, key: str, make: Callable[[], R]) -> R:
        place = made_by, id(part)
        entry = self._used.get(place) or self._kept.get(place)
        if entry is None or entry[1] != key:
            entry = part, key, make()
        self._used[place] = entry
        found: R = entry[2]
        return found

    def get_all(self, made_by: object, parts: Sequence[object], make: Callable[[], R]) -> R:
        place = made_by, 0
        entry = self._used.get(place) or self._kept.get(place)
        if entry is None or not _same(entry[0], parts):
            entry = parts, "", make()
        self._used[place] = entry
        found: R = entry[2]
        return found


def _same(one: Any, two: Sequence[object]) -> bool:
    return len(one) == len(two) and all(map(operator.is_, one, two))


_STORE: ContextVar[Store | None] = ContextVar("store", default=None)


@contextmanager
def using(store: Store) -> Iterator[None]:
    """Keep results in a store meanwhile; in that of the caller where there is one already."""
    token = _STORE.set(_STORE.get() or store)
    try:
        yield
    finally:
        _STORE.reset(token)


def of(made_by: object, part: object, make: Callable[[], R], key: str = "") -> R:
    """What ``make`` gives, or gave for the same part with the same ``key``. ``made_by`` tells results apart.

    Nobody may change what is given. Outside :func:`using` nothing is kept.
    """
    store = _STORE.get()
    return make() if store is None else store.get(made_by, part, key, make)


def of_all(made_by: object, parts: Iterable[object], make: Callable[[], R]) -> R:
    """The same for what is made of all of some parts: of the entries of a table."""
    store = _STORE.get()
    return make() if store is None else store.get_all(made_by, tuple(parts), make)
