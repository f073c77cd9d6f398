"""Signing in at Linear by OAuth: let in by whom it asked, refreshed by one at a time, gone when it is revoked."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx
import pytest

from ade_generated import errors
from ade_runtime.client.in_process import Runtime
from ade_runtime.services import Settings
from tests.support.linear.oauth import CLIENT
from tests.support.linear.running import Later, ade, linear
from tests.support.linear.server import Fault, LinearStandIn

__all__ = ["ade", "linear"]
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def no_key(linear: LinearStandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINEAR_API_KEY")


async def do(ade: Runtime, action: str, **arguments: Any) -> dict[str, Any]:
    return await ade.call(f"linear_sync.{action}", arguments, cwd=Path.cwd())


async def shown(ade: Runtime) -> str:
    found = await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())
    return str(found["issue"]["identifier"])


async def visit(url: str, **changed: str) -> tuple[int, str]:
    """What a browser does with an address: go where it is sent. ``changed`` are parts of the way back that somebody changed."""
    async with httpx.AsyncClient() as browser:
        sent = await browser.get(url)
        assert sent.status_code == 302, sent.text
        back = urlsplit(sent.headers["location"])
        query = urlencode(dict(parse_qsl(back.query)) | changed)
        came = await browser.get(back._replace(query=query).geturl())
        return came.status_code, back._replace(query=query).geturl()


@pytest.fixture
async def signed_in(ade: Runtime, linear: LinearStandIn) -> AsyncIterator[dict[str, Any]]:
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    await visit(began["url"])
    yield await do(ade, "sign_in", wait=20)


async def test_who_is_asked_in_a_browser_is_signed_in(ade: Runtime, linear: LinearStandIn) -> None:
    with pytest.raises(errors.UnknownAction):
        await shown(ade)
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    assert not began["signed_in"]
    asked = parse_qs(urlsplit(began["url"]).query)
    assert asked["code_challenge_method"] == ["S256"] and asked["redirect_uri"] == [began["redirect"]]
    assert (await do(ade, "sign_in", client_id=CLIENT))["url"] == began["url"], "the one that waits is joined"
    waiting = asyncio.create_task(do(ade, "sign_in", wait=20))
    status, back = await visit(began["url"])
    assert status == 200
    told = await waiting
    assert not any(one() for one in ade.services.expecting), "a runtime may end once nobody is waited for"
    assert (told["signed_in"], told["user"], told["used"]) == (True, "ada", True)
    assert await shown(ade) == "ENG-1"
    with pytest.raises(httpx.ConnectError):
        async with httpx.AsyncClient() as browser:
            await browser.get(back)
    assert await do(ade, "sign_in") == told, "how it stands can be asked for at any time"


async def test_a_key_goes_before_who_is_signed_in(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAR_API_KEY", linear.key)
    told = await do(ade, "sign_in")
    assert told["signed_in"] and not told["used"]


async def test_a_way_back_with_another_state_changes_nothing(ade: Runtime, linear: LinearStandIn) -> None:
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    assert (await visit(began["url"], state="forged"))[0] == 400
    async with httpx.AsyncClient() as browser:
        for query in ("", "?code=1", "?state=", "?error=access_denied", "?code=1&state=a&state=b"):
            assert (await browser.get(began["redirect"] + query)).status_code == 400
        assert (await browser.post(began["redirect"], content=b"")).status_code == 405
        assert (await browser.get(began["redirect"] + "x")).status_code == 404
    assert not (await do(ade, "sign_in"))["signed_in"], "it still waits for the right one"
    assert linear.granted == [], "and no code of anybody's was sent on"
    assert (await visit(began["url"]))[0] == 200
    assert (await do(ade, "sign_in", wait=20))["signed_in"]


async def test_a_person_who_says_no_is_heard(ade: Runtime, linear: LinearStandIn) -> None:
    linear.desk.denies = "access_denied"
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    await visit(began["url"])
    with pytest.raises(errors.LinearSignInDenied, match="access_denied"):
        await do(ade, "sign_in", wait=20)
    with pytest.raises(errors.LinearNotSignedIn):
        await do(ade, "sign_in")


async def test_a_code_that_linear_does_not_take_lets_nobody_in(ade: Runtime, linear: LinearStandIn) -> None:
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    await visit(began["url"], code="0" * 40)
    with pytest.raises(errors.LinearSignInFailed, match="invalid_grant"):
        await do(ade, "sign_in", wait=20)


async def test_a_code_is_bound_to_who_asked_for_it(ade: Runtime, linear: LinearStandIn) -> None:
    """A code that was given for another challenge, such as one of an attacker's own, is refused by Linear."""
    other = await do(ade, "sign_in", client_id=CLIENT, port=0)
    async with httpx.AsyncClient() as browser:
        stolen = dict(parse_qsl(urlsplit((await browser.get(other["url"])).headers["location"]).query))
    linear.desk.codes[stolen["code"]]["code_challenge"] = "another"
    async with httpx.AsyncClient() as browser:
        await browser.get(f"{other['redirect']}?{urlencode(stolen)}")
    with pytest.raises(errors.LinearSignInFailed):
        await do(ade, "sign_in", wait=20)


async def test_a_command_without_a_runtime_waits_for_nobody(ade: Runtime) -> None:
    ade.services.settings = Settings(one_command=True)
    with pytest.raises(errors.LinearSignInFailed, match="headless"):
        await do(ade, "sign_in", client_id=CLIENT, port=0)


