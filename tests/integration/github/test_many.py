"""500 open pull requests with 50 checks each."""

from __future__ import annotations

import time

from tests.support.github.shop import Shop
from tests.support.github.state import CheckRun, Pull

PULLS, CHECKS = 500, 50
MOST_REQUESTS = 12
FROM_CACHE = 0.1
"""Seconds; benchmark G1 measures the whole command."""


def fill(shop: Shop) -> None:
    repository = shop.repository
    shop.lane.git("push", "--quiet", "origin", "HEAD:refs/heads/ade/fix-login")
    head = str(repository.tip("ade/fix-login"))
    repository.run("update-ref", "refs/heads/many", head)
    runs = [CheckRun(5000 + n, f"check-{n}", "failure" if n == 7 else "success") for n in range(CHECKS)]
    repository.checks[head] = runs
    for number in range(1, PULLS + 1):
        branch = "ade/fix-login" if number == PULLS else "many"
        pull = Pull(number, f"Change {number}", None, branch, "main", "ada", final=head, changed=number)
        repository.pulls.append(pull)
    repository.mergeable = lambda pull: True  # type: ignore[method-assign]  # a program for each would take most of the time


async def test_500_pull_requests_take_at_most_12_requests_and_none_from_cache(shop: Shop) -> None:
    fill(shop)
    told = await shop.call("pr.list", limit=1000)
    assert len(shop.hub.seen) <= MOST_REQUESTS
    assert (told["total"], len(told["items"])) == (PULLS, PULLS)
    assert {item["number"] for item in told["items"]} == set(range(1, PULLS + 1))
    assert all(item["checks"] == {"state": "failed", "total": CHECKS, "passed": CHECKS - 1, "failed": 1, "pending": 0}
               for item in told["items"])  # fmt: skip
    assert [item["number"] for item in told["items"] if item["lane"] == "fix-login"] == [PULLS]
    asked = len(shop.hub.seen)
    took = []
    for _ in range(5):
        began = time.process_time()  # what others do on the machine meanwhile does not count
        page = await shop.call("pr.list", limit=50)
        took.append(time.process_time() - began)
    assert min(took) < FROM_CACHE, took
    assert len(shop.hub.seen) == asked
    assert len(page["items"]) == 50
    rest = await shop.call("pr.list", limit=500, cursor=page["next"])
    assert len(rest["items"]) == PULLS - 50


async def test_pages_of_rest_are_read_to_their_end(shop: Shop) -> None:
    await shop.open_pull()
    head = shop.repository.head_of(shop.repository.pulls[0])
    runs = [CheckRun(9000 + number, f"check-{number}", "success", run=number) for number in range(230)]
    shop.repository.checks[head] = runs
    told = await shop.call("pr.checks", number=1)
    assert told["total"] == 230
    assert told["counts"]["passed"] == 230


async def test_what_was_changed_from_here_is_read_anew(shop: Shop) -> None:
    assert (await shop.call("pr.list"))["total"] == 0
    await shop.open_pull()
    assert [item["title"] for item in (await shop.call("pr.list"))["items"]] == ["Fix the login"]
    await shop.call("pr.merge", number=1)
    assert (await shop.call("pr.list"))["total"] == 0
