"""What a way in may carry. The socket carries everything; the spool of a sandboxed caller reads, and writes in its own lane.

A sandbox was put around such a caller on purpose. What it asks for here is performed outside of that sandbox, so the spool
gives a proved session what it may do in its own lane and everybody else what anybody may read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import Effect
from ade_runtime.pipeline.identity import LEAST_ROLE

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry
    from ade_runtime.pipeline.call import Caller, Identity, Transport

HIGHEST_SPOOL_ROLE = "agent"
"""Highest role of a session that comes through the spool: one that is held to its own lane."""


def narrowed(identity: Identity, transport: Transport, wanted: str | None) -> Identity:
    """The identity as far as the way in carries it. Raises ``policy_denied`` where the role asked for is beyond that."""
    if transport != "spool":
        return identity
    highest = LEAST_ROLE if identity.session is None else HIGHEST_SPOOL_ROLE
    if ROLES[identity.role].rank <= ROLES[highest].rank:
        return identity
    if wanted:
        why = f"Through the spool a caller is at most {highest}; use the socket, outside of the sandbox."
        raise errors.PolicyDenied(role=wanted, action="anything here", reason=why)
    return replace(identity, role=highest)


def check_way(entry: ActionEntry, identity: Identity, caller: Caller) -> None:
    """Raise ``policy_denied`` for an action that the way in does not carry."""
    if caller.transport != "spool" or entry.effect is Effect.READ:
        return
    if entry.effect is not Effect.WRITE:
        reason = f"It is a {entry.effect} action, which the spool of a sandboxed command does not carry; use the socket."
    elif identity.session is None or identity.lane is None or entry.target.lane is None:
        reason = "Through the spool of a sandboxed command only a session changes something, in its own lane; use the socket."
    else:
        return
    raise errors.PolicyDenied(role=identity.role, action=entry.id, reason=reason)
