"""Who somebody is to a run: decided by the session that asks and the run's own rows, never by what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.pipeline.identify import may_be
from ade_runtime.pipeline.visibility import in_own_shell
from ade_runtime.runs.document import Manifest

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity

LEADS_FROM = "orchestrator"
"""Lowest role that leads: a session of it acts for the lead in runs of its project unless it takes part in another run."""

OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Member:
    """``role`` is lead, worker or validator; ``session`` is ``None`` for the owner in person, who acts for the lead."""

    role: str
    session: str | None

    @property
    def name(self) -> str:
        return self.session or OWNER


def member_of(manifest: Manifest, identity: Identity, action: str) -> Member:
    """Who asks, as a member of the run; raises ``policy_denied`` for somebody who has no part in it."""
    if in_own_shell(identity):
        return Member("lead", None)
    if identity.session is None:
        raise errors.PolicyDenied(role=identity.role, action=action, reason="It takes no part in the run.")
    for agent in manifest["agents"]:
        if agent["sessionId"] == identity.session:
            return Member(agent["role"], identity.session)
    if may_be(LEADS_FROM, identity) and identity.run in (None, manifest["runId"]):
        return Member("lead", identity.session)
    reason = f"Your session takes no part in run {manifest['runId']}."
    raise errors.PolicyDenied(role=identity.role, action=action, reason=reason)


def leading(manifest: Manifest, identity: Identity, action: str) -> Member:
    """Who asks, where it is the lead; raises ``policy_denied`` for everybody else."""
    member = member_of(manifest, identity, action)
    if member.role != "lead":
        reason = f"Only the lead of run {manifest['runId']} may."
        raise errors.PolicyDenied(role=identity.role, action=action, reason=reason)
    return member
