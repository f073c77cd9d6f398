"""The stages before a handler: identity, visibility, permission, rate limits, time limits."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Mapping

import pytest

from ade_generated import errors
from ade_generated.roles import ROLES
from ade_runtime.contracts import ActionEntry, AdeError, Effect, Idempotency, Scope
from ade_runtime.pipeline.call import Caller, Identity
from ade_runtime.pipeline.capabilities import Lack
from ade_runtime.pipeline.deadline import Deadlines, Expired
from ade_runtime.pipeline.identity import check_peer, owner_identity
from ade_runtime.pipeline.permission import check_allowed
from ade_runtime.pipeline.visibility import Visibility

ENTRY = ActionEntry(
    id="lane.create",
    tool="create_lane",
    domain="lane",
    method="create",
    summary="Create a lane.",
    effect=Effect.WRITE,
    scope=Scope.PROJECT,
    idempotency=Idempotency.REQUEST_ID,
    toolset="base",
    min_role=None,
    requires=(),
    hidden_in=(),
    rate_limit=None,
    timeout=60.0,
    input_ref="",
    output_ref="",
    errors=(),
    text=None,
    cli=("lanes", "create"),
)
NOWHERE = Caller("socket")


def entry(**changes: object) -> ActionEntry:
    return dataclasses.replace(ENTRY, **changes)  # type: ignore[arg-type]


def someone(role: str, session: str | None = None) -> Identity:
    return Identity(role=role, key=f"test:{role}", uid=os.getuid(), session=session)


# -- identity


def test_the_owner_is_an_agent_unless_it_asks() -> None:
    assert owner_identity(wanted=None, ceiling="cto").role == "agent"
    assert owner_identity(wanted="cto", ceiling="cto").role == "cto"
    assert owner_identity(wanted="external", ceiling="agent").role == "external"


def test_without_asking_the_ceiling_lowers_the_owner_too() -> None:
    assert owner_identity(wanted=None, ceiling="external").role == "external"


@pytest.mark.parametrize("wanted", ["orchestrator", "cto"])
def test_nothing_raises_a_role_above_the_ceiling(wanted: str) -> None:
    with pytest.raises(errors.PolicyDenied):
        owner_identity(wanted=wanted, ceiling="agent")


@pytest.mark.parametrize("wanted", ["root", "CTO", " agent", "agent\n"])
def test_an_unknown_role_is_refused(wanted: str) -> None:
    with pytest.raises(errors.InvalidArguments):
        owner_identity(wanted=wanted, ceiling="cto")


def test_another_user_is_refused() -> None:
    check_peer(os.getuid())
    with pytest.raises(errors.PolicyDenied):
        check_peer(os.getuid() + 1)


# -- visibility


def test_both_names_find_an_action() -> None:
    visibility = Visibility({"lane.create": ENTRY})
    assert visibility.find("lane.create", someone("agent"), NOWHERE) is ENTRY
    assert visibility.find("create_lane", someone("agent"), NOWHERE) is ENTRY


def test_an_unknown_name_is_answered_with_a_near_one() -> None:
    with pytest.raises(errors.UnknownAction) as refusal:
        Visibility({"lane.create": ENTRY}).find("lane.craete", someone("agent"), NOWHERE)
    assert refusal.value.details["did_you_mean"][0] == "lane.create"


def test_a_hidden_action_is_as_unknown_as_none_and_never_suggested() -> None:
    visibility = Visibility({"lane.create": entry(requires=("github",))})
    assert list(visibility.visible(someone("cto"), NOWHERE)) == []
    with pytest.raises(errors.UnknownAction) as refusal:
        visibility.find("lane.create", someone("cto"), NOWHERE)
    assert refusal.value.details["did_you_mean"] == []


def test_what_the_machine_lacks_is_found_out_once_a_listing() -> None:
    asked: list[str] = []

    def detector(environ: Mapping[str, str]) -> Lack | None:
        asked.append("github")
        return Lack("it is not there", "Bring it.")

    actions = {f"lane.{number}": entry(requires=("github",)) for number in range(5)}
    visibility = Visibility(actions, detectors={"github": detector})
    assert list(visibility.visible(someone("agent"), NOWHERE)) == []
    assert asked == ["github"]


def test_a_capability_makes_an_action_visible() -> None:
    visibility = Visibility({"lane.create": entry(requires=("github",))}, capabilities=["github"])
    assert [e.id for e in visibility.visible(someone("agent"), NOWHERE)] == ["lane.create"]


def test_a_standalone_chat_does_not_see_what_is_hidden_in_it() -> None:
    visibility = Visibility({"lane.create": entry(hidden_in=("standalone_chat",))})
    chat = Caller("socket", chat="chat_1")
    assert list(visibility.visible(someone("agent"), chat)) == []
    assert len(list(visibility.visible(someone("agent"), NOWHERE))) == 1
    assert len(list(visibility.visible(someone("agent", session="s"), chat))) == 1
    alone = dataclasses.replace(someone("agent", session="s"), standalone=True)
    assert list(visibility.visible(alone, NOWHERE)) == [], "forgetting the chat's id changes nothing"


# -- permission


@pytest.mark.parametrize("role", ["external", "evaluator"])
@pytest.mark.parametrize("effect", [Effect.WRITE, Effect.DESTRUCTIVE, Effect.SECRET])
def test_reading_roles_only_read(role: str, effect: Effect) -> None:
    check_allowed(entry(effect=Effect.READ), someone(role))
    with pytest.raises(errors.PolicyDenied):
        check_allowed(entry(effect=effect), someone(role))


def test_a_spec_opens_a_write_but_never_more() -> None:
    check_allowed(entry(min_role="external"), someone("external"))
    for effect in (Effect.DESTRUCTIVE, Effect.SECRET):
        with pytest.raises(errors.PolicyDenied):
            check_allowed(entry(min_role="external", effect=effect), someone("external"))


@pytest.mark.parametrize("role", list(ROLES))
def test_a_lowest_role_shuts_out_those_below(role: str) -> None:
    if ROLES[role].rank >= ROLES["orchestrator"].rank:
        check_allowed(entry(min_role="orchestrator"), someone(role))
    else:
        with pytest.raises(errors.PolicyDenied):
            check_allowed(entry(min_role="orchestrator", effect=Effect.READ), someone(role))


# -- time limits


@pytest.mark.parametrize("seconds", [0.0, 0.01])
async def test_a_short_limit_ends_the_work(seconds: float) -> None:
    with pytest.raises(Expired), Deadlines().limit(seconds):
        await asyncio.Event().wait()


async def test_a_long_limit_ends_the_work_by_the_ticker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ade_runtime.pipeline.deadline.EXACT_BELOW", 0.0)
    monkeypatch.setattr("ade_runtime.pipeline.deadline.TICK_SECONDS", 0.01)
    deadlines = Deadlines()
    with pytest.raises(Expired), deadlines.limit(0.02):
        await asyncio.Event().wait()
    assert not deadlines._running


async def test_a_cancellation_from_outside_is_no_timeout() -> None:
    async def work() -> None:
        with Deadlines().limit(60.0):
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_work_in_time_is_left_alone() -> None:
    with Deadlines().limit(60.0):
        await asyncio.sleep(0)
    current = asyncio.current_task()
    assert current is not None
    assert current.cancelling() == 0


def test_every_refusal_is_an_error_a_caller_can_read() -> None:
    assert issubclass(errors.PolicyDenied, AdeError)
