"""Keeps a runtime that was displaced from writing, however late it notices that it was.

Each runtime raises the epoch in the database before it first writes there, and looks in every write whether the epoch is
still its own and the lock of its ADE_HOME still held. Both happen under the database's write lock, so that of two runtimes
the later one always wins. Commands beside the runtime (``--headless``) own nothing and have no fence; they take turns at
the database like everybody.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.machine.process import own_mark

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Fence:
    """``holds`` tells whether this process still holds its ADE_HOME's lock; ``lost`` is called, on the database's thread, with
    the first write that was refused."""

    def __init__(self, holds: Callable[[], bool], lost: Callable[[], None]) -> None:
        self._holds = holds
        self._lost = lost
        self._epoch: int | None = None

    @property
    def claimed(self) -> bool:
        """Whether the epoch has begun."""
        return self._epoch is not None

    def claim(self, connection: Connection) -> None:
        """Begin a new epoch, in a writing transaction of its own. Raises ``runtime_displaced`` without the lock."""
        from sqlalchemy import insert, update

        from ade_runtime.storage.schema import owner

        self._require(self._holds())
        mine = {"holder": own_mark(), "since": int(time.time() * 1000)}
        if not connection.execute(update(owner).values(epoch=owner.c.epoch + 1, **mine)).rowcount:
            connection.execute(insert(owner).values(id=1, epoch=1, **mine))
        self._epoch = self._read(connection)

    def check(self, connection: Connection) -> None:
        """Raise ``runtime_displaced`` where another runtime has taken over; called at the start of a writing transaction."""
        self._require(self._holds() and self._read(connection) == self._epoch)

    def _require(self, owned: bool) -> None:
        if not owned:
            self._lost()
            raise errors.RuntimeDisplaced()

    @staticmethod
    def _read(connection: Connection) -> int | None:
        from sqlalchemy import select

        from ade_runtime.storage.schema import owner

        found: int | None = connection.execute(select(owner.c.epoch)).scalar()
        return found
