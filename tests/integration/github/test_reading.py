"""What ``make test-live`` reads from the real GitHub, read from the stand-in."""

from __future__ import annotations

from tests.support.github.shop import Shop
from tests.support.live import read_pulls, reads_of


async def test_all_that_only_reads_is_read(shop: Shop) -> None:
    await shop.open_pull()
    assert await read_pulls(shop.work.runtime, shop.work.main.root) == reads_of("pr")
    assert {one.method for one in shop.hub.seen[-8:]} <= {"GET", "POST"}
    assert all(one.path == "/graphql" for one in shop.hub.seen[-8:] if one.method == "POST")
