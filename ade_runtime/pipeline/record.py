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
    from ade_runtime.wire import WireModel

STOPPED = frozenset(["cancelled", "timed_out", "internal_error", "storage_full", "storage_failed"])
"""Outcomes after which nobody took back what was begun."""

log = logging.getLogger("ade.audit")


class Recorder:
    """Writes down one call; made before its handler runs, so that it knows how long it took."""

    def __init__(self, services: Services, call: Call) -> None:
        self._services = services
        self._call = call
        self._began = time.monotonic()
        self._sealed = False

    def seal(self, connection: Connection, output: WireModel | bytes) -> None:
        """Store answer and audit row within the transaction that makes the effect."""
        receipt = self._call.receipt
        if receipt is not None and not receipt.fulfilled:
            receipt.fulfil(connection, output)
        self._audit(connection, "ok")
        self._sealed = True

    async def succeeded(self, output: bytes) -> None:
        """Store answer and audit row in one transaction, unless the handler did; the answer may be sent once this returned."""
        unanswered = self._call.receipt is not None and not self._call.receipt.fulfilled
        if self._sealed or (not unanswered and self._call.action.effect is Effect.READ):
            return
        await self._services.database.write(lambda connection: self.seal(connection, output))

    async def failed(self, outcome: str) -> None:
        """Forget the request id, so that a retry runs, and note the failure. Trouble here must not hide the first failure.

        What a call had claimed when it was stopped from outside may be there: the claim stays for who repeats it.
        """
        call = self._call
        try:
            receipt = call.receipt
            kept = receipt is None or receipt.fulfilled or (receipt.claimed and outcome in STOPPED)
            if receipt is not None and not kept:
                await receipt.drop()
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
