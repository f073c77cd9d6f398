"""Everything that only reads from GitHub and Linear, called once each: at the real ones, and first at the stand-ins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ade_generated.dispatch import ACTIONS
from ade_runtime.client.in_process import Runtime


def reads_of(domain: str) -> set[str]:
    """The actions of a domain that only read."""
    return {name for name, entry in ACTIONS.items() if entry.domain == domain and entry.effect == "read"}


async def read_pulls(ade: Runtime, repository: Path) -> set[str]:
    """Read what there is about the newest open pull request; gives the actions that were called."""
    called: set[str] = set()

    async def read(name: str, **arguments: Any) -> dict[str, Any]:
        called.add(name)
        return await ade.call(name, arguments, cwd=repository)

    listed = await read("pr.list", limit=5)
    assert listed["items"], "the repository has no open pull request"
    number = listed["items"][0]["number"]
    shown = await read("pr.show", number=number)
    assert (shown["number"], shown["state"]) == (number, "open")
    for name in ("pr.health", "pr.checks", "pr.review_comments", "pr.issue_inventory"):
        assert (await read(name, number=number))["number"] == number
    await read("pr.watch", number=number, wait=0)
    return called


async def read_issues(ade: Runtime, repository: Path) -> set[str]:
    """Read an issue of the workspace; gives the actions that were called."""
    called: set[str] = set()

    async def read(name: str, **arguments: Any) -> dict[str, Any]:
        called.add(name)
        return await ade.call(name, arguments, cwd=repository)

    listed = await read("issue.list", limit=5, all=True)
    assert listed["items"], "the workspace has no issue"
    first = listed["items"][0]
    shown = await read("issue.show", issue=first["identifier"])
    assert (shown["issue"]["id"], shown["issue"]["title"]) == (first["id"], first["title"])
    await read("issue.search", query=first["title"][:40], limit=5)
    return called
