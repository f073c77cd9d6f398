"""Queues land pull requests one after the other, each checked on top of what landed before."""

from __future__ import annotations

from typing import Any

from tests.support.github.hub import Fault, failing
from tests.support.github.shop import Shop
from tests.support.github.state import CheckRun


async def queued(shop: Shop) -> dict[str, Any]:
    """Pull requests of lanes fix-login and add-search in a queue."""
    await shop.open_pull()
    other = await shop.work.lane("add-search")
    other.commit("Add a search", **{"search.py": "print('found')\n"})
    await shop.call("pr.create_from_lane", lane="add-search")
    return await shop.call("queue.create", lanes=["fix-login", "add-search"])


def check(shop: Shop, number: int, state: str) -> None:
    """A check of a pull request's last commit."""
    head = shop.repository.head_of(shop.repository.pulls[number - 1])
    shop.repository.checks[head] = [CheckRun(shop.repository.next_id(), "test", state)]


async def test_all_of_it_lands_in_order_and_on_top_of_each_other(shop: Shop) -> None:
    await queued(shop)
    check(shop, 1, "success")
    check(shop, 2, "success")
    first = await shop.call("queue.land_next")
    assert (first["result"], first["entry"]["number"]) == ("landed", 1)
    assert first["entry"]["merge_commit"] == shop.repository.tip("main")
    # The second was checked without the first: it is brought up to date and waits for the check to come again.
    second = await shop.call("queue.land_next")
    assert (second["result"], second["entry"]["number"]) == ("waiting", 2)
    assert "test" in second["reason"]
    assert shop.repository.pulls[1].state == "open"
    check(shop, 2, "in_progress")
    assert (await shop.call("queue.land_next"))["result"] == "waiting"
    check(shop, 2, "success")
    last = await shop.call("queue.land_next")
    assert (last["result"], last["queue"]["state"], last["queue"]["landed"]) == ("landed", "done", 2)
    files = shop.repository.run("ls-tree", "--name-only", "main").split()
    assert files == ["README.md", "login.py", "search.py"]
    assert (await shop.refused("queue.land_next", queue=last["queue"]["id"])).code == "queue_over"


async def test_a_failed_check_blocks_and_others_may_go_first(shop: Shop) -> None:
    await queued(shop)
    check(shop, 1, "failure")
    blocked = await shop.call("queue.land_next")
    assert (blocked["result"], blocked["entry"]["state"]) == ("blocked", "blocked")
    assert "test failed" in blocked["entry"]["note"]
    await shop.call("queue.reorder", lanes=["add-search", "fix-login"])
    assert (await shop.call("queue.land_next"))["entry"]["lane"] == "add-search"


async def test_a_merge_whose_answer_was_lost_is_found(shop: Shop) -> None:
    await queued(shop)
    shop.hub.faults.append(Fault("PUT", "/merge", after=failing(502)))
    assert (await shop.call("queue.land_next", request_id="land"))["result"] == "landed"
    again = await shop.call("queue.land_next", request_id="land")
    assert again["entry"]["number"] == 1, "the same call lands nothing else"
    assert [pull.state for pull in shop.repository.pulls] == ["closed", "open"]


async def test_what_somebody_merged_by_hand_counts_as_landed(shop: Shop) -> None:
    await queued(shop)
    await shop.call("pr.merge", number=1)
    told = await shop.call("queue.land_next")
    assert (told["result"], told["entry"]["number"], told["queue"]["landed"]) == ("landed", 1, 1)


async def test_a_pull_request_into_another_branch_is_retargeted(shop: Shop) -> None:
    shop.work.main.git("push", "--quiet", "origin", "main:next")
    await queued(shop)
    shop.repository.pulls[0].base = "next"
    assert (await shop.call("queue.land_next"))["result"] == "landed"
    assert shop.repository.pulls[0].base == "main"


async def test_a_conflict_with_what_landed_before_blocks(shop: Shop) -> None:
    await shop.open_pull()
    other = await shop.work.lane("add-search")
    other.commit("Another login", **{"login.py": "print('out')\n"})
    await shop.call("pr.create_from_lane", lane="add-search")
    await shop.call("queue.create", lanes=["fix-login", "add-search"])
    assert (await shop.call("queue.land_next"))["result"] == "landed"
    told = await shop.call("queue.land_next")
    assert told["result"] == "blocked"
    assert "conflicts" in told["reason"]