async def test_the_port_may_be_taken(ade: Runtime) -> None:
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(errors.LinearSignInPortTaken):
        await do(ade, "sign_in", client_id=CLIENT, port=port)
    server.close()
    await server.wait_closed()


async def test_a_token_that_is_over_is_refreshed_once_for_all(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any]
) -> None:
    ade.services.clock = clock = Later()
    clock.ahead = DAY
    assert await asyncio.gather(*(shown(ade) for _ in range(6))) == ["ENG-1"] * 6
    assert linear.desk.refreshed == 1
    after = await do(ade, "sign_in")
    assert after["expires_at"] > signed_in["expires_at"] and after["user"] == "ada"
    clock.ahead = 2 * DAY
    assert await shown(ade) == "ENG-1"
    assert linear.desk.refreshed == 2, "with the refresh token that came the last time"


async def test_two_processes_refresh_it_once(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any], tmp_path: Path
) -> None:
    async with Runtime.open(tmp_path / "home") as other:
        for one in (ade, other):
            one.services.clock = clock = Later()
            clock.ahead = DAY
        assert await asyncio.gather(shown(ade), shown(other), shown(ade), shown(other)) == ["ENG-1"] * 4
    assert linear.desk.refreshed == 1


@pytest.mark.parametrize("place", [0, 9, 40, 180, -1])
async def test_a_lost_answer_is_asked_for_again(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any], place: int
) -> None:
    linear.faults.append(Fault("oauth/token", cut_after=place))
    linear.faults.append(Fault("oauth/token", lost=True))
    ade.services.clock = clock = Later()
    clock.ahead = DAY
    assert await shown(ade) == "ENG-1"
    assert linear.desk.refreshed == 1


async def test_a_token_that_ends_early_is_refreshed_and_the_request_made_again(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any]
) -> None:
    assert await shown(ade) == "ENG-1"
    linear.desk.access.clear()
    wish = {"issue": "ENG-1", "body": "once"}
    await ade.call("issue.comment", wish, cwd=Path.cwd())
    assert (linear.desk.refreshed, len(linear.workspace.comments)) == (1, 1)


async def test_who_was_thrown_out_is_told_to_sign_in_again(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any]
) -> None:
    linear.desk.access.clear()
    linear.desk.refresh.clear()
    with pytest.raises(errors.LinearSignInOver) as told:
        await shown(ade)
    assert "ade linear sign-in" in told.value.envelope()["hint"]
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    await visit(began["url"])
    await do(ade, "sign_in", wait=20)
    assert await shown(ade) == "ENG-1"


async def test_signing_out_revokes_and_forgets(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any]
) -> None:
    assert await do(ade, "sign_out") == {"user": "ada", "revoked": True}
    assert (linear.desk.access, linear.desk.refresh) == ({}, {})
    hints = [form["token_type_hint"] for path, form in linear.granted if path == "/oauth/revoke"]
    assert hints == ["refresh_token", "access_token"]
    with pytest.raises(errors.UnknownAction):
        await shown(ade)
    with pytest.raises(errors.LinearNotSignedIn):
        await do(ade, "sign_out")


async def test_signing_out_where_linear_is_away_is_tried_again_or_forced(
    ade: Runtime, linear: LinearStandIn, signed_in: dict[str, Any]
) -> None:
    linear.faults.extend([Fault("oauth/revoke", status=502)] * 3)
    with pytest.raises(errors.LinearUnavailable):
        await do(ade, "sign_out")
    assert (await do(ade, "sign_in"))["signed_in"]
    linear.faults.extend([Fault("oauth/revoke", lost=True)] * 3)
    assert not (await do(ade, "sign_out", force=True))["revoked"]
    with pytest.raises(errors.LinearNotSignedIn):
        await do(ade, "sign_in")


async def test_tokens_are_in_the_store_and_nowhere_else(
    ade: Runtime, linear: LinearStandIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    began = await do(ade, "sign_in", client_id=CLIENT, port=0)
    _, back = await visit(began["url"])
    told = [json.dumps(await do(ade, "sign_in", wait=20)), await shown(ade)]
    ade.services.clock = clock = Later()
    clock.ahead = DAY
    await shown(ade)
    linear.desk.access.clear()
    linear.desk.refresh.clear()
    with pytest.raises(errors.LinearSignInOver) as raised:
        await shown(ade)
    told += [str(raised.value.envelope()), json.dumps(await ade.call("event.poll", {}, cwd=Path.cwd()))]
    secrets = {dict(parse_qsl(urlsplit(back).query))["code"]}
    for _, form in linear.granted:
        secrets |= {form[name] for name in ("code", "code_verifier", "refresh_token") if name in form}
    secrets |= {one["access_token"] for _, (_, one) in linear.desk.replays.values()}
    assert len(secrets) >= 4
    ours = "\n".join(one.getMessage() for one in caplog.records if one.name.startswith("ade"))
    kept = [path.read_bytes() for path in (tmp_path / "home").rglob("*") if path.is_file()]
    for secret in secrets:
        assert secret not in "\n".join(told) + ours
        assert not any(secret.encode() in content for content in kept), "stored only where it is encrypted"
    token = (await ade.call("session.start", {"role": "agent"}, cwd=Path.cwd()))["token"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADE_SESSION_TOKEN", token)
        for action in ("sign_in", "sign_out"):
            with pytest.raises(errors.UnknownAction):
                await do(ade, action)
