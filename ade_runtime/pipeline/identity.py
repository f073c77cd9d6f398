"""Stage 1: who is asking, from what the runtime can verify. What a caller says about itself never raises a role."""

from __future__ import annotations

import os

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.pipeline.call import Identity

OWNER_ROLE = "agent"
"""Role of the owner's own shell when it asks for none."""


def owner_identity(*, wanted: str | None, ceiling: str, uid: int | None = None) -> Identity:
    """The identity of the owner's shell: ``wanted`` or ``agent``, never above ``ceiling``.

    Raises ``policy_denied`` for a role above the ceiling and ``invalid_arguments`` for one that does not exist.
    """
    role = wanted or OWNER_ROLE
    if role not in ROLES:
        known = ", ".join(sorted(ROLES, key=lambda name: ROLES[name].rank))
        raise errors.InvalidArguments(
            problem=f"There is no role {role!r}.", action="--role", hint=f"Roles: {known}."
        )
    if ROLES[role].rank > ROLES[ceiling].rank:
        if wanted:
            raise errors.PolicyDenied(
                role=role,
                action="anything here",
                reason=f"This runtime grants at most {ceiling}; the owner may end it and start one with "
                f"`ADE_DEFAULT_ROLE={role} ade serve`.",
            )
        role = ceiling
    owner = os.getuid() if uid is None else uid
    return Identity(role=role, key=f"owner:{owner}", uid=owner)


def check_peer(uid: int) -> None:
    """Refuse a connection of another user, whatever the socket's mode allowed."""
    if uid != os.getuid():
        raise errors.PolicyDenied(
            role="external",
            action="this runtime",
            reason="The runtime serves only the user who started it.",
        )


def refuse_token(token: str | None) -> None:
    """Refuse a session token that proves no live session. Ignoring it would make its holder somebody else."""
    if token:
        raise errors.PolicyDenied(
            role="external",
            action="anything here",
            reason="The session token in ADE_SESSION_TOKEN belongs to no live session; unset it or start the session again.",
        )
