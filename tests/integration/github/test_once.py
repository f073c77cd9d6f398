"""What is written is written once, wherever the connection ends within GitHub's answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from ade_runtime.integrations.github import client
from tests.support.github.hub import Cut, Fault, failing
from tests.support.github.shop import Shop
from tests.support.github.state import Said, Thread

HEAD = 420
"""Bytes that are sure to hold the head of an answer."""
STEP = 499


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(client, "LOOKS", (0.0, 0.0))


def sampled(length: int) -> Iterator[int]:
    """Places in an answer: some of its head, its end, and some between."""
    yield from range(0, min(length, HEAD), 37)
    yield from range(HEAD, length, STEP)
    yield from (length - 2, length - 1)


def each(length: int) -> Iterator[int]:
    yield from range(length)


async def cut_everywhere(
    shop: Shop, places: Callable[[int], Iterator[int]], method: str, path: str,
    act: Callable[[str | None], Awaitable[Any]], check: Callable[[Any], None], reset: Callable[[], None],
) -> None:  # fmt: skip
    """Do something with the connection cut at one place of the answer after another; ``check`` looks at what came of it."""
    shop.hub.cutting = Cut(method, path, 10**9)
    await act("measure")
    length = shop.hub.cutting.length
    reset()
    assert length
    for after in places(length):
        shop.hub.cutting = Cut(method, path, after)
        done = await act(f"cut at {after}" if after % 2 else None)
        assert shop.hub.cutting.done, "nothing was cut"
        check(done)
        reset()


Places = Callable[[int], Iterator[int]]
LONG = [pytest.mark.stress, pytest.mark.timeout(7200)]
HOW = [pytest.param(sampled, id="sampled"), pytest.param(each, id="each byte", marks=LONG)]


@pytest.mark.parametrize("places", HOW)
async def test_one_pull_request(shop: Shop, places: Places) -> None:
    def check(made: dict[str, Any]) -> None:
        assert made["pull"]["number"] == 1
        assert len(shop.repository.pulls) == 1

    await cut_everywhere(
        *(shop, places, "POST", "/pulls$"),
        act=lambda name: shop.call("pr.create_from_lane", lane="fix-login", request_id=name),
        check=check,
        reset=shop.repository.pulls.clear,
    )


@pytest.mark.parametrize("places", HOW)
async def test_one_comment(shop: Shop, places: Places) -> None:
    await shop.open_pull()
    comments = shop.repository.pulls[0].comments

    def check(made: dict[str, Any]) -> None:
        assert made["body"] == "It works."
        assert len(comments) == 1
        assert made["id"] == comments[0].id

    await cut_everywhere(
        *(shop, places, "POST", "/comments$"),
        act=lambda name: shop.call("pr.add_comment", number=1, body="It works.", request_id=name),
        check=check,
        reset=comments.clear,
    )


@pytest.mark.parametrize("places", HOW)
async def test_one_merge(shop: Shop, places: Places) -> None:
    await shop.open_pull()
    pull, base = shop.repository.pulls[0], str(shop.repository.tip("main"))

    def check(made: dict[str, Any]) -> None:
        assert not made["already"]
        assert made["merge_commit"] == shop.repository.tip("main")
        assert shop.repository.run("rev-list", "--count", "--first-parent", f"{base}..main") == "1"

    def reset() -> None:
        shop.repository.run("update-ref", "refs/heads/main", base)
        pull.merged = pull.final = pull.forked_from = None
        pull.state = "open"

    await cut_everywhere(
        *(shop, places, "PUT", "/merge$"),
        act=lambda name: shop.call(
            "pr.merge", number=1, expect=shop.repository.head_of(pull), request_id=name
        ),
        check=check,
        reset=reset,
    )


@pytest.mark.parametrize("places", HOW)
async def test_one_review(shop: Shop, places: Places) -> None:
    await shop.open_pull()
    reviews = shop.repository.pulls[0].reviews

    def check(made: dict[str, Any]) -> None:
        assert [one.id for one in reviews] == [made["id"]]

    await cut_everywhere(
        *(shop, places, "POST", "/reviews$"),
        act=lambda name: shop.call(
            "pr.submit_review", number=1, verdict="comment", body="Well done.", request_id=name
        ),
        check=check,
        reset=reviews.clear,
    )


@pytest.mark.parametrize("places", HOW)
async def test_one_answer_in_a_thread(shop: Shop, places: Places) -> None:
    await shop.open_pull()
    thread = Thread("PRRT_kw1", "login.py", 1, [Said(1, "grace", "Why?")])
    shop.repository.pulls[0].threads.append(thread)

    def reset() -> None:
        del thread.comments[1:]

    def check(made: dict[str, Any]) -> None:
        assert [one.id for one in thread.comments[1:]] == [made["id"]]
        assert made["body"] == "Because."

    # The query that reads the thread comes first and is read again when it is cut; what writes comes second.
    async def act(name: str | None) -> Any:
        return await shop.call(
            "pr.reply_to_review_thread", thread="PRRT_kw1", body="Because.", request_id=name
        )

    shop.hub.cutting = Cut("POST", "/graphql$", 10**9)
    await act("measure")
    length = shop.hub.cutting.length
    reset()
    for after in places(length):
        shop.hub.cutting = Cut("POST", "/graphql$", after)
        check(await act(f"read {after}"))
        reset()
        shop.hub.cutting = Cut("POST", "/graphql$", after, skip=1)
        check(await act(f"write {after}" if after % 2 else None))
        reset()


async def test_a_call_that_is_repeated_later_finds_what_it_wrote(shop: Shop) -> None:
    """Nothing could be read after the comment was written: the caller learns that it is not known, and asks again."""
    await shop.open_pull()
    comments = shop.repository.pulls[0].comments
    shop.hub.faults.append(Fault("POST", "/comments", after=failing(502)))
    shop.hub.faults.append(Fault("GET", "/comments", times=50, instead=failing(502), skip=1))
    problem = await shop.refused("pr.add_comment", request_id="r1", number=1, body="Hello")
    assert problem.code == "github_unreachable"
    shop.hub.faults.clear()
    assert len(comments) == 1, "it was not written again while nobody could look"
    again = await shop.call("pr.add_comment", number=1, body="Hello", request_id="r1")
    assert [one.id for one in comments] == [again["id"]]


async def test_a_502_before_anything_was_done_is_tried_again(shop: Shop) -> None:
    await shop.open_pull()
    shop.hub.faults.append(Fault("POST", "/comments", times=2, instead=failing(502)))
    made = await shop.call("pr.add_comment", number=1, body="Hello")
    assert [one.id for one in shop.repository.pulls[0].comments] == [made["id"]]


async def test_a_502_after_it_was_done_is_not(shop: Shop) -> None:
    await shop.open_pull()
    shop.hub.faults.append(Fault("PUT", "/merge", after=failing(502)))
    made = await shop.call("pr.merge", number=1)
    assert made["merge_commit"] == shop.repository.tip("main")
    assert [one.status for one in shop.hub.seen if one.path.endswith("/merge")] == [502]


async def test_opening_twice_at_once_gives_one(shop: Shop) -> None:
    import asyncio

    calls = (shop.call("pr.create_from_lane", lane="fix-login") for _ in range(3))
    made = await asyncio.gather(*calls)
    assert {one["pull"]["number"] for one in made} == {1}
    assert len(shop.repository.pulls) == 1
    assert sum(one["created"] for one in made) >= 1
