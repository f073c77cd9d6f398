"""Stage 1, the rules: which identity follows from what was verified. What a caller says about itself never raises a role."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.pipeline.call import Identity, Source

if TYPE_CHECKING:
    from ade_runtime.sessions.records import SessionRecord, SessionState

OWNER_ROLE = "agent"
"""Role of the owner's own shell when it asks for none."""

LEAST_ROLE = "external"
"""Role of a process of the owner's of which nothing more can be said."""


def owner_identity(*, wanted: str | None, ceiling: str, uid: int | None = None) -> Identity:
    """The identity of the owner's shell: ``wanted`` or ``agent``, never above ``ceiling``.

    Raises ``policy_denied`` for a role above the ceiling and ``invalid_arguments`` for one that does not exist.
    """
    role = wanted or OWNER_ROLE
    check_role(role)
    if ROLES[role].rank > ROLES[ceiling].rank:
        if wanted:
            raise errors.PolicyDenied(
                role=role,
                action="anything here",
                reason=f"This runtime grants at most {ceiling}. To raise that on purpose, its owner runs, outside of sessions: "
                f"`ade runtime stop`, then `ADE_DEFAULT_ROLE={role} ade serve`.",
            )
        role = ceiling
    owner = os.getuid() if uid is None else uid
    return Identity(role=role, key=f"owner:{owner}", uid=owner)


def least_identity(source: Source, *, wanted: str | None, uid: int) -> Identity:
    """The identity of a process that may be anybody's: it reads, whatever it wants to be."""
    if wanted:
        check_role(wanted)
        if ROLES[wanted].rank > ROLES[LEAST_ROLE].rank:
            raise errors.PolicyDenied(role=wanted, action="anything here", reason=_WHY_LEAST[source])
    return Identity(role=LEAST_ROLE, key=f"{source}:{uid}", uid=uid, source=source)


def session_identity(
    session: SessionRecord, source: Source, *, wanted: str | None, ceiling: str, uid: int
) -> Identity:
    """The identity of a live session: its own role or a lower one it asks for, never above ``ceiling``.

    Raises ``policy_denied`` for a higher one and ``invalid_arguments`` for one that does not exist.
    """
    role = session.role
    if role not in ROLES:  # written by a version that knew other roles
        raise errors.PolicyDenied(role=role, action="anything here", reason="This version has no such role.")
    if ROLES[role].rank > ROLES[ceiling].rank:
        role = ceiling
    if wanted:
        check_role(wanted)
        if ROLES[wanted].rank > ROLES[role].rank:
            reason = (
                f"Session {session.id} has role {role}; from inside a session a role can only be lowered."
            )
            raise errors.PolicyDenied(role=wanted, action="anything here", reason=reason)
        role = wanted
    return Identity(
        role=role,
        key=session_key(session.id),
        uid=uid,
        session=session.id,
        source=source,
        project=session.project,
        lane=session.lane,
        run=session.run,
        mode=session.interaction_mode,
        standalone=session.standalone,
    )


def session_key(session: str) -> str:
    """The name of a session's identity in limits, receipts and the audit."""
    return f"session:{session}"


def check_role(role: str) -> None:
    """Refuse a role that does not exist; to ignore it would make its asker somebody else."""
    if role not in ROLES:
        known = ", ".join(sorted(ROLES, key=lambda name: ROLES[name].rank))
        shown = role[:60]
        raise errors.InvalidArguments(
            problem=f"There is no role {shown!r}.", action="--role", hint=f"Roles: {known}."
        )


def check_peer(uid: int) -> None:
    """Refuse a connection of another user, whatever the socket's mode allowed."""
    if uid != os.getuid():
        raise errors.PolicyDenied(
            role=LEAST_ROLE,
            action="this runtime",
            reason="The runtime serves only the user who started it.",
        )


def unknown_token() -> errors.PolicyDenied:
    """The refusal of a token that was never given to a session. Ignoring it would make its holder somebody else."""
    return errors.PolicyDenied(
        role=LEAST_ROLE,
        action="anything here",
        reason="The session token (ADE_SESSION_TOKEN) belongs to no session of this ADE_HOME; unset it, or start the session "
        "again.",
    )


def foreign_token() -> errors.PolicyDenied:
    """The refusal of a token that some other session was given."""
    return errors.PolicyDenied(
        role=LEAST_ROLE,
        action="anything here",
        reason="The session token (ADE_SESSION_TOKEN) belongs to another session than the one this process runs in.",
    )


def dead_session(session: SessionRecord, state: SessionState) -> errors.PolicyDenied:
    """The refusal of a session that has ended or expired: of its token, and of processes it left behind."""
    reason = f"Session {session.id} has {state}; start a new one from outside of it."
    return errors.PolicyDenied(role=session.role, action="anything here", reason=reason)


_WHY_LEAST: dict[Source, str] = {
    "runtime_child": "A program that the runtime started reads only, unless it has the token of a session.",
    "unverified": "It could not be found out which process asks; from there ADE answers reads only.",
}
