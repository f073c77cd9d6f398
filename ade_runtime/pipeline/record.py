"""Stage 10: what was done is written down: the answer under its request id, and a row of the audit."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from ade_runtime.contracts import AdeError, Effect

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

log = logging.getLogger("ade.audit")


class Recorder:
    """Writes down one call; made before its handler runs, so that it knows how long it took."""

    def __init__(self, services: Services, call: Call) -> None:
        self._services = services
        self._call = call
        self._began = time.monotonic()

    async def succeeded(self, output: bytes) -> None:
        """Store answer and audit row in one transaction; the answer may be sent once this returned."""
        call = self._call
        receipt = call.receipt if call.receipt is not None and not call.receipt.fulfilled else None
        if receipt is None and call.action.effect is Effect.READ:
            return

        def write(connection: Connection) -> None:
            if receipt is not None:
                receipt.fulfil(connection, output)
            self._audit(connection, "ok")

        await self._services.database.write(write)

    async def failed(self, outcome: str) -> None:
        """Forget the request id, so that a retry runs, and note the failure. Trouble here must not hide the first failure."""
        call = self._call
        try:
            if call.receipt is not None and not call.receipt.fulfilled:
                await call.receipt.drop()
            if call.action.effect is not Effect.READ or outcome == "policy_denied":
                await self._services.database.write(lambda connection: self._audit(connection, outcome))
        except AdeError as problem:
            log.warning(
                "could not record that %s ended with %s: %s", call.action.id, outcome, problem.message
            )

    def _audit(self, connection: Connection, outcome: str) -> None:
        from ade_runtime.audit import store

        call = self._call
        store.append(
            connection,
            at=int(self._services.clock.now().timestamp() * 1000),
            identity=call.identity.key,
            role=call.identity.role,
            transport=call.caller.transport,
            action=call.action.id,
            effect=str(call.action.effect),
            project=call.project_id,
            subject=call.subject,
            request_id=call.request_id,
            outcome=outcome,
            duration_ms=round((time.monotonic() - self._began) * 1000),
        )


async def note_denial(services: Services, action: str, transport: str, *, identity: str, role: str) -> None:
    """A row of the audit for a request that was refused before it became a call. Trouble here must not hide the refusal."""
    from ade_generated.dispatch import ACTIONS

    entry = ACTIONS.get(action)

    def write(connection: Connection) -> None:
        from ade_runtime.audit import store

        store.append(
            connection,
            at=int(services.clock.now().timestamp() * 1000),
            identity=identity,
            role=role,
            transport=transport,
            action=action,
            effect=str(Effect.READ if entry is None else entry.effect),
            outcome="policy_denied",
            duration_ms=0,
        )

    try:
        await services.database.write(write)
    except AdeError as problem:
        log.warning("could not record that %s was denied to %s: %s", action, identity, problem.message)
