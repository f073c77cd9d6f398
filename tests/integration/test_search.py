"""Search over a real repository: what changed is found at once, what is gone is not, and nobody finds another's notes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.search import service
from ade_runtime.search.sources import commits
from tests.support.agent import Agent
from tests.support.command import Command
from tests.support.repo import Repo
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    monkeypatch.setattr(service, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(service, "PATIENCE_SECONDS", 30.0)
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("Begin the shop", README="# Shop\n")
        yield made


async def search(work: Work, query: str, role: str | None = None, **more: Any) -> dict[str, Any]:
    arguments = {"query": query, **more}
    found: dict[str, Any] = await work.runtime.call(
        "search.workspace", arguments, cwd=work.main.root, env=work.main.env, role=role
    )
    assert found["complete"]
    return found


async def titles(work: Work, query: str, **more: Any) -> list[str]:
    return [item["title"] for item in (await search(work, query, **more))["items"]]


async def test_a_commit_is_found_once_it_is_there_and_not_once_it_is_gone(work: Work) -> None:
    assert await titles(work, "basket") == []
    work.main.commit("Add a basket", a="1")
    assert await titles(work, "basket") == ["Add a basket"]
    work.main.git("commit", "-q", "--amend", "-m", "Add a trolley")
    assert (await titles(work, "basket"), await titles(work, "trolley")) == ([], ["Add a trolley"])
    work.main.git("checkout", "-q", "-b", "side")
    work.main.commit("Try a conveyor", b="1")
    work.main.git("checkout", "-q", "main")
    assert await titles(work, "conveyor") == ["Try a conveyor"]
    work.main.git("branch", "-q", "-D", "side")
    assert await titles(work, "conveyor") == []


async def test_a_long_history_is_read_in_parts_and_may_change_on_the_way(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "COMMITS_AT_ONCE", 3)
    for number in range(10):
        work.main.commit(f"Step {number}", **{f"f{number}": "x"})
    source = commits.Commits(work.runtime.services)
    [project] = await work.runtime.services.projects.all()
    batch = await source.changes(project, None)
    assert (
        batch is not None
        and batch.more
        and [doc.title for doc in batch.put] == ["Step 9", "Step 8", "Step 7"]
    )
    index = await work.runtime.services.search.index(project)
    assert await index.store.apply("commit", None, batch)
    work.main.git("reset", "-q", "--hard", "HEAD~4")
    work.main.commit("Another way", other="x")
    restarted = commits.Commits(work.runtime.services)
    index._sources = [restarted]
    found = await titles(work, "step", kinds=["commit"], limit=100)
    assert sorted(found) == [f"Step {number}" for number in range(6)]
    assert await titles(work, "another") == ["Another way"]


async def test_old_tips_that_git_has_thrown_away_are_no_trouble(work: Work) -> None:
    work.main.commit("Gone soon", a="1")
    assert await titles(work, "gone") == ["Gone soon"]
    work.main.git("reset", "-q", "--hard", "HEAD~1")
    work.main.git("reflog", "expire", "--expire=now", "--all")
    work.main.git("gc", "-q", "--prune=now")
    work.main.commit("Here to stay", b="1")
    assert (await titles(work, "gone"), await titles(work, "stay")) == ([], ["Here to stay"])


async def test_lanes_and_notes_are_found_as_they_are_now(work: Work) -> None:
    await work.lane("fix-basket", description="Customers lose their things")
    noted = await work.call("memory.add", text="Baskets live in Redis", tags=["lane:fix-basket"])
    found = await search(work, "basket*")
    assert {item["kind"] for item in found["items"]} == {"lane", "memory"}
    lane = next(item for item in found["items"] if item["kind"] == "lane")
    assert (lane["title"], lane["read_with"]) == ("fix-basket", "lane.show")
    await work.call("lane.rename", lane="fix-basket", name="fix-trolley")
    assert "fix-trolley" in await titles(work, "customers")
    await work.call("memory.remove", fact=noted["fact"]["id"])
    assert await titles(work, "redis") == []


async def test_the_ctos_notes_are_found_by_the_cto_alone(work: Work) -> None:
    arguments = {"text": "The budget ends in autumn"}
    await work.runtime.call("cto_memory.save", arguments, cwd=work.main.root, env=work.main.env, role="cto")
    await work.call("memory.add", text="The budget is in the wiki")
    assert await titles(work, "budget") == ["The budget is in the wiki"]
    assert (await search(work, "budget"))["total"] == 1
    assert (await search(work, "budget", role="cto"))["total"] == 2
    assert (await search(work, "autumn", role="evaluator"))["total"] == 0


async def test_a_project_that_is_forgotten_leaves_no_index_and_no_secret(work: Work) -> None:
    await work.call("secret.set", name="STRIPE_KEY", value="a sample value")
    assert await titles(work, "shop") == ["Begin the shop"]
    home = work.runtime.services.paths.home
    assert len([*(home / "search").iterdir()]) == 1
    assert '"values": {}' not in (home / "secrets" / "values.json").read_text()
    await work.call("project.remove", project=str(work.main.root))
    assert [*(home / "search").iterdir()] == []
    assert '"values": {}' in (home / "secrets" / "values.json").read_text()


async def test_filters(work: Work) -> None:
    lane = await work.lane("fix-basket")
    lane.commit("Mend the basket", c="1")
    work.main.commit("Paint the basket", d="1")
    assert await titles(work, "basket", kinds=["commit"], lane="fix-basket") == ["Mend the basket"]
    assert len(await titles(work, "basket", kinds=["commit"])) == 2
    assert await titles(work, "basket", author="nobody") == []
    assert await titles(work, "basket", since="2099-01-01") == []
    assert (await work.refused("search.workspace", query="basket", lane="nowhere")).code == "lane_not_found"


async def test_pages_follow_one_another(work: Work) -> None:
    for number in range(7):
        work.main.commit(f"Shelf {number}", **{f"s{number}": "x"})
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await search(work, "shelf", limit=3, **({} if cursor is None else {"cursor": cursor}))
        seen += [item["title"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(seen) == [f"Shelf {number}" for number in range(7)]
    assert page["total"] == 7


async def test_a_search_does_not_wait_for_a_history_that_takes_long(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.main.commit("Somewhere", a="1")
    going_on = asyncio.Event()
    read = commits._read

    async def slowly(*args: Any) -> Any:
        await going_on.wait()
        return await read(*args)

    monkeypatch.setattr(commits, "_read", slowly)
    monkeypatch.setattr(service, "PATIENCE_SECONDS", 0.05)
    arguments = {"query": "somewhere"}
    early = await work.runtime.call("search.workspace", arguments, cwd=work.main.root, env=work.main.env)
    assert (early["items"], early["complete"]) == ([], False)
    going_on.set()
    monkeypatch.setattr(service, "PATIENCE_SECONDS", 30.0)
    assert await titles(work, "somewhere") == ["Somewhere"]


def whole(place: Command, *argv: str, cwd: Path) -> dict[str, Any]:
    """A search that had caught up; a busy machine may need more than one."""
    while True:
        found: dict[str, Any] = place.json("search", "workspace", *argv, cwd=cwd)
        if found["complete"]:
            return found


def test_a_runtime_and_commands_beside_it_share_the_index(tmp_path: Path) -> None:
    place = Command(tmp_path)
    repo = Repo(tmp_path, "project")
    repo.commit("Begin the shop", README="# Shop\n")
    place.json("projects", "add", str(repo.root))
    try:
        assert whole(place, "shop", cwd=repo.root)["total"] == 1
        place.json("memory", "add", "The shop opens at nine", "--headless", cwd=repo.root)
        for more in ([], ["--headless"]):
            found = whole(place, 'nine OR "shop opens"', *more, cwd=repo.root)
            assert found["total"] == 0, "OR is a word like any other"
            assert whole(place, '"shop opens" nine', *more, cwd=repo.root)["total"] == 1
        shown = place.run("search", "workspace", "shop", "--text", cwd=repo.root).stdout.splitlines()
        assert shown[0] == "2 found" and shown[1].split() == ["KIND", "TITLE", "WHERE", "ID"]
        started = place.json("sessions", "start", "--bind-project", str(repo.root), cwd=repo.root)
        agent = Agent(place, {"ADE_SESSION_TOKEN": started["token"]})
        place.json("cto-memory", "save", "Sell the shop", "--role", "cto", cwd=repo.root)
        assert agent.json("search", "workspace", "sell", cwd=repo.root)["total"] == 0
        assert (
            json.loads(agent.run("cto-memory", "read", "--json", cwd=repo.root).stderr)["error"]["code"]
            == "unknown_action"
        )
        agent.close()
        end = time.monotonic() + 20  # a change is found within a second of it
        while whole(place, "sell", "--role", "cto", cwd=repo.root)["total"] != 1:
            assert time.monotonic() < end
    finally:
        place.close()


async def test_what_was_said_in_a_chat_is_found_and_where_to_read_it(work: Work) -> None:
    chat = await work.runtime.call(
        "chat.create", {"title": "Checkout"}, cwd=work.main.root, env=work.main.env
    )
    assert await titles(work, "cobblestone") == []
    await work.runtime.services.chats.note(
        chat["session"], 1, "assistant", "The cobblestone bug is in basket.py."
    )
    await work.runtime.services.chats.note(chat["session"], 1, "tool_result", "cobblestone cobblestone")
    [hit] = (await search(work, "cobblestone"))["items"]
    assert (hit["kind"], hit["title"], hit["read_with"]) == ("chat", "Checkout", "chat.transcript")
    assert hit["id"].startswith(chat["session"])


async def test_a_caption_of_proof_is_found_and_gone_with_it(work: Work) -> None:
    (work.main.root / "log.txt").write_text("all is well\n")
    put = await work.runtime.call(
        "proof.attach",
        {"path": "log.txt", "caption": "Green periwinkle run"},
        cwd=work.main.root,
        env=work.main.env,
    )
    [hit] = (await search(work, "periwinkle"))["items"]
    assert (hit["kind"], hit["id"]) == ("proof", put["proof"]["id"])
    await work.runtime.call(
        "proof.delete", {"proof": put["proof"]["id"]}, cwd=work.main.root, env=work.main.env
    )
    assert await titles(work, "periwinkle") == []
