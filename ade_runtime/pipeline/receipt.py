"""Stage 6: calls under a request id run once. The same id with the same arguments gets the same answer again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

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
REQUEST_ID_LIMIT = 200


class Receipt:
    """The place of one call's answer. A handler whose effect is a row of the database may call :meth:`fulfil` in the
    transaction that writes it, so that effect and answer are there together or not at all; otherwise the pipeline does it
    after the handler returned."""

    def __init__(self, services: Services, identity: Identity, request_id: str) -> None:
        self._services = services
        self._key = {"identity": identity.key, "request_id": request_id}
        self.fulfilled = False

    def fulfil(self, connection: Connection, output: WireModel | bytes) -> None:
        """Store the answer within the caller's own transaction."""
        from sqlalchemy import update

        from ade_runtime.storage.schema import receipts

        text = output if isinstance(output, bytes) else output.to_wire_json()
        connection.execute(update(receipts).where(*_where(self._key)).values(output=text.decode()))
        self.fulfilled = True

    async def drop(self) -> None:
        """Forget the call: it did nothing, so the same id may run it again."""
        from sqlalchemy import delete

        from ade_runtime.storage.schema import receipts

        await self._services.database.write(
            lambda connection: connection.execute(delete(receipts).where(*_where(self._key)))
        )


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

    def reserve(connection: Connection) -> str | None:
        from sqlalchemy import delete, insert, select

        from ade_runtime.storage.schema import receipts

        connection.execute(delete(receipts).where(receipts.c.created_at < now - KEPT_MS))
        row = connection.execute(select(receipts).where(*_where(key))).one_or_none()
        if row is not None:
            if row.digest != digest:
                raise errors.RequestIdConflict(request_id=request_id)
            if row.output is not None:
                return str(row.output)
            if is_running(row.holder):
                raise errors.RequestInProgress(request_id=request_id)
            connection.execute(delete(receipts).where(*_where(key)))
        connection.execute(
            insert(receipts).values(**key, action=entry.id, digest=digest, holder=own_mark(), created_at=now)
        )
        return None

    stored = await services.database.write(reserve)
    return Receipt(services, identity, request_id) if stored is None else stored.encode()


def wanted(entry: ActionEntry, request_id: str | None) -> bool:
    """Whether this call is made under a receipt."""
    return request_id is not None and entry.idempotency is Idempotency.REQUEST_ID


def _digest(entry: ActionEntry, caller: Caller, arguments: JsonObject) -> str:
    """Of what makes two calls the same: action, the project and lane asked for, and the arguments in any order."""
    what = [entry.id, caller.project, caller.lane, arguments]
    return hashlib.sha256(orjson.dumps(what, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _where(key: dict[str, str]) -> list[ColumnElement[bool]]:
    from ade_runtime.storage.schema import receipts

    return [receipts.c[name] == value for name, value in key.items()]
