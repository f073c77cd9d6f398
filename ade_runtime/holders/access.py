"""Who may touch a command that ADE keeps running.

To type into a terminal is to be whoever it belongs to. So a session reaches what belongs to itself, to sessions that it started
and, where it leads, to others of its project; what is the owner's own no session reaches. Reading goes further: a session that
is bound to a lane also reads what runs in that lane, and one that leads reads its whole project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.pipeline.reach import BOUND_UP_TO

if TYPE_CHECKING:
    from ade_runtime.holders.records import HolderRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


def check_start(call: Call) -> None:
    """Raise ``policy_denied`` where a program would run outside of a sandbox that its caller is in."""
    if call.caller.transport == "spool":
        raise _denied(
            call, "It would run outside of your sandbox; run it in a shell of your own, or use the socket."
        )


async def check_change(services: Services, call: Call, record: HolderRecord) -> None:
    """Raise ``policy_denied`` where the caller may not type into, signal or end it."""
    if call.identity.session is None:
        return
    if record.session is None:
        raise _denied(call, f"{record.id} is the owner's own.")
    await services.pipeline.reach.check_session(call, record.session)
    call.subject = record.id


async def may_read(services: Services, call: Call, record: HolderRecord) -> bool:
    """Whether the caller may see what it prints."""
    who = call.identity
    if who.session is None:
        return True
    if who.project is not None and record.project_id != who.project:
        return False
    if record.session is not None and who.session in await services.sessions.lineage(record.session):
        return True
    bound = who.lane is not None and ROLES[who.role].rank <= ROLES[BOUND_UP_TO].rank
    return not bound or record.lane_id == who.lane


async def check_read(services: Services, call: Call, record: HolderRecord) -> None:
    """Raise ``policy_denied`` where the caller may not see what it prints."""
    if not await may_read(services, call, record):
        raise _denied(call, f"{record.id} runs neither in your lane nor in a session of yours.")


def _denied(call: Call, reason: str) -> errors.PolicyDenied:
    return errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
