"""Own lane, own session, own project, never one's own request; what a caller sees is what it can call."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.models.session import SessionEndInput
from ade_generated.roles import ROLES, TOOLSETS
from ade_runtime.contracts import Effect, Target, Toolset
from ade_runtime.machine.paths import Paths
from ade_runtime.pipeline.call import Call, Caller, Identity
from ade_runtime.pipeline.identity import least_identity, owner_identity, session_identity
from ade_runtime.pipeline.permission import check_allowed, why_forbidden
from ade_runtime.pipeline.visibility import Visibility
from ade_runtime.services import Services
from tests.unit.sessions.test_sessions import start

NOWHERE = Caller("socket")


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = Services(Paths.of_home(tmp_path / "home"))
    made.paths.make_folders()
    yield made
    await made.close()


async def session(services: Services, **changes: Any) -> Identity:
    record, _ = await start(services, **changes)
    return session_identity(record, "token", wanted=None, ceiling="cto", uid=os.getuid())


async def hold(services: Services, who: Identity, target: Target, named: str) -> None:
    action = dataclasses.replace(ACTIONS["session.end"], target=target)
    await services.pipeline.reach.hold(Call(action, who, NOWHERE), SessionEndInput(session=named))


# -- roles of sessions


@given(st.sampled_from(sorted(ROLES)), st.sampled_from(sorted(ROLES)), st.sampled_from(sorted(ROLES)))
def test_no_wish_and_no_ceiling_raises_a_session(role: str, wanted: str, ceiling: str) -> None:
    from types import SimpleNamespace

    record = SimpleNamespace(
        id="ses_x", role=role, project=None, lane=None, run=None, interaction_mode=None, standalone=False
    )
    try:
        found = session_identity(record, "token", wanted=wanted, ceiling=ceiling, uid=0)  # type: ignore[arg-type]
    except errors.PolicyDenied:
        return
    assert ROLES[found.role].rank <= min(ROLES[name].rank for name in (role, wanted, ceiling))


def test_what_is_not_known_reads_only() -> None:
    assert least_identity("unverified", wanted=None, uid=0).role == "external"
    with pytest.raises(errors.PolicyDenied):
        least_identity("runtime_child", wanted="agent", uid=0)


# -- faults of systems like this one


@pytest.mark.parametrize("role", ["external", "evaluator"])
def test_fault_03_reading_roles_call_nothing_that_changes_or_reveals(role: str) -> None:
    who = Identity(role=role, key="k", uid=0)
    for entry in ACTIONS.values():
        if entry.effect is Effect.READ:
            continue
        opened = entry.min_role is not None and ROLES[entry.min_role].rank <= ROLES[role].rank
        assert why_forbidden(entry, who) or (opened and entry.effect is Effect.WRITE), entry.id


def test_fault_03_every_action_that_changes_something_says_what() -> None:
    """Or says, with an empty target, that it is more than a session bound to a lane may change."""
    closed = {
        entry.id
        for entry in ACTIONS.values()
        if entry.effect is not Effect.READ
        and entry.target == Target()
        and "agent" in TOOLSETS[entry.toolset].roles
    }
    of_projects = {"config.set", "config.trust", "config.distrust", "proof.limit", "proof.sweep"}
    of_packs = {"pack.add", "pack.trust", "pack.remove"}
    of_queues = {entry.id for entry in ACTIONS.values() if entry.id.startswith("queue.")} - {"queue.state"}
    assert closed == {"lane.merge", "lane.undelete", "run.export"} | of_projects | of_packs | of_queues


async def test_fault_04_nobody_decides_about_what_they_asked_for(services: Services) -> None:
    asker = await session(services)
    child = await session(services, parent=asker.session)
    lead = await session(services, role="orchestrator")
    cto = await session(services, role="cto")
    who_asked = {"req_1": asker.session, "req_2": cto.session, "req_3": None}

    async def requester(call: Call, request: str) -> str | None:
        return who_asked[request]

    services.pipeline.reach.requesters["session"] = requester
    request = Target(request="session")
    for who in (asker, child):
        with pytest.raises(errors.PolicyDenied):
            await hold(services, who, request, "req_1")
    with pytest.raises(errors.PolicyDenied):
        await hold(services, cto, request, "req_2")
    await hold(services, lead, request, "req_1")
    await hold(services, cto, request, "req_1")
    await hold(services, owner_identity(wanted=None, ceiling="cto"), request, "req_1")


async def test_fault_04_without_knowing_who_asked_nobody_decides(services: Services) -> None:
    lead = await session(services, role="cto")
    with pytest.raises(errors.PolicyDenied):
        await hold(services, lead, Target(request="session"), "req_1")


async def test_fault_04_sessions_reach_their_own_and_those_they_started(services: Services) -> None:
    target = Target(session="session")
    one = await session(services, project="prj_1")
    two = await session(services, project="prj_1")
    child = await session(services, project="prj_1", parent=one.session)
    lead = await session(services, project="prj_1", role="orchestrator")
    boss = await session(services, project="prj_1", role="cto")
    elsewhere = await session(services, project="prj_2")
    allowed = [(one, one), (one, child), (lead, one), (lead, child), (boss, lead)]
    refused = [(one, two), (child, one), (one, lead), (lead, elsewhere), (boss, elsewhere), (lead, boss)]
    for who, named in allowed:
        await hold(services, who, target, str(named.session))
    for who, named in refused:
        with pytest.raises(errors.PolicyDenied):
            await hold(services, who, target, str(named.session))
    lowered = dataclasses.replace(lead, role="agent")
    with pytest.raises(errors.PolicyDenied):
        await hold(services, lowered, target, str(one.session))


async def test_fault_04_a_cto_of_the_whole_machine_reaches_every_session(services: Services) -> None:
    everywhere = await session(services, role="cto")
    other = await session(services, project="prj_2", role="orchestrator")
    await hold(services, everywhere, Target(session="session"), str(other.session))
    with pytest.raises(errors.SessionNotFound):
        await hold(services, everywhere, Target(session="session"), "ses_nobody")


def test_fault_06_denied_and_missing_are_told_apart_only_where_that_is_nobodys_secret() -> None:
    hidden = dataclasses.replace(ACTIONS["lane.create"], requires=("github",))
    visibility = Visibility({"lane.create": hidden, "lane.delete": ACTIONS["lane.delete"]})
    who = Identity(role="evaluator", key="k", uid=0)
    with pytest.raises(errors.UnknownAction):
        visibility.find("lane.create", who, NOWHERE)
    assert visibility.exists("lane.create", who, NOWHERE) is hidden
    with pytest.raises(errors.PolicyDenied):
        check_allowed(visibility.find("lane.delete", who, NOWHERE), who)


callers = st.builds(
    Identity,
    role=st.sampled_from(sorted(ROLES)),
    key=st.just("k"),
    uid=st.just(0),
    session=st.sampled_from([None, "ses_1"]),
    mode=st.sampled_from([None, "planning", "lead", "worker", "validator"]),
    standalone=st.booleans(),
)


@given(
    callers, st.sampled_from([None, "chat_1"]), st.sets(st.sampled_from(["computer_use", "github", "linear"]))
)
def test_fault_09_what_is_listed_is_what_can_be_found_by_a_call(
    who: Identity, chat: str | None, capabilities: set[str]
) -> None:
    toolsets = {
        "base": TOOLSETS["base"],
        "lead": Toolset(
            name="lead", summary="s", roles=("agent", "orchestrator"), modes=("lead",), server="ade"
        ),
        "cto": Toolset(name="cto", summary="s", roles=("cto",), server="ade"),
    }
    base = ACTIONS["lane.create"]
    actions = {}
    for number, toolset in enumerate(toolsets):
        for requires in ((), ("computer_use",), ("github", "linear")):
            for hidden_in in ((), ("standalone_chat",)):
                name = f"x.a{len(actions)}"
                actions[name] = dataclasses.replace(
                    base,
                    id=name,
                    tool=f"t{number}_{len(actions)}",
                    toolset=toolset,
                    requires=requires,
                    hidden_in=hidden_in,
                )
    visibility = Visibility(actions, capabilities, toolsets)
    caller = Caller("socket", chat=chat)
    listed = {entry.id for entry in visibility.visible(who, caller)}
    for entry in actions.values():
        for name in (entry.id, entry.tool):
            try:
                assert visibility.find(name, who, caller) is entry
                found = True
            except errors.UnknownAction as refusal:
                found = False
                assert (
                    not set(refusal.details["did_you_mean"]) - listed - {actions[one].tool for one in listed}
                )
            assert found == (entry.id in listed) == (visibility.why_hidden(entry, who, caller) is None)
