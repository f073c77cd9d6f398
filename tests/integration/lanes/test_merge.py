"""Merging a lane into its parent: checked first, whole or not at all."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import psutil
import pytest

from ade_runtime.contracts import AdeError, Exit
from ade_runtime.integrations.git.runner import Argument, Git, GitResult
from tests.support.work import Work


async def two_sides(work: Work, lane_text: str = "# Lane\n", main_text: str = "# Main\n") -> None:
    lane = await work.lane("fix")
    lane.commit("In the lane", **{"README.md": lane_text})
    work.main.commit("In main", **{"README.md": main_text})


async def test_fault_27_a_conflict_leaves_the_parent_untouched(work: Work) -> None:
    await two_sides(work)
    before = work.main.state()
    problem = await work.refused("lane.merge", lane="fix")
    assert (problem.code, problem.exit) == ("merge_conflict", Exit.CONFLICT)
    assert problem.details["files"] == ["README.md"]
    assert work.main.state() == before


async def test_fault_27_a_dirty_parent_is_refused(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    work.main.write("README.md", "# Half done\n")
    before = work.main.state()
    problem = await work.refused("lane.merge", lane="fix")
    assert (problem.code, problem.details["files"]) == ("lane_dirty", ["README.md"])
    assert "primary" in problem.message
    assert work.main.state() == before


async def test_fault_27_a_conflict_is_kept_only_when_asked_for(work: Work) -> None:
    await two_sides(work)
    done = await work.call("lane.merge", lane="fix", keep_conflict=True)
    assert (done["result"], done["conflicts"]) == ("conflict", ["README.md"])
    shown = await work.call("lane.show")
    assert (shown["state"], shown["status"]["operation"], shown["status"]["conflicted"]) == (
        "conflicted",
        "merge",
        1,
    )
    problem = await work.refused("lane.merge", lane="fix")
    assert problem.code == "operation_in_progress"
    work.main.git("merge", "--abort")


async def test_a_lane_with_uncommitted_work_is_refused(work: Work) -> None:
    lane = await work.lane("fix")
    lane.write("new.txt", "n")
    problem = await work.refused("lane.merge", lane="fix")
    assert problem.code == "lane_dirty" and "fix" in problem.message


@pytest.mark.parametrize(
    ("mode", "result", "parents"),
    [("merge", "merged", 2), ("squash", "squashed", 1), ("fast_forward", "fast_forwarded", 1)],
)
async def test_the_ways_to_merge(work: Work, mode: str, result: str, parents: int) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    done = await work.call("lane.merge", lane="fix", mode=mode, message="Take it")
    assert done["result"] == result
    assert done["commit"] == work.main.git("rev-parse", "main")
    assert len(work.main.git("log", "-1", "--format=%P").split()) == parents
    assert work.main.git("log", "-1", "--format=%s") == ("Mine" if mode == "fast_forward" else "Take it")
    assert work.main.git("status", "--porcelain") == ""
    assert (work.main.root / "mine.txt").exists()
    again = await work.call("lane.merge", lane="fix", mode=mode)
    assert (again["result"], again["commit"]) == ("already_merged", done["commit"])


async def test_a_fast_forward_that_is_none_is_refused(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    work.main.commit("Other", **{"other.txt": "o"})
    assert (await work.refused("lane.merge", lane="fix", mode="fast_forward")).code == "merge_refused"


@pytest.mark.parametrize("mode", ["merge", "squash"])
async def test_a_hook_that_refuses_leaves_the_parent_untouched(work: Work, mode: str) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    for name in ("pre-merge-commit", "commit-msg"):
        hook = work.main.root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
        hook.chmod(0o755)
    head = work.main.git("rev-parse", "HEAD")
    problem = await work.refused("lane.merge", lane="fix", mode=mode)
    assert problem.code == "merge_refused" and "not today" in problem.message
    assert work.main.git("rev-parse", "HEAD") == head
    assert work.main.git("status", "--porcelain") == ""
    assert not (work.main.root / ".git" / "MERGE_HEAD").exists()


async def test_a_lane_is_merged_into_the_lane_it_stands_on(work: Work) -> None:
    parent = await work.lane("parent")
    await work.call("lane.create_child", name="child", lane="parent")
    child = parent.root.parent / "child"
    work.main.git("-C", str(child), "commit", "-q", "--allow-empty", "-m", "Child")
    done = await work.call("lane.merge", lane="child")
    assert (done["parent"], done["parent_branch"]) == ("parent", "ade/parent")
    assert work.main.git("log", "--format=%s", "-1", "main") == "Start"


async def test_a_parent_on_another_branch_is_told(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    work.main.git("switch", "-q", "-c", "elsewhere")
    problem = await work.refused("lane.merge", lane="fix")
    assert problem.code == "parent_branch_mismatch"
    assert "main" in problem.message and "elsewhere" in problem.message
    work.main.git("switch", "-q", "--detach")
    assert (await work.refused("lane.merge", lane="fix")).code == "parent_branch_mismatch"


async def test_the_primary_lane_has_no_parent(work: Work) -> None:
    assert (await work.refused("lane.merge", lane="primary")).code == "primary_lane_protected"
    assert (await work.refused("lane.merge")).code == "lane_required"


async def test_a_lane_merges_itself_from_inside(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    done = await work.call("lane.merge", cwd=lane.root / "src")
    assert done["lane"] == "fix"


async def test_a_merge_that_is_called_off_stops_at_once_and_leaves_nothing(
    work: Work, tmp_path: Path
) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    reached = tmp_path / "reached"
    os.mkfifo(reached)
    hook = work.main.root / ".git" / "hooks" / "pre-merge-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\necho $$ > "{reached}"\nexec sleep 600\n')
    hook.chmod(0o755)
    head = work.main.git("rev-parse", "HEAD")
    call = asyncio.ensure_future(work.call("lane.merge", lane="fix"))
    pid = int(await asyncio.to_thread(reached.read_text))
    call.cancel()
    with pytest.raises((asyncio.CancelledError, AdeError)):
        await asyncio.wait_for(call, 30)
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    assert (work.main.git("rev-parse", "HEAD"), work.main.git("status", "--porcelain")) == (head, "")
    assert not (work.main.root / ".git" / "MERGE_HEAD").exists()


@pytest.mark.parametrize("mode", ["merge", "fast_forward"])
async def test_a_merge_prints_nothing_that_could_end_it(work: Work, mode: str) -> None:
    """A git that outlives a killed runtime dies of the first line it writes into the broken pipe."""
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    printed = []
    run = Git.run

    async def watched(git: Git, *args: Argument, **options: Any) -> GitResult:
        result = await run(git, *args, **options)
        if args[0] in ("merge", "commit"):
            printed.append(result.stdout + result.stderr)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Git, "run", watched)
        await work.call("lane.merge", lane="fix", mode=mode)
    assert printed and not any(printed)
