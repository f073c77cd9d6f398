"""What Linear tells and is asked: taken in once, from nobody else, and handed on once."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ade_generated import errors
from ade_runtime.client.in_process import Runtime
from ade_runtime.issues.service import Issues
from ade_runtime.linear_sync import poll, webhook
from tests.support.linear.running import ade, linear
from tests.support.linear.server import Fault, LinearStandIn, each, sampled

__all__ = ["ade", "linear"]
PUBLIC = "https://hooks.example.org/ade"


async def do(ade: Runtime, action: str, **arguments: Any) -> dict[str, Any]:
    return await ade.call(f"linear_sync.{action}", arguments, cwd=Path.cwd())


def policy_file() -> Path:
    folder = Path.cwd() / ".ade"
    folder.mkdir(exist_ok=True)
    return folder / "linear-flow.yaml"


def content(file: Path) -> str:
    return file.read_text()


def put(file: Path, text: str) -> None:
    file.write_text(text)


def lead(file: Path, elsewhere: Path) -> None:
    file.symlink_to(elsewhere)


class Sender:
    """Delivers what Linear would, to where this machine listens."""

    def __init__(self, port: int, path: str, secret: str) -> None:
        self.address = f"http://127.0.0.1:{port}{path}"
        self.secret = secret

    def body(self, issue: dict[str, Any], *, at: float | None = None, **more: Any) -> bytes:
        told = {name: issue[name] for name in ("id", "identifier", "title", "url", "priority", "updatedAt")}
        told |= {
            "team": {"key": issue["team"]["key"]},
            "labels": [{"name": one["name"]} for one in issue["labels"]],
        }
        told |= {"state": {name: issue["state"][name] for name in ("name", "type")}, "assignee": None}
        stamp = int(1000 * (time.time() if at is None else at))
        document = {"action": "update", "type": "Issue", "data": told, "webhookTimestamp": stamp}
        return json.dumps(document | more).encode()

    async def send(self, body: bytes, *, delivery: str | None = None, signature: str | None = None) -> int:
        signed = signature or hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        headers = {"Linear-Delivery": delivery or str(uuid.uuid4()), "Linear-Signature": signed.encode()}
        async with httpx.AsyncClient() as client:
            return (await client.post(self.address, content=body, headers=headers)).status_code


@pytest.fixture
async def sender(ade: Runtime, linear: LinearStandIn) -> Sender:
    made = await do(ade, "ensure_webhook", url=PUBLIC)
    (hook,) = linear.workspace.webhooks
    status = await do(ade, "ingress_status")
    assert made["listening"] and status["port"] == made["port"]
    assert hook["url"] == made["url"] == PUBLIC + status["path"]
    return Sender(made["port"], status["path"], hook["secret"])


async def test_a_delivery_is_taken_in_once(ade: Runtime, linear: LinearStandIn, sender: Sender) -> None:
    issue = linear.workspace.issues[0]
    body = sender.body(issue)
    assert [await sender.send(body, delivery="0000-delivery-1") for _ in range(3)] == [200] * 3
    assert await sender.send(body, delivery="0000-delivery-2") == 200, "a replay under another id"
    answers = await asyncio.gather(*(sender.send(sender.body(issue)) for _ in range(10)))
    assert answers == [200] * 10
    assert (await do(ade, "ingress_events"))["total"] == 1
    status = await do(ade, "ingress_status")
    assert (status["taken"], status["rejected"]) == (1, 0)
    (item,) = (await do(ade, "queue_list"))["items"]
    assert (item["issue"], item["state"], item["route"]) == ("ENG-1", "waiting", "hold")
    polled = await do(ade, "run_now")
    assert (polled["seen"], polled["fresh"]) == (3, 2), "what was told is known when it is asked for"


async def test_nobody_else_is_heard(ade: Runtime, linear: LinearStandIn, sender: Sender) -> None:
    issue = linear.workspace.issues[0]
    body = sender.body(issue)
    other = hmac.new(b"other", body, hashlib.sha256).hexdigest()
    for signature in ("0" * 64, "none", other, "\u00fc"):
        assert await sender.send(body, signature=signature) == 401
    for seconds in (-61, 61, -86400):
        assert await sender.send(sender.body(issue, at=time.time() + seconds)) == 401
    for broken in (b"", b"[]", b"{", b'{"webhookTimestamp": true}', b'{"webhookTimestamp": "1"}'):
        assert await sender.send(broken) in (400, 401)
    assert await sender.send(body, delivery="x") == 400
    status = await do(ade, "ingress_status")
    assert (status["taken"], status["rejected"]) == (0, 13)
    assert (await do(ade, "ingress_events"))["total"] == 0


async def test_what_is_no_delivery_is_turned_away(ade: Runtime, sender: Sender) -> None:
    async with httpx.AsyncClient() as client:
        assert (await client.get(sender.address)).status_code == 405
        assert (await client.post(sender.address + "x", content=b"{}")).status_code == 404
        unknown = sender.address.rsplit("/", 1)[0] + "/prj_nobody000000"
        assert (await client.post(unknown, content=b"{}")).status_code == 404
        assert (await client.post(sender.address, content=b" " * (2**20 + 1))).status_code == 413
    port = httpx.URL(sender.address).port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST / HTTP/1.1\r\n" + b"x" * 20_000)
    await writer.drain()
    assert await reader.read() == b""
    writer.close()
    for length, status in ((b"\xb2", 400), (b"-1", 400), (b"9" * 5000, 413)):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = httpx.URL(sender.address).path.encode()
        writer.write(b"POST " + path + b" HTTP/1.1\r\nContent-Length: " + length + b"\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 %d " % status)
        writer.close()


async def test_labels_that_are_no_list_are_none(ade: Runtime, linear: LinearStandIn, sender: Sender) -> None:
    document = json.loads(sender.body(linear.workspace.issues[0]))
    document["data"]["labels"] = 7
    assert await sender.send(json.dumps(document).encode()) == 200
    assert (await do(ade, "queue_list"))["total"] == 1


@pytest.mark.parametrize(
    "url",
    ["http://hooks.example.org", "https://u:p@h.org", "https://h.org/?q", "https://[::1", "https://h .org",
     "https://h.org:99999999", "https://h.org:0", "https://h.org\r\nx: y", "https://h\u00f6.org"],
)  # fmt: skip
async def test_an_address_that_is_none_is_not_told_to_linear(
    ade: Runtime, linear: LinearStandIn, url: str
) -> None:
    with pytest.raises(errors.WebhookAddressUnsafe):
        await do(ade, "ensure_webhook", url=url)
    assert linear.workspace.webhooks == []


async def test_other_things_than_issues_are_noted_and_wait_for_nobody(ade: Runtime, sender: Sender) -> None:
    stamp = int(time.time() * 1000)
    document = {"type": "Comment", "action": "create", "data": {"id": "c1"}, "webhookTimestamp": stamp}
    assert await sender.send(json.dumps(document).encode()) == 200
    (event,) = (await do(ade, "ingress_events"))["items"]
    assert (event["kind"], event["outcome"], event["issue"]) == ("Comment", "ignored", None)
    assert (await do(ade, "queue_list"))["total"] == 0


LONG = [pytest.mark.stress, pytest.mark.timeout(7200)]


@pytest.mark.parametrize(
    "places", [pytest.param(sampled, id="sampled"), pytest.param(each, id="each byte", marks=LONG)]
)
async def test_the_same_webhook_is_found_wherever_the_answer_is_cut(
    ade: Runtime, linear: LinearStandIn, places: Callable[[int], Iterator[int]]
) -> None:
    ade.services.__dict__["issues"] = Issues(ade.services, pause=0)
    (project,) = await ade.services.projects.all()
    await webhook.ensure(ade.services, project, PUBLIC, None, "owner")
    for count in sorted(set(places(linear.sizes[-1]))):
        linear.workspace.webhooks.clear()
        linear.faults.append(Fault("webhookCreate", cut_after=count))
        made = await webhook.ensure(ade.services, project, PUBLIC, None, "owner")
        assert made.created and len(linear.workspace.webhooks) == 1
    again = await do(ade, "ensure_webhook", url=PUBLIC)
    assert not again["created"]
    (hook,) = linear.workspace.webhooks
    hook["enabled"] = False
    assert not (await do(ade, "ensure_webhook", url=PUBLIC))["created"]
    assert hook["enabled"]
    secret = hook["secret"]
    for count in sorted(set(places(linear.sizes[-1]))):
        hook["enabled"] = False
        linear.faults.append(Fault("webhookUpdate", cut_after=count))
        assert not (await webhook.ensure(ade.services, project, PUBLIC, None, "owner")).created
        assert hook["enabled"] and hook["secret"] == secret and linear.workspace.webhooks == [hook]
    assert not linear.faults


async def test_the_secret_of_the_webhook_is_told_to_linear_only(
    ade: Runtime, sender: Sender, caplog: pytest.LogCaptureFixture
) -> None:
    for action in ("dashboard", "ingress_status", "ingress_events", "policy_get"):
        assert sender.secret not in json.dumps(await do(ade, action))
    events = await ade.call("event.poll", {}, cwd=Path.cwd())
    assert sender.secret not in json.dumps(events) + caplog.text
    with pytest.raises(errors.SecretNotFound):
        await ade.call("secret.get", {"name": "LINEAR_WEBHOOK_SECRET"}, cwd=Path.cwd())


async def test_an_issue_is_handed_on_once(ade: Runtime, linear: LinearStandIn) -> None:
    rules = "version: 1\nrules:\n  - {name: bugs, when: {labels: [bug]}, route: run}\n"
    await do(ade, "policy_save", policy=rules)
    first = await do(ade, "run_now")
    assert [one["issue"] for one in first["routed"]] == ["ENG-2"]
    (routed,) = first["routed"]
    assert (routed["state"], routed["rule"]) == ("routed", "bugs")
    linear.workspace.update_issue("ENG-2", {})
    again = await do(ade, "run_now")
    assert (again["fresh"], again["routed"]) == (1, [])
    assert (await ade.call("run.list", {}, cwd=Path.cwd()))["total"] == 1
    with pytest.raises(errors.LinearItemClosed):
        await do(ade, "route_to_run", item=routed["id"])
    await do(ade, "queue_resolve", item=routed["id"], resolution="requeue")
    back = await do(ade, "route_to_run", item=routed["id"])
    assert back["target"] == routed["target"], "it is found, not made anew"
    assert (await ade.call("run.list", {}, cwd=Path.cwd()))["total"] == 1


async def test_who_asks_at_the_same_time_hands_on_once(ade: Runtime) -> None:
    await do(ade, "run_now", route=False)
    item = (await do(ade, "queue_list"))["items"][0]["id"]
    answers = await asyncio.gather(
        *(do(ade, "route_to_run", item=item) for _ in range(4)), return_exceptions=True
    )
    assert sum(isinstance(one, dict) for one in answers) == 1
    assert all(isinstance(one, dict | errors.LinearItemClosed) for one in answers)


async def test_what_failed_says_why_and_may_be_tried_again(ade: Runtime) -> None:
    await do(ade, "run_now", route=False)
    item = (await do(ade, "queue_list"))["items"][0]["id"]
    with pytest.raises(errors.LaneNotFound):
        await do(ade, "route_to_run", item=item, lane="nowhere")
    board = await do(ade, "dashboard")
    assert board["attention"][0]["error"].startswith("lane_not_found")
    assert (await do(ade, "route_to_run", item=item))["attempts"] == 2


async def test_an_issue_that_is_done_meanwhile_waits_no_more(ade: Runtime, linear: LinearStandIn) -> None:
    await do(ade, "run_now", route=False)
    done = next(one for one in linear.workspace.teams[0]["states_"] if one["name"] == "Done")
    linear.workspace.update_issue("ENG-1", {"stateId": done["id"]})
    await do(ade, "run_now", route=False)
    states = {one["issue"]: one["state"] for one in (await do(ade, "queue_list"))["items"]}
    assert states == {"ENG-1": "over", "ENG-2": "waiting"}


async def test_policies_are_kept_and_put_back(ade: Runtime) -> None:
    file = policy_file()
    first, second = "version: 1\notherwise: hold\n", "version: 1\notherwise: cto\n"
    assert (await do(ade, "policy_save", policy=first))["revision"] == 1
    assert (await do(ade, "policy_save", policy=first))["revision"] == 1, "nothing was changed"
    assert (await do(ade, "policy_save", policy=second, expected_revision=1))["revision"] == 2
    with pytest.raises(errors.FlowPolicyChanged):
        await do(ade, "policy_save", policy=first, expected_revision=1)
    assert (await do(ade, "policy_get"))["path"] == str(file)
    assert content(file) == second
    assert (await do(ade, "policy_save", rollback_to=1))["revision"] == 3
    shown = await do(ade, "policy_get")
    assert (shown["policy"], shown["history"][0]["note"]) == (first, "Back to revision 1")
    put(file, second)
    assert (await do(ade, "policy_get"))["file_differs"]
    assert (await do(ade, "simulate_route", issue="ENG-1"))["route"] == "hold", "a file alone changes nothing"
    assert (await do(ade, "simulate_route", issue="ENG-1", policy=second))["route"] == "cto"
    assert (await do(ade, "policy_save", from_file=True))["revision"] == 4


async def test_going_back_decides_anew_about_what_waits_and_leaves_what_was_handed_on(ade: Runtime) -> None:
    rules = "version: 1\nrules:\n  - {name: NAME, when: {labels: [LABEL]}, route: run}\n"
    first = rules.replace("NAME", "bugs").replace("LABEL", "bug")
    second = rules.replace("NAME", "wishes").replace("LABEL", "feature")
    await do(ade, "run_now", route=False)
    await do(ade, "policy_save", policy=first)
    await do(ade, "policy_save", policy=second, note="Wishes first")

    async def decided() -> dict[str, tuple[str, str, str | None]]:
        found = (await do(ade, "queue_list"))["items"]
        return {one["issue"]: (one["state"], one["route"], one["rule"]) for one in found}

    held = ("waiting", "hold", None)
    assert await decided() == {"ENG-1": ("waiting", "run", "wishes"), "ENG-2": held}
    await do(ade, "policy_save", rollback_to=1)
    assert await decided() == {"ENG-1": held, "ENG-2": ("waiting", "run", "bugs")}
    await do(ade, "run_now")
    await do(ade, "policy_save", rollback_to=2)
    assert await decided() == {"ENG-1": ("waiting", "run", "wishes"), "ENG-2": ("routed", "run", "bugs")}
    history = (await do(ade, "policy_get"))["history"]
    notes = [(one["revision"], one["note"]) for one in history]
    assert notes == [(4, "Back to revision 2"), (3, "Back to revision 1"), (2, "Wishes first"), (1, None)]
    for revision, text in ((1, first), (2, second), (3, first), (4, second)):
        assert (await do(ade, "policy_get", revision=revision))["policy"] == text
    with pytest.raises(errors.FlowPolicyInvalid) as refused:
        await do(ade, "policy_save", policy="version: 1\nrules:\n  - {name: a, route: nowhere}\n")
    assert [one["line"] for one in refused.value.details["problems"]] == [3]
    with pytest.raises(errors.FlowPolicyNotFound):
        await do(ade, "policy_save", rollback_to=9)
    assert (await do(ade, "policy_get"))["revision"] == 4, "what was refused changed nothing"


async def test_a_pipe_in_place_of_the_file_is_not_waited_for(ade: Runtime) -> None:
    os.mkfifo(policy_file())
    with pytest.raises(errors.FlowPolicyUnreadable, match="no regular file"):
        await do(ade, "policy_save", from_file=True)


async def test_a_file_that_leads_elsewhere_is_not_read(ade: Runtime, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", "version: 1\n")
    lead(policy_file(), tmp_path / "elsewhere")
    with pytest.raises(errors.FlowPolicyUnreadable):
        await do(ade, "policy_save", from_file=True)


async def test_a_failed_look_is_told_and_made_up_for(ade: Runtime, linear: LinearStandIn) -> None:
    ade.services.__dict__["issues"] = Issues(ade.services, pause=0)
    linear.faults.extend([Fault("query ChangedIssues", status=502)] * 3)
    with pytest.raises(errors.LinearUnavailable):
        await do(ade, "run_now")
    assert "linear_unavailable" in (await do(ade, "dashboard"))["poll_error"]
    assert (await do(ade, "run_now", route=False))["fresh"] == 3
    assert (await do(ade, "dashboard"))["poll_error"] is None


async def test_a_session_of_an_agent_does_not_see_it(ade: Runtime) -> None:
    token = (await ade.call("session.start", {"role": "agent"}, cwd=Path.cwd()))["token"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADE_SESSION_TOKEN", token)
        with pytest.raises(errors.UnknownAction):
            await do(ade, "dashboard")


async def test_more_than_is_asked_for_at_once_comes_the_next_time(
    ade: Runtime, linear: LinearStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poll, "PAGE", 2)
    monkeypatch.setattr(poll, "MOST_PAGES", 2)
    for number in range(9):
        linear.workspace.add_issue(f"More {number}")
    fresh = []
    while True:
        looked = await do(ade, "run_now", route=False)
        fresh.append(looked["fresh"])
        if not looked["more"]:
            break
    assert sum(fresh) == 12 and len(fresh) <= 5
    assert (await do(ade, "queue_list"))["total"] == 11, "all but the one that is done"


async def test_an_issue_that_is_opened_again_waits_again(ade: Runtime, linear: LinearStandIn) -> None:
    states = {one["name"]: one["id"] for one in linear.workspace.teams[0]["states_"]}
    seen = []
    for name in ("Todo", "Done", "Todo"):
        linear.workspace.update_issue("ENG-1", {"stateId": states[name]})
        await do(ade, "run_now", route=False)
        items = (await do(ade, "queue_list"))["items"]
        seen += [one["state"] for one in items if one["issue"] == "ENG-1"]
    assert seen == ["waiting", "over", "waiting"]


async def test_a_secret_that_linear_may_not_know_is_not_kept(ade: Runtime, linear: LinearStandIn) -> None:
    ade.services.__dict__["issues"] = Issues(ade.services, pause=0)
    linear.faults.append(Fault("webhookCreate", cut_after=5))
    linear.faults.extend([Fault("query Webhooks")] + [Fault("query Webhooks", lost=True)] * 3)
    with pytest.raises(errors.LinearUnavailable):
        await do(ade, "ensure_webhook", url=PUBLIC)
    (hook,) = linear.workspace.webhooks
    lost = hook["secret"]
    linear.faults.clear()
    made = await do(ade, "ensure_webhook", url=PUBLIC)
    assert not made["created"] and hook["secret"] != lost
    sender = Sender(made["port"], (await do(ade, "ingress_status"))["path"], hook["secret"])
    assert await sender.send(sender.body(linear.workspace.issues[0])) == 200
