"""Stage 3: whether a visible action may be called by this identity."""

from __future__ import annotations

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import ActionEntry, Effect
from ade_runtime.pipeline.call import Identity

_NEVER_OPENED = frozenset({Effect.DESTRUCTIVE, Effect.SECRET})


def check_allowed(entry: ActionEntry, identity: Identity) -> None:
    """Raise ``policy_denied`` unless the role's effects, or the action's own ``min_role``, allow the call.

    A spec opens a write to a reading role by naming it in ``min_role``; destructive and secret actions are never opened.
    """
    role = ROLES[identity.role]
    if entry.min_role is not None:
        lowest = ROLES[entry.min_role]
        if role.rank < lowest.rank:
            raise _denied(entry, identity, f"It needs at least role {entry.min_role}.")
        if entry.effect not in _NEVER_OPENED:
            return
    if entry.effect not in role.effects:
        able = " and ".join(role.effects)
        raise _denied(
            entry, identity, f"It is a {entry.effect} action; role {identity.role} may only {able}."
        )


def _denied(entry: ActionEntry, identity: Identity, reason: str) -> errors.PolicyDenied:
    return errors.PolicyDenied(role=identity.role, action=entry.id, reason=reason)
