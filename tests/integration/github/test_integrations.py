"""An integration lane holds what several lanes hold; nobody's work is touched to make it, and it is made once."""

from __future__ import annotations

from typing import Any

import pytest

from ade_runtime.integrations.github import client
from tests.support.github.hub import Fault, failing
from tests.support.github.shop import Shop
from tests.support.repo import Repo

ACTION = "queue.create_integration"


async def two_lanes(shop: Shop) -> Repo:
    """A second lane, add-search, with a commit; it is given."""
    other = await shop.work.lane("add-search")
    other.commit("Add a search", **{"search.py": "print('found')\n"})
    return other


def seen(repo: Repo) -> tuple[Any, ...]:
    """What somebody at work in a checkout sees of it."""
    files = {path.name: path.read_bytes() for path in repo.root.iterdir() if path.is_file()}
    names = ("rev-parse", "HEAD"), ("symbolic-ref", "HEAD"), ("status", "--porcelain"), ("stash", "list")
    return files, *(repo.git(*argv) for argv in names)


async def lanes(shop: Shop) -> list[str]:
    return [one["name"] for one in (await shop.call("lane.list"))["items"]]


async def test_it_holds_every_lane_on_top_of_the_target_and_nobodys_work_is_touched(shop: Shop) -> None:
    other = await two_lanes(shop)
    shop.work.main.commit("Not pushed", **{"own.txt": "mine\n"})
    for repo in (shop.work.main, shop.lane, other):
        repo.write("README.md", "# In the middle of it\n")
        repo.write("new.txt", "new\n")
        repo.git("add", "new.txt")
    before = [seen(repo) for repo in (shop.work.main, shop.lane, other)]
    made = await shop.call(ACTION, lanes=["fix-login", "add-search"], name="release", title="Both")
    assert [seen(repo) for repo in (shop.work.main, shop.lane, other)] == before
    lane = Repo(shop.lane.root.parent, "release", init=False, env=shop.work.main.env)
    assert seen(lane)[0].keys() - {".git"} == {"README.md", "login.py", "search.py"}
    assert lane.git("status", "--porcelain") == ""
    assert lane.git("log", "--first-parent", "--format=%s").splitlines() == [
        "Merge lane add-search",
        "Merge lane fix-login",
        "First",
    ]
    assert lane.git("log", "-1", "--format=%an") == "Ada"
    assert shop.repository.tip("ade/release") == made["commit"] == lane.git("rev-parse", "HEAD")
    assert (made["pull"]["title"], made["pull"]["lane"], made["pull"]["commits"]) == ("Both", "release", 4)
    shown = await shop.call("lane.show", lane="release")
    assert (shown["base"], shown["base_commit"]) == ("origin/main", shop.repository.tip("main"))
    assert shown["status"]["ahead"] == 4


async def test_calling_again_finds_it_and_changes_nothing(shop: Shop) -> None:
    other = await two_lanes(shop)
    given: dict[str, Any] = {"lanes": ["fix-login", "add-search"]}
    first = await shop.call(ACTION, **given)
    again = await shop.call(ACTION, **given)
    assert (again["created"], again["pull_created"]) == (False, False)
    assert (again["lane_id"], again["commit"]) == (first["lane_id"], first["commit"])
    assert again["pull"]["number"] == first["pull"]["number"] == 1
    other.commit("More", **{"more.py": "1\n"})
    assert (await shop.refused(ACTION, **given)).code == "lane_name_taken"
    for name in ("fix-login", "primary"):
        assert (await shop.refused(ACTION, **given, name=name)).code in (
            "lane_name_taken",
            "invalid_branch_name",
        )
    assert len(shop.repository.pulls) == 1


async def test_a_conflict_is_told_and_nothing_is_made(shop: Shop) -> None:
    other = await shop.work.lane("add-search")
    other.commit("Another login", **{"login.py": "print('out')\n"})
    third = await shop.work.lane("third")
    third.commit("Third", **{"third.py": "3\n"})
    given: dict[str, Any] = {"lanes": ["fix-login", "add-search", "third"], "name": "all"}
    before = (shop.work.main.state(), await lanes(shop))
    problem = await shop.refused(ACTION, **given)
    assert problem.code == "integration_conflict"
    assert problem.details["conflicts"] == [
        {"lane": "add-search", "files": ["login.py"], "with": ["fix-login"]}
    ]
    assert (shop.work.main.state(), await lanes(shop)) == before
    assert shop.repository.pulls == []
    made = await shop.call(ACTION, **given, on_conflict="skip")
    assert [(one["outcome"], one["conflicts_with"]) for one in made["parts"]] == [
        ("merged", []),
        ("conflict", ["fix-login"]),
        ("merged", []),
    ]
    assert "Left out because of conflicts: add-search." in made["pull"]["body"]
    again = await shop.call(ACTION, **given, on_conflict="skip")
    assert (again["created"], again["commit"]) == (False, made["commit"])


async def test_the_newer_of_lane_and_branch_is_taken_and_of_two_ways_neither(shop: Shop) -> None:
    other = await two_lanes(shop)
    other.git("push", "--quiet", "origin", "HEAD:refs/heads/ade/add-search")
    mine = other.git("rev-parse", "HEAD")
    other.commit("From elsewhere", **{"elsewhere.py": "1\n"})
    theirs = other.git("rev-parse", "HEAD")
    other.git("push", "--quiet", "origin", "HEAD:refs/heads/ade/add-search")
    other.git("reset", "--quiet", "--hard", mine)
    made = await shop.call(ACTION, lanes=["fix-login", "add-search"])
    assert [one["commit"] for one in made["parts"]] == [shop.lane.git("rev-parse", "HEAD"), theirs]
    other.commit("Here", **{"here.py": "1\n"})
    problem = await shop.refused(ACTION, lanes=["fix-login", "add-search"], name="again")
    assert problem.code == "integration_diverged"


async def test_what_is_in_the_target_already_is_nothing_to_integrate(shop: Shop) -> None:
    shop.lane.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    assert (await shop.refused(ACTION, lanes=["fix-login"])).code == "integration_empty"
    problem = await shop.refused(ACTION, lanes=["fix-login"], target="nowhere")
    assert problem.code == "pr_base_missing"
    shop.repository.archived = True
    shop.work.runtime.services.pulls.connections._about.clear()
    assert (await shop.refused(ACTION, lanes=["fix-login"])).code == "github_repository_archived"


async def test_where_the_pull_request_fails_the_same_call_goes_on(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(client, "LOOKS", (0.0, 0.0))
    await two_lanes(shop)
    shop.hub.faults.append(Fault("POST", "/pulls$", times=50, instead=failing(502)))
    given: dict[str, Any] = {"lanes": ["fix-login", "add-search"], "request_id": "once"}
    problem = await shop.refused(ACTION, **given)
    assert problem.code == "github_unreachable"
    assert "is made; the same call goes on" in problem.hint
    shop.hub.faults.clear()
    made = await shop.call(ACTION, **given)
    assert (made["created"], made["pull_created"]) == (False, True)
    assert await shop.call(ACTION, **given) == made
    assert (await lanes(shop)).count(made["lane"]) == len(shop.repository.pulls) == 1


async def test_two_at_once_make_one(shop: Shop) -> None:
    import asyncio

    await two_lanes(shop)
    calls = [shop.call(ACTION, lanes=["fix-login", "add-search"]) for _ in range(3)]
    made = await asyncio.gather(*calls)
    assert len({one["lane_id"] for one in made}) == 1
    assert sum(one["created"] for one in made) == 1
    assert len(shop.repository.pulls) == 1
