"""What Linear refuses or cannot do, as callers are told, and the key that nobody is told."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.client.in_process import Runtime
from ade_runtime.contracts import AdeError
from ade_runtime.integrations.linear.account import Account, api_address, sign_in
from ade_runtime.integrations.linear.client import LinearClient
from ade_runtime.integrations.linear.documents import VIEWER
from tests.support.linear.running import ade, linear
from tests.support.linear.server import KEY, Fault, LinearStandIn

__all__ = ["ade", "linear"]


def client(linear: LinearStandIn, waits: list[float], key: str = KEY) -> LinearClient:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return LinearClient(Account(linear.address, key, "a test"), sleep=sleep)


def problem(code: str, message: str = "no") -> dict[str, Any]:
    return {"errors": [{"message": message, "extensions": {"code": code}}]}


async def test_a_short_limit_is_waited_for(linear: LinearStandIn) -> None:
    waits: list[float] = []
    one = client(linear, waits)
    linear.faults.append(Fault(status=429, headers={"Retry-After": "2"}, document=problem("RATELIMITED")))
    assert (await one.read(VIEWER, {}))["viewer"]["displayName"] == "ada"
    assert waits == [2]
    await one.close()


async def test_a_long_limit_is_told(linear: LinearStandIn) -> None:
    one = client(linear, [])
    linear.faults.append(Fault(status=429, headers={"Retry-After": "90"}, document=""))
    with pytest.raises(errors.LinearRateLimited) as told:
        await one.read(VIEWER, {})
    assert told.value.retry_after_ms == 90_000
    assert told.value.envelope()["retry_after_ms"] == 90_000
    await one.close()


async def test_the_limit_linear_tells_with_status_400_is_one(linear: LinearStandIn) -> None:
    one = client(linear, [])
    headers = {"X-RateLimit-Requests-Remaining": "0", "X-RateLimit-Requests-Reset": "99999999999999"}
    linear.faults.append(Fault(status=400, headers=headers, document=problem("RATELIMITED")))
    with pytest.raises(errors.LinearRateLimited) as told:
        await one.read(VIEWER, {})
    assert told.value.retry_after_ms == 3_600_000, "no limit of theirs is longer than an hour"
    await one.close()


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault(status=401, document=problem("AUTHENTICATION_ERROR")), errors.LinearKeyRefused),
        (Fault(status=403, document=problem("FORBIDDEN")), errors.LinearForbidden),
        (Fault(status=400, document=problem("INPUT_ERROR")), errors.LinearRefused),
        (Fault(status=200, document=problem("INVALID_INPUT")), errors.LinearRefused),
    ],
)
async def test_refusals_are_told_apart(linear: LinearStandIn, fault: Fault, expected: type[AdeError]) -> None:
    one = client(linear, [])
    linear.faults.append(fault)
    with pytest.raises(expected):
        await one.read(VIEWER, {})
    assert len(linear.requests) == 1, "a refusal is not asked for again"
    await one.close()


@pytest.mark.parametrize("document", ["<html>Bad gateway</html>", "", [], {"data": None}])
async def test_an_outage_is_waited_for_and_told(linear: LinearStandIn, document: Any) -> None:
    waits: list[float] = []
    one = client(linear, waits)
    linear.faults.extend(Fault(status=502, document=document) for _ in range(3))
    with pytest.raises(errors.LinearUnavailable):
        await one.read(VIEWER, {})
    assert len(linear.requests) == 3
    assert waits == [0.25]
    await one.close()


async def test_nobody_listens(linear: LinearStandIn) -> None:
    one = LinearClient(Account("http://127.0.0.1:1/graphql", KEY, "a test"), pause=0)
    with pytest.raises(errors.LinearUnavailable, match="cannot be reached"):
        await one.read(VIEWER, {})
    await one.close()


async def test_a_redirect_is_not_followed_with_the_key(linear: LinearStandIn) -> None:
    one = client(linear, [])
    moved = Fault(status=307, headers={"Location": "http://127.0.0.1:1/"}, document="")
    linear.faults.extend([moved] * 3)
    with pytest.raises(errors.LinearUnavailable):
        await one.read(VIEWER, {})
    await one.close()


async def test_a_token_of_oauth_is_a_bearer(linear: LinearStandIn) -> None:
    linear.key = "lin_oauth_0123456789abcdefghijklmnop"
    one = client(linear, [], linear.key)
    assert (await one.read(VIEWER, {}))["viewer"]["displayName"] == "ada"
    await one.close()


async def test_the_key_turns_up_nowhere(linear: LinearStandIn, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    one = client(linear, [])
    told: list[str] = [repr(one.account), str(one.account)]
    echo = {"errors": [{"message": f"bad key {KEY}", "extensions": {"code": "INPUT_ERROR"}}]}
    for fault in (Fault(status=400, document=echo), Fault(status=502, document=f"{KEY}")):
        linear.faults.extend([fault] * 3)
        with pytest.raises(AdeError) as raised:
            await one.read(VIEWER, {})
        linear.faults.clear()
        told += [str(raised.value.envelope()), repr(raised.value), raised.exconly()]
    await one.close()
    assert KEY not in "\n".join(told) + caplog.text


async def test_a_key_that_cannot_be_one_is_not_repeated(
    ade: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAR_API_KEY", "lin_api_secret\nX-Evil: 1")
    with pytest.raises(errors.LinearKeyMalformed) as raised:
        await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())
    assert "secret" not in str(raised.value.envelope())


async def test_without_a_key_there_are_no_issues_and_a_stored_one_brings_them(
    ade: Runtime, linear: LinearStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LINEAR_API_KEY")
    with pytest.raises(errors.LinearKeyMissing):
        await sign_in(ade.services)
    with pytest.raises(errors.UnknownAction):
        await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())
    told = await ade.call("actions.explain", {"action": "issue.show"}, cwd=Path.cwd())
    assert "LINEAR_API_KEY" in told["next"]
    await ade.call("secret.set", {"name": "LINEAR_API_KEY", "value": KEY, "machine": True}, cwd=Path.cwd())
    shown = await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())
    assert shown["issue"]["identifier"] == "ENG-1"
    await ade.call("secret.delete", {"name": "LINEAR_API_KEY", "machine": True}, cwd=Path.cwd())
    with pytest.raises(errors.UnknownAction):
        await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())


async def test_the_callers_own_environment_sends_the_key_nowhere(ade: Runtime, linear: LinearStandIn) -> None:
    there = {"ADE_LINEAR_API_URL": "http://127.0.0.1:1/", "LINEAR_API_KEY": "lin_api_other0123456789"}
    shown = await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd(), env=there)
    assert shown["issue"]["identifier"] == "ENG-1"


@pytest.mark.parametrize(
    "address", ["http://linear.example.org/", "ftp://127.0.0.1/", "https://a:b@example.org/", "nonsense"]
)
def test_an_address_that_is_not_safe_is_refused(address: str) -> None:
    with pytest.raises(errors.LinearAddressUnsafe):
        api_address({"ADE_LINEAR_API_URL": address})


async def test_the_issue_of_the_lane_is_meant_where_none_is_named(ade: Runtime) -> None:
    lane = await ade.call("lane.create", {"name": "passkeys"}, cwd=Path.cwd())
    with pytest.raises(errors.IssueRequired):
        await ade.call("issue.show", {}, cwd=lane["path"])
    linked = await ade.call("issue.link_to_lane", {"issue": "eng-1"}, cwd=lane["path"])
    assert (linked["lane"], linked["before"]) == ("passkeys", None)
    assert (await ade.call("issue.show", {}, cwd=lane["path"]))["issue"]["identifier"] == "ENG-1"
    changed = await ade.call("issue.update_state", {"state": "In Progress"}, cwd=lane["path"])
    assert (changed["issue"]["state"], changed["issue"]["lane"]) == ("In Progress", "passkeys")
    again = await ade.call("issue.link_to_lane", {"issue": "ENG-2"}, cwd=lane["path"])
    assert again["before"] == "ENG-1"


async def test_lists_are_paged_to_their_end(ade: Runtime, linear: LinearStandIn) -> None:
    for number in range(7):
        linear.workspace.add_issue(f"More {number}")
    found: list[str] = []
    cursor = None
    while True:
        wish = {"limit": 4} if cursor is None else {"limit": 4, "cursor": cursor}
        page = await ade.call("issue.list", wish, cwd=Path.cwd())
        found += [one["identifier"] for one in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(found) == len(set(found)) == 9, "all but the one that is done"
