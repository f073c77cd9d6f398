"""Stage 6: calls under a request id run once. The same id with the same arguments gets the same answer again.

A receipt is reserved before the call begins and gets its answer in the transaction that records the effect. A call that makes
something outside of the database first claims it there: when its process is killed, the call that repeats it finds the claim,
looks what became of that, and goes on from there instead of doing it twice.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.contracts import Idempotency, JsonObject
from ade_runtime.machine.process import is_running, own_mark

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from ade_runtime.contracts import ActionEntry
    from ade_runtime.pipeline.call import Caller, Identity
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel

KEPT_MS = 7 * 24 * 3600 * 1000
KEPT_ROWS = 50_000
"""Receipts that stay although they are younger than :data:`KEPT_MS`; beyond that the oldest go."""

REQUEST_ID_LIMIT = 200

_running: set[tuple[str, str, str]] = set()
"""Database, identity and request id of the calls that run in this process. One whose row bears this process's mark and that is
not among them has ended without an answer, such as on a full disk, and may be repeated."""


class Receipt:
    """The place of one call's answer. ``earlier`` is what an attempt that never ended had claimed, ``None`` for a first one.

    A handler whose effect is a row of the database calls :meth:`~.call.Call.seal` in the transaction that writes it, so that
    effect and answer are there together or not at all; otherwise the pipeline does it after the handler returned.
    """

    def __init__(
        self, services: Services, identity: Identity, request_id: str, earlier: JsonObject | None
    ) -> None:
        self._services = services
        self._key = {"identity": identity.key, "request_id": request_id}
        self._place = _place(services, self._key)
        self.earlier = earlier
        self.claimed = earlier is not None
        self.fulfilled = False
        _running.add(self._place)

    def claim(self, connection: Connection, what: JsonObject) -> None:
        """Note, within the caller's own transaction, what is about to be made."""
        from sqlalchemy import update

        from ade_runtime.storage.schema import receipts

        text = orjson.dumps(what).decode()
        connection.execute(update(receipts).where(*_where(self._key)).values(claim=text))
        self.claimed = True

    def fulfil(self, connection: Connection, output: WireModel | bytes) -> None:
        """Store the answer within the caller's own transaction."""
        from sqlalchemy import update

        from ade_runtime.storage.schema import receipts

        text = output if isinstance(output, bytes) else output.to_wire_json()
        connection.execute(
            update(receipts).where(*_where(self._key)).values(output=text.decode(), claim=None)
        )
        self.fulfilled = True

    async def drop(self) -> None:
        """Forget the call: it did nothing, so the same id may run it again."""
        from sqlalchemy import delete

        from ade_runtime.storage.schema import receipts

        await self._services.database.write(
            lambda connection: connection.execute(delete(receipts).where(*_where(self._key)))
        )

    def end(self) -> None:
        """The call has ended, in whatever way; to be called last."""
        _running.discard(self._place)


async def begin(
    services: Services,
    entry: ActionEntry,
    identity: Identity,
    caller: Caller,
    request_id: str,
    arguments: JsonObject,
) -> Receipt | bytes:
    """Reserve ``request_id`` for this call, or give the stored answer of an earlier one.

    Raises ``request_in_progress`` while the other call runs, and ``request_id_conflict`` when its arguments differ.
    """
    if not request_id or len(request_id) > REQUEST_ID_LIMIT:
        problem = f"A request id has 1 to {REQUEST_ID_LIMIT} characters."
        raise errors.InvalidArguments(problem=problem, action=entry.id)
    digest = _digest(entry, caller, arguments)
    now = int(services.clock.now().timestamp() * 1000)
    key = {"identity": identity.key, "request_id": request_id}

    made: list[Receipt] = []

    def reserve(connection: Connection) -> bytes | Receipt:
        from sqlalchemy import delete, insert, select, update

        from ade_runtime.storage.schema import receipts

        connection.execute(delete(receipts).where(receipts.c.created_at < now - KEPT_MS))
        row = connection.execute(select(receipts).where(*_where(key))).one_or_none()
        if row is None:
            values = {**key, "action": entry.id, "digest": digest, "holder": own_mark(), "created_at": now}
            connection.execute(insert(receipts).values(**values))
            made.append(Receipt(services, identity, request_id, None))
            return made[0]
        if row.digest != digest:
            raise errors.RequestIdConflict(request_id=request_id)
        if row.output is not None:
            return str(row.output).encode()
        if _runs(row.holder, _place(services, key)):
            raise errors.RequestInProgress(request_id=request_id)
        mine = {"holder": own_mark(), "created_at": now}
        connection.execute(update(receipts).where(*_where(key)).values(**mine))
        made.append(Receipt(services, identity, request_id, orjson.loads(row.claim) if row.claim else None))
        return made[0]

    writing = asyncio.ensure_future(services.database.write(reserve))
    try:
        return await asyncio.shield(writing)
    except BaseException:
        writing.add_done_callback(lambda done: _release(done, made))
        raise


def wanted(entry: ActionEntry, request_id: str | None) -> bool:
    """Whether this call is made under a receipt."""
    return request_id is not None and entry.idempotency is Idempotency.REQUEST_ID


def forget_expired(connection: Connection, now: int) -> None:
    """Remove receipts that are old, and the oldest of very many. ``now`` is in milliseconds since the epoch."""
    from sqlalchemy import delete, select

    from ade_runtime.storage.schema import receipts

    connection.execute(delete(receipts).where(receipts.c.created_at < now - KEPT_MS))
    newest_first = select(receipts.c.created_at).order_by(receipts.c.created_at.desc())
    oldest = connection.execute(newest_first.offset(KEPT_ROWS).limit(1)).scalar()
    if oldest is not None:
        connection.execute(
            delete(receipts).where(receipts.c.created_at <= oldest, receipts.c.output.is_not(None))
        )


def _release(writing: asyncio.Future[Any], made: list[Receipt]) -> None:
    """The call was cancelled, or its reservation failed, before it began."""
    if not writing.cancelled():
        writing.exception()
    for receipt in made:
        receipt.end()


def _runs(holder: str, place: tuple[str, str, str]) -> bool:
    return place in _running if holder == own_mark() else is_running(holder)


def _place(services: Services, key: dict[str, str]) -> tuple[str, str, str]:
    return (str(services.paths.database), key["identity"], key["request_id"])


def _digest(entry: ActionEntry, caller: Caller, arguments: JsonObject) -> str:
    """Of what makes two calls the same: action, the project and lane asked for, and the arguments in any order."""
    what = [entry.id, caller.project, caller.lane, arguments]
    return hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _where(key: dict[str, str]) -> list[ColumnElement[bool]]:
    from ade_runtime.storage.schema import receipts

    return [receipts.c[name] == value for name, value in key.items()]
