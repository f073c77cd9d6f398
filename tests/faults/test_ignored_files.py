"""An ignored file may be the only copy of somebody's settings: nothing that brings files in replaces it silently."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.repo import Repo
from tests.support.work import Work, opened

SECRET = "password = 1\n"
OTHER = "local.env"
"""Ignored, and nowhere in the way."""


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    """``tracked`` names a commit that has ``.env``; the lane ``fix`` ignores it and has its own."""
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n", ".gitignore": ".env\n*.env\n"})
        await work.call("project.add", path=str(work.main.root))
        work.main.git("switch", "-q", "-c", "tracked")
        work.main.write(".env", "from the branch\n")
        work.main.git("add", "--force", ".env")
        work.main.git("commit", "-q", "-m", "Track settings")
        work.main.git("switch", "-q", "main")
        lane = await work.lane("fix")
        for folder in (work.main, lane):
            folder.write(".env", SECRET)
            folder.write(OTHER, SECRET)
        yield work


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("lane.switch_branch", {"branch": "tracked"}),
    ("git.checkout_branch", {"branch": "tracked"}),
    ("git.checkout_branch", {"branch": "new", "create": True, "start": "tracked"}),
    ("git.rebase", {"onto": "tracked"}),
    ("git.cherry_pick", {"commits": ["tracked"]}),
    ("git.reset", {"target": "tracked", "mode": "keep"}),
]


@pytest.mark.parametrize(("action", "arguments"), CALLS)
@pytest.mark.parametrize("own", [False, True])
async def test_what_would_replace_an_ignored_file_is_refused(
    work: Work, action: str, arguments: dict[str, Any], own: bool
) -> None:
    lane = await work.lane("fix")
    if own:
        lane.commit("Mine", **{"mine.txt": "m"})
    before = lane.state()
    problem = await work.refused(action, lane="fix", **arguments)
    assert (problem.code, problem.details) == ("local_changes", {"files": [".env"]})
    assert lane.state() == before
    assert read(lane) == SECRET


@pytest.mark.parametrize("strategy", ["ff_only", "merge", "rebase"])
async def test_a_pull_is_refused(work: Work, strategy: str) -> None:
    lane = await work.lane("fix")
    lane.git("branch", "--set-upstream-to=tracked")
    if strategy != "ff_only":
        lane.commit("Mine", **{"mine.txt": "m"})
    problem = await work.refused("git.pull", lane="fix", strategy=strategy)
    assert (problem.code, problem.details) == ("local_changes", {"files": [".env"]})
    assert read(lane) == SECRET


@pytest.mark.parametrize("mode", ["merge", "squash", "fast_forward"])
async def test_a_merge_into_the_parent_is_refused(work: Work, mode: str) -> None:
    lane = await work.lane("fix")
    lane.git("add", "--force", ".env")
    lane.git("commit", "-q", "-m", "Track settings by mistake")
    if mode != "fast_forward":
        work.main.commit("Elsewhere", **{"else.txt": "e"})
    before = work.main.state()
    problem = await work.refused("lane.merge", lane="fix", mode=mode)
    assert (problem.code, problem.details) == ("local_changes", {"files": [".env"]})
    assert "primary" in problem.message
    assert work.main.state() == before
    (work.main.root / ".env").unlink()
    await work.call("lane.merge", lane="fix", mode=mode)
    assert read(work.main) == SECRET


async def test_a_file_that_only_the_lane_stopped_tracking_does_not_hinder(work: Work) -> None:
    """The parent untracked its settings; a lane from before still tracks them and has not touched them."""
    (work.main.root / ".env").unlink()
    work.main.git("merge", "-q", "--ff-only", "tracked")
    old = await work.lane("old")
    work.main.git("rm", "-q", "--cached", ".env")
    work.main.git("commit", "-q", "-m", "Settings are local")
    old.commit("Work", **{"work.txt": "w"})
    done = await work.call("lane.merge", lane="old")
    assert done["result"] == "merged"
    assert read(work.main) == "from the branch\n"


async def test_an_undo_is_refused(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / ".env").unlink()
    await work.call("lane.switch_branch", lane="fix", branch="tracked")
    await work.call("git.reset", lane="fix", target="main", mode="hard")
    lane.write(".env", SECRET)
    problem = await work.refused("git.undo_last_head_change", lane="fix")
    assert (problem.code, problem.details) == ("local_changes", {"files": [".env"]})
    assert read(lane) == SECRET


async def test_a_hard_reset_keeps_what_it_replaces(work: Work) -> None:
    lane = await work.lane("fix")
    done = await work.call("git.reset", lane="fix", target="tracked", mode="hard")
    assert read(lane) == "from the branch\n"
    assert lane.git("show", f"{done['recovery']['ref']}:.env") == SECRET.strip()
    assert lane.git("ls-tree", "--name-only", done["recovery"]["ref"], OTHER) == ""


@pytest.mark.parametrize(
    ("action", "arguments"),
    [("git.reset", {"mode": "hard", "target": "HEAD"}), ("git.discard", {"all": True})],
)
async def test_a_folder_that_gives_way_to_a_file_is_kept(
    work: Work, action: str, arguments: dict[str, Any]
) -> None:
    lane = await work.lane("fix")
    (lane.root / "README.md").unlink()
    lane.write("README.md/new.txt", "new\n")
    lane.write("README.md/.env", SECRET)
    done = await work.call(action, lane="fix", **arguments)
    assert (lane.root / "README.md").read_text() == "# Shop\n"
    assert lane.git("show", f"{done['recovery']['ref']}:README.md/.env") == SECRET.strip()
    assert lane.git("show", f"{done['recovery']['ref']}:README.md/new.txt") == "new"


async def test_an_ignored_folder_in_the_way_is_no_less_worth(work: Work) -> None:
    lane = await work.lane("fix")
    (lane.root / ".env").unlink()
    lane.write(".env/inside", SECRET)
    problem = await work.refused("git.rebase", lane="fix", onto="tracked")
    assert problem.details == {"files": [".env/inside"]}


async def test_an_ignored_file_where_a_folder_has_to_be(work: Work) -> None:
    lane = await work.lane("fix")
    work.main.write("cache.env/data", "d")
    work.main.git("add", "--force", "cache.env/data")
    work.main.git("commit", "-q", "-m", "A folder")
    lane.write("cache.env", SECRET)
    problem = await work.refused("git.rebase", lane="fix")
    assert problem.details == {"files": ["cache.env"]}
    assert (lane.root / "cache.env").read_text() == SECRET


def read(repo: Repo) -> str:
    assert (repo.root / OTHER).read_text() == SECRET
    return (repo.root / ".env").read_text()
