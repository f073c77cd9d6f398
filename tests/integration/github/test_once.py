"""What is written is written once, wherever the connection ends within GitHub's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import AdeError, Effect
from ade_runtime.integrations.github import client
from tests.integration.github.writes import WRITES, Away, Memory, Write, told
from tests.support.github import state
from tests.support.github.hub import Cut, Fault, failing
from tests.support.github.shop import Shop

NOT_AT_GITHUB = {
    "pr.link_to_lane": "ADE's own",
    "queue.create": "ADE's own",
    "queue.reorder": "ADE's own",
    "queue.pause": "ADE's own",
    "queue.resume": "ADE's own",
    "queue.cancel": "ADE's own",
    "queue.create_integration": "opens its pull request as pr.create_from_lane does",
}
HEAD = 420
"""Bytes that are sure to hold the head of an answer."""


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the same commits whenever they are made."""
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(client, "LOOKS", (0.0, 0.0))
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setitem(state.WHO, name, "1700000000 +0000")


def sampled(length: int) -> Iterator[int]:
    """The first byte, one within the head or the body, and the last."""
    yield from (0, HEAD // 2 if length % 2 else (HEAD + length) // 2, length - 1)


Places = Callable[[int], Iterator[int]]
LONG = [pytest.mark.stress, pytest.mark.timeout(7200)]
HOW = [pytest.param(sampled, id="sampled"), pytest.param(range, id="each byte", marks=LONG)]
EACH = [pytest.param(write, request, id=f"{write.action} {request[0]} {request[1].strip('/$')}")
        for write in WRITES for request in write.requests]  # fmt: skip


def test_every_write_is_cut() -> None:
    writing = {
        action.id
        for action in ACTIONS.values()
        if action.id.split(".")[0] in ("pr", "queue") and action.effect is not Effect.READ
    }
    assert writing - {write.action for write in WRITES} == NOT_AT_GITHUB.keys()


class Attempts:
    """One action, done again and again from the same beginnings."""

    def __init__(self, shop: Shop, write: Write, request: tuple[str, str, int]) -> None:
        self.shop, self.write, self.request = shop, write, request
        self.number = 0

    async def begin(self) -> int:
        """Do it once without a fault; the length of the answer that is to be cut."""
        self.arguments = await self.write.prepare(self.shop)
        self.memory = Memory(self.shop)
        method, path, skip = self.request
        measured = self.shop.hub.cutting = Cut(method, path, 10**9, skip)
        self.answer, self.effect = told(await self.call("r0")), self.memory.seen()
        assert measured.length
        await self.reset()
        return measured.length

    async def call(self, name: str) -> dict[str, Any]:
        return await self.shop.call(self.write.action, request_id=name, **self.arguments)

    async def reset(self) -> None:
        self.memory.restore()
        await self.write.renew(self.shop)

    async def cut(self, after: int, *, away: bool) -> None:
        """Cut there; ``away`` leaves nobody to look what became of it before the call is repeated."""
        self.number += 1
        method, path, skip = self.request
        cut = self.shop.hub.cutting = (Away if away else Cut)(method, path, after, skip)
        name = f"r{self.number}"
        try:
            answer = await self.call(name)
        except AdeError as problem:
            assert away and problem.code == "github_unreachable", (after, problem)
            self.shop.hub.cutting = None
            answer = await self.call(name)
        assert cut.done, "nothing was cut"
        self.shop.hub.cutting = None
        assert self.memory.seen() == self.effect, after
        assert told(answer) == self.answer, after
        assert told(await self.call(name)) == self.answer, after
        assert self.memory.seen() == self.effect, after
        await self.reset()


@pytest.mark.parametrize("places", HOW)
@pytest.mark.parametrize(("write", "request_"), EACH)
async def test_once(shop: Shop, write: Write, request_: tuple[str, str, int], places: Places) -> None:
    attempts = Attempts(shop, write, request_)
    for after in places(await attempts.begin()):
        await attempts.cut(after, away=False)
        await attempts.cut(after, away=True)


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
    assert sum(one["created"] for one in made) == 1
