"""The end of what runs in a terminal is told when it happens, whoever looks."""

from __future__ import annotations

from typing import Any

from tests.integration.terminals.conftest import Shop


def ends(shop: Shop, cursor: str, wait: int = 30_000) -> list[dict[str, Any]]:
    """The ends that are told after a cursor; waits for the first."""
    for _ in range(20):
        argv = ("--category", "terminal", "--cursor", cursor, "--wait-ms", str(wait))
        page = shop.ade.json("events", "poll", *argv, cwd=shop.project)
        found = [one for one in page["items"] if one["type"] == "terminal.ended"]
        if found or not page["items"]:
            return found
        cursor = page["next"]
    return []


def subscribed(shop: Shop) -> str:
    return str(shop.ade.json("events", "subscribe", cwd=shop.project)["cursor"])


def test_a_program_that_ends_by_itself_is_told_of(shop: Shop) -> None:
    cursor = subscribed(shop)
    terminal = shop.start("sh", "-c", "read line; exit 3")
    shop.ade.json("terminals", "write", terminal, "--key", "enter")
    (event,) = ends(shop, cursor)
    assert (event["subject"], event["lane"]) == (terminal, shop.lane)
    assert (event["data"]["state"], event["data"]["exit_code"]) == ("ended", 3)


def test_it_is_told_once_and_also_when_the_runtime_was_killed_meanwhile(shop: Shop) -> None:
    terminal = shop.start("sh", "-c", "read line; exit 4")
    shop.ade.kill()
    cursor = subscribed(shop)
    shop.ade.json("terminals", "write", terminal, "--key", "enter")
    assert [one["subject"] for one in ends(shop, cursor)] == [terminal]
    shop.ade.json("terminals", "list", "--all", cwd=shop.project)
    assert len(ends(shop, cursor, 0)) == 1
