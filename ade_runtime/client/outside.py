"""What only the owner does, outside of every session: starting a runtime on purpose, and with it choosing its ceiling."""

from __future__ import annotations

import os

from ade_generated import errors
from ade_runtime.machine import loop
from ade_runtime.machine.paths import Paths


def require_outside(what: str) -> None:
    """Raise ``policy_denied`` in a process that belongs to a session, or that has a session's token."""
    paths = Paths.from_environment(os.environ)
    if paths.database.exists() or os.environ.get("ADE_SESSION_TOKEN"):  # else there never was a session
        loop.run(_require_outside(what, paths))


async def _require_outside(what: str, paths: Paths) -> None:
    from ade_runtime.pipeline.identify import TOKEN_VARIABLE, Attempt, Origin
    from ade_runtime.services import Services

    services = Services(paths)
    attempt = Attempt(what, "headless")
    token = os.environ.get(TOKEN_VARIABLE)
    try:
        identity = await services.identification.identify(Origin.here(), attempt, token=token)
        if identity.source == "owner":
            return
        reason = "Only the owner may, outside of every session."
        refusal = errors.PolicyDenied(role=identity.role, action=what, reason=reason)
        await services.identification.note(attempt, refusal, identity)
        raise refusal
    finally:
        await services.close()
