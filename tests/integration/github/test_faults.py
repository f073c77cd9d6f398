"""What GitHub refuses, and what is told of it."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest
from starlette.responses import Response

from ade_runtime.integrations.github import client
from tests.support.github.hub import OTHER, Fault, failing
from tests.support.github.shop import Shop

UNLIMITED = 50


def answers(shop: Shop, fault: Fault) -> None:
    shop.hub.faults.append(fault)


async def test_a_secondary_limit_is_waited_out_and_nothing_is_asked_meanwhile(shop: Shop) -> None:
    await shop.open_pull()
    asked = len(shop.hub.seen)
    message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    answers(shop, Fault("POST", "/comments", instead=failing(403, message, retry_after="1")))
    began = time.monotonic()
    await shop.call("pr.add_comment", number=1, body="Hello")
    assert time.monotonic() - began >= 1
    assert [one.status for one in shop.hub.seen[asked:] if one.method == "POST"] == [403, 201]
    assert len(shop.repository.pulls[0].comments) == 1


async def test_a_long_limit_is_told_and_holds_for_later_calls(shop: Shop) -> None:
    await shop.open_pull()
    answers(shop, Fault("GET", "/pulls/1$", instead=failing(429, "slow down", retry_after="3000")))
    problem = await shop.refused("pr.show", number=1)
    assert problem.code == "github_rate_limited"
    assert problem.retry_after_ms is not None and 2_990_000 <= problem.retry_after_ms <= 3_000_000
    asked = len(shop.hub.seen)
    assert (await shop.refused("pr.show", number=1)).code == "github_rate_limited"
    assert len(shop.hub.seen) == asked


async def test_a_primary_limit_tells_when_it_is_over(shop: Shop) -> None:
    await shop.open_pull()
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(int(time.time()) + 600)}
    answers(shop, Fault("GET", "/pulls/1$", instead=failing(403, "API rate limit exceeded", **headers)))
    problem = await shop.refused("pr.show", number=1)
    assert problem.code == "github_rate_limited"
    assert problem.retry_after_ms is not None and 590_000 <= problem.retry_after_ms <= 600_000


CASES: list[Any] = [
    pytest.param(
        failing(403, "Resource protected by organization SAML enforcement.",
                x_github_sso="required; url=https://github.com/orgs/octo/sso?authorization_request=A1"),
        "github_sso_required", "https://github.com/orgs/octo/sso?authorization_request=A1", id="single sign-on",
    ),
    pytest.param(
        failing(403, "Must have admin rights", x_oauth_scopes="read:org", x_accepted_oauth_scopes="repo"),
        "github_scope_missing", "repo", id="a scope of a classic token",
    ),
    pytest.param(
        failing(403, "Resource not accessible by personal access token",
                x_accepted_github_permissions="pull_requests=write"),
        "github_scope_missing", "pull_requests=write", id="a permission of a fine-grained token",
    ),
    pytest.param(failing(401, "Bad credentials"), "github_sign_in_refused", "GH_TOKEN", id="an expired token"),
    pytest.param(failing(422, "Validation Failed"), "github_refused", "Validation Failed", id="anything else"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "code", "told"), CASES)
async def test_a_refusal_says_what_to_do(shop: Shop, answer: Any, code: str, told: str) -> None:
    await shop.open_pull()
    answers(shop, Fault("POST", "/comments", instead=answer))
    problem = await shop.refused("pr.add_comment", number=1, body="Hello")
    assert problem.code == code
    assert told in problem.message + problem.hint


async def test_an_archived_repository_is_refused_before_anything_is_sent(shop: Shop) -> None:
    shop.repository.archived = True
    assert (await shop.refused("pr.create_from_lane", lane="fix-login")).code == "github_repository_archived"
    assert {one.method for one in shop.hub.seen} == {"GET"}
    assert shop.repository.tip("ade/fix-login") is None, "nothing was pushed either"


async def test_a_moved_repository_is_followed_and_told(shop: Shop) -> None:
    shop.hub.add("octo/store", shop.bare)
    shop.repository.moved_to = "octo/store"
    pull = await shop.open_pull()
    assert pull["repository"] == "octo/store"
    assert any("moved to octo/store" in note for note in pull["notes"])
    assert shop.hub.repositories["octo/store"].pulls


async def test_a_repository_nobody_may_see_is_not_found(shop: Shop) -> None:
    shop.hub.repositories.clear()
    assert (await shop.refused("pr.list")).code == "github_repository_not_found"


async def test_a_forks_pull_requests_go_to_the_remote_called_upstream(shop: Shop) -> None:
    shop.hub.add("acme/shop", shop.bare)
    shop.repository.fork = True
    shop.work.main.git("remote", "add", "upstream", str(shop.bare.parent.parent / "acme" / "shop.git"))
    pull = await shop.open_pull()
    assert pull["repository"] == "acme/shop"
    assert pull["head_branch"] == "octo:ade/fix-login"
    assert pull["lane"] == "fix-login"
    again = await shop.call("pr.create_from_lane", lane="fix-login")
    assert (again["created"], again["pull"]["number"]) == (False, 1)


async def test_a_remote_elsewhere_is_not_at_github(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADE_GITHUB_API")
    problem = await shop.refused("pr.list")
    assert problem.code == "not_at_github"


@pytest.mark.parametrize(
    "address", ["http://example.org", "ftp://127.0.0.1", "https://user:pass@example.org", "nonsense"]
)
async def test_a_token_goes_to_no_dubious_address(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("ADE_GITHUB_API", address)
    assert (await shop.refused("pr.list")).code == "github_interface_invalid"


async def test_nobody_signed_in(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GH_TOKEN")
    env = shop.work.main.env
    env["PATH"] = "/nowhere"
    problem = await shop.refused("pr.list")
    assert problem.code == "unknown_action", "without any way to sign in there is no such action"
    env["GH_TOKEN"] = OTHER
    assert (await shop.call("pr.list"))["total"] == 0


async def test_a_stored_token_is_used(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    await shop.open_pull()
    monkeypatch.delenv("GH_TOKEN")
    shop.work.main.env["PATH"] = "/usr/bin:/bin"
    await shop.call("secret.set", name="GITHUB_TOKEN", value=OTHER, machine=True, readers="cto")
    made = await shop.call("pr.add_comment", number=1, body="From the vault")
    assert made["author"] == "grace"


async def test_reads_are_conditional_and_survive_a_server_that_fails_now_and_then(shop: Shop) -> None:
    await shop.open_pull()
    first = await shop.call("pr.show", number=1)
    asked = len(shop.hub.seen)
    assert await shop.call("pr.show", number=1) == first
    assert [(one.status, one.conditional) for one in shop.hub.seen[asked:]] == [(304, True)]
    shop.repository.pulls[0].title = "Changed by somebody"
    answers(shop, Fault("GET", "/pulls/1$", times=2, instead=failing(502)))
    assert (await shop.call("pr.show", number=1))["title"] == "Changed by somebody"


async def test_a_server_that_stays_away_is_told(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    await shop.open_pull()
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0, 0.0))
    answers(shop, Fault("GET", "/pulls/1$", times=UNLIMITED, instead=failing(503)))
    problem = await shop.refused("pr.show", number=1)
    assert (problem.code, type(problem).retry) == ("github_unreachable", True)


async def test_a_merge_is_of_the_commit_that_was_seen(shop: Shop) -> None:
    pull = await shop.open_pull()
    shop.lane.commit("More", **{"more.py": "1\n"})
    shop.lane.git("push", "--quiet")
    problem = await shop.refused("pr.merge", number=1, expect=pull["head_commit"])
    assert problem.code == "pr_head_moved"
    assert shop.repository.pulls[0].state == "open"
    merged = await shop.call("pr.merge", number=1, method="squash", delete_branch=True)
    assert merged["branch_deleted"]
    assert shop.repository.tip("ade/fix-login") is None
    again = await shop.call("pr.merge", number=1)
    assert (again["already"], again["merge_commit"]) == (True, merged["merge_commit"])
    shown = await shop.call("pr.show", number=1)
    assert (shown["state"], shown["merge_commit"]) == ("merged", merged["merge_commit"])


async def test_a_conflict_is_an_obstacle(shop: Shop) -> None:
    await shop.open_pull()
    shop.work.main.commit("Another login", **{"login.py": "print('out')\n"})
    shop.work.main.git("push", "--quiet", "origin", "main")
    told = await shop.call("pr.issue_inventory", number=1)
    assert (told["verdict"], [one["kind"] for one in told["items"]]) == ("blocked", ["conflict"])
    assert (await shop.refused("pr.merge", number=1)).code == "pr_not_mergeable"
    assert (await shop.refused("pr.update_branch", number=1)).code == "pr_not_mergeable"


async def test_a_watch_tells_what_changes(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    from tests.support.github.state import set_checks

    await shop.open_pull()
    set_checks(shop.repository, {"test": "in_progress"}, {})
    watching = asyncio.create_task(shop.call("pr.watch", number=1, until="checks", wait=20, every=1))
    await asyncio.to_thread(shop.hub.wait_for, "/check-runs$")
    set_checks(shop.repository, {"test": "success"}, {})
    told = await watching
    assert told["reached"]
    assert told["verdict"] == "ready"
    assert told["checks"]["passed"] == 1


LIMITS = [
    ("99999999999999999999", 3_600_000), ("9" * 400, 60_000), ("Wed, 21 Oct 2037 07:28:00 GMT", 3_600_000),
    ("90.5", 91_000), ("-5", 60_000), ("\xb2", 60_000), ("", 60_000),
]  # fmt: skip


@pytest.mark.parametrize(("after", "told"), LIMITS)
async def test_a_limit_is_told_however_it_is_written(shop: Shop, after: str, told: int) -> None:
    await shop.open_pull()
    answers(shop, Fault("GET", "/pulls/1$", instead=failing(429, "slow down", retry_after=after)))
    problem = await shop.refused("pr.show", number=1)
    assert problem.code == "github_rate_limited"
    assert problem.retry_after_ms is not None and told - 2000 <= problem.retry_after_ms <= told


async def test_a_limit_that_is_over_at_once_is_not_asked_about_without_end(shop: Shop) -> None:
    await shop.open_pull()
    asked = len(shop.hub.seen)
    answers(shop, Fault("GET", "/pulls/1$", times=2, instead=failing(429, "slow down", retry_after="0")))
    began = time.monotonic()
    await shop.call("pr.show", number=1)
    assert time.monotonic() - began >= 2
    assert [one.status for one in shop.hub.seen[asked:]].count(429) == 2


@pytest.mark.parametrize("body", ["[]", '"x"', "null", "7", "{}"])
async def test_an_answer_of_another_kind_is_none(
    shop: Shop, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.0,))
    await shop.open_pull()
    for method, path, action, given in (
        ("GET", "/pulls/1$", "pr.show", {"number": 1}),
        ("GET", "/check-runs$", "pr.checks", {"number": 1}),
        ("POST", "/graphql$", "pr.list", {"max_age": 0}),
    ):
        shop.hub.faults[:] = [Fault(method, path, 9, instead=lambda: Response(body, 200))]
        assert (await shop.refused(action, **given)).code == "github_unreachable"
        shop.hub.faults.clear()
        await shop.call(action, **given)


async def test_a_description_of_no_repository_is_not_kept(shop: Shop) -> None:
    answers(shop, Fault("GET", "/repos/octo/shop$", instead=lambda: Response("{}", 200)))
    assert (await shop.refused("pr.list")).code == "github_unreachable"
    await shop.call("pr.list")


async def test_a_refusal_may_hold_anything(shop: Shop) -> None:
    await shop.open_pull()
    for body in ("[" * 100_000, '{"message": {"a": 1}, "errors": 7}'):
        answers(shop, Fault("GET", "/pulls/1$", instead=lambda body=body: Response(body, 422)))
        assert (await shop.refused("pr.show", number=1)).code == "github_refused"


async def test_a_base_that_has_moved_at_github_since_it_was_fetched(shop: Shop) -> None:
    await shop.open_pull()
    (await shop.work.lane("add-search")).commit("Add the search", **{"search.py": "print('?')\n"})
    await shop.call("pr.merge", number=1)
    made = await shop.call("pr.create_from_lane", lane="add-search")
    assert (made["created"], made["pull"]["title"]) == (True, "Add the search")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_nothing_is_sent_on_to_another_server(
    shop: Shop, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.0,))
    monkeypatch.setattr(client, "LOOKS", (0.0,))
    await shop.open_pull()
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setblocking(False)
        there = f"http://localhost:{other.getsockname()[1]}/"
        for method, path, action, given in (
            ("GET", "/pulls/1$", "pr.show", {"number": 1}),
            ("POST", "/comments$", "pr.add_comment", {"number": 1, "body": "Hello"}),
        ):
            answers(shop, Fault(method, path, 9, instead=failing(status, location=there)))
            problem = await shop.refused(action, **given)
            assert (problem.code, "another server" in problem.message) == ("github_unreachable", True)
            shop.hub.faults.clear()
        with pytest.raises(BlockingIOError):
            other.accept()


async def test_a_base_is_the_name_of_a_branch_and_nothing_else(shop: Shop) -> None:
    for base in ("main^{commit}", "main~0", "refs/heads/main", "heads/main", "../main", "HEAD"):
        problem = await shop.refused("pr.create_from_lane", lane="fix-login", base=base)
        assert problem.code == "pr_base_missing"
