"""Stage 3: whether a visible action may be called by this identity."""

from __future__ import annotations

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import ActionEntry, Effect
from ade_runtime.pipeline.call import Identity

_NEVER_OPENED = frozenset({Effect.DESTRUCTIVE, Effect.SECRET})


def check_allowed(entry: ActionEntry, identity: Identity) -> None:
    """Raise ``policy_denied`` unless the role's effects, or the action's own ``min_role``, allow the call."""
    reason = why_forbidden(entry, identity)
    if reason is not None:
        raise errors.PolicyDenied(role=identity.role, action=entry.id, reason=reason)


def why_forbidden(entry: ActionEntry, identity: Identity) -> str | None:
    """What forbids the call to this identity, ``None`` where nothing does.

    A spec opens a write to a reading role by naming it in ``min_role``; destructive and secret actions are never opened.
    """
    role = ROLES[identity.role]
    if entry.min_role is not None:
        if role.rank < ROLES[entry.min_role].rank:
            return f"It needs at least role {entry.min_role}."
        if entry.effect not in _NEVER_OPENED:
            return None
    if entry.effect not in role.effects:
        return f"It is a {entry.effect} action; role {identity.role} may only {' and '.join(role.effects)}."
    return None
