"""Pull requests and issues are found as they were last read, without asking where they are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.client.in_process import Runtime
from ade_runtime.search import outside, service
from ade_runtime.search.outside import Outside
from tests.support.github.shop import Shop, opened_shop
from tests.support.linear.running import ade, linear
from tests.support.linear.server import LinearStandIn

__all__ = ["ade", "linear"]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(service, "PATIENCE_SECONDS", 30.0)


@pytest.fixture
async def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    async with opened_shop(tmp_path, monkeypatch) as made:
        yield made


async def found(shop: Shop, query: str, **more: Any) -> list[tuple[str, str]]:
    asked = len(shop.hub.seen)
    told = await shop.call("search.workspace", query=query, **more)
    assert len(shop.hub.seen) == asked, "GitHub was asked"
    return [(one["id"], one["title"]) for one in told["items"] if one["kind"] == "pr"]


async def test_a_pull_request_is_found_as_it_was_last_read(shop: Shop) -> None:
    await shop.call("pr.create_from_lane", lane="fix-login", title="Warm welcome", body="Greets elephants.")
    assert await found(shop, "welcome elephants") == [("octo/shop#1", "Warm welcome")]
    assert await found(shop, "welcome", lane="fix-login", author="ada") == [("octo/shop#1", "Warm welcome")]
    shop.repository.pulls[0].title, shop.repository.pulls[0].labels = "Cold farewell", ["glacier"]
    assert await found(shop, "farewell") == []
    await shop.call("pr.list", max_age=0)
    assert await found(shop, "farewell glacier") == [("octo/shop#1", "Cold farewell")]
    assert await found(shop, "elephants") == [("octo/shop#1", "Cold farewell")], "its text is not forgotten"
    assert await found(shop, "welcome") == []


async def test_who_may_not_see_pull_requests_does_not_find_them(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shop.open_pull()
    assert await found(shop, "login", kinds=["pr"])
    monkeypatch.delenv("GH_TOKEN")
    shop.work.main.env["PATH"] = "/nowhere"
    assert await found(shop, "login", kinds=["pr"]) == []


async def test_the_longest_unchanged_give_way(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import select

    from ade_runtime.storage.schema import outside_items

    monkeypatch.setattr(outside, "MOST_KEPT", 3)
    services = shop.work.runtime.services
    (project,) = await services.projects.all()
    for number in range(5):
        one = Outside(id=f"E-{number}", title="x", body=None, names="", lane=None, author=None, at=number)
        await outside.remember(services, project.id, "issue", [one])
    query = select(outside_items.c.id).order_by(outside_items.c.id)
    assert await services.database.read(lambda db: list(db.execute(query).scalars())) == ["E-2", "E-3", "E-4"]


async def test_an_issue_is_found_as_it_was_last_read(ade: Runtime, linear: LinearStandIn) -> None:
    async def titles(query: str) -> list[tuple[str, str, str]]:
        told = await ade.call("search.workspace", {"query": query}, cwd=Path.cwd())
        return [(one["kind"], one["id"], one["title"]) for one in told["items"]]

    assert await titles("passkey") == []
    await ade.call("issue.list", {"all": True}, cwd=Path.cwd())
    assert await titles("passkey") == [("issue", "ENG-1", "Log in with a passkey")]
    await ade.call("issue.show", {"issue": "ENG-1"}, cwd=Path.cwd())
    assert await titles("people forget") == [("issue", "ENG-1", "Log in with a passkey")]
