"""Deleting lanes: nothing is lost that was not given up by name, and that comes back for 30 days."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import Exit
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.runner import Git
from tests.support.repo import Repo
from tests.support.work import Work

EVERYTHING = ["uncommitted", "untracked", "unpublished", "live_process"]


async def dirty_lane(work: Work) -> Repo:
    """A lane with staged, changed, new and deleted files and a commit of its own."""
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "mine\n"})
    lane.write("README.md", "# Changed\n")
    lane.write("staged.txt", "staged\n")
    lane.git("add", "staged.txt")
    lane.write("new.txt", "new\n")
    (lane.root / "src" / "app.py").unlink()
    return lane


async def test_public_6_a_refusal_lists_what_would_be_lost(work: Work) -> None:
    lane = await dirty_lane(work)
    before = lane.state()
    problem = await work.refused("lane.delete", lane="fix")
    assert (problem.code, problem.exit) == ("lane_has_work", Exit.CONFLICT)
    details = problem.details
    assert details["uncommitted"] == ["README.md", "src/app.py", "staged.txt"]
    assert details["untracked"] == ["new.txt"]
    assert [commit["subject"] for commit in details["unpublished"]] == ["Mine"]
    assert details["discard_needed"] == ["uncommitted", "untracked", "unpublished"]
    assert "--discard uncommitted --discard untracked --discard unpublished" in problem.hint
    assert lane.state() == before
    assert (await work.call("lane.show", lane="fix"))["state"] == "active"


@pytest.mark.parametrize("given", [["untracked"], ["uncommitted", "untracked"], ["unpublished"]])
async def test_part_of_what_would_be_lost_is_not_enough(work: Work, given: list[str]) -> None:
    lane = await dirty_lane(work)
    before = lane.state()
    assert (await work.refused("lane.delete", lane="fix", discard=given)).code == "lane_has_work"
    assert lane.state() == before


async def test_what_was_given_up_comes_back_as_it_was(work: Work) -> None:
    lane = await dirty_lane(work)
    before, commit = lane.git("status", "--porcelain"), lane.git("rev-parse", "HEAD")
    done = await work.call("lane.delete", lane="fix", discard=["uncommitted", "untracked", "unpublished"])
    assert done["worktree_removed"] and not done["branch_deleted"]
    assert not lane.root.exists()
    deadline = datetime.fromisoformat(done["recover_until"]) - work.runtime.services.clock.now()
    assert timedelta(days=29) < deadline <= timedelta(days=30)
    assert [one["name"] for one in (await work.call("lane.list", deleted=True))["items"]] == ["fix"]
    back = await work.call("lane.undelete", lane="fix")
    assert (back["id"], back["branch"]) == (done["lane_id"], "ade/fix")
    assert lane.git("status", "--porcelain") == before
    assert lane.git("rev-parse", "HEAD") == commit
    assert (lane.root / "new.txt").read_text() == "new\n"
    assert (lane.root / "README.md").read_text() == "# Changed\n"
    assert (await work.call("lane.list", deleted=True))["total"] == 0


async def test_agents_21_a_deleted_branch_comes_back(work: Work) -> None:
    lane = await work.lane("fix")
    commit = lane.commit("Mine", **{"mine.txt": "mine\n"})
    assert (await work.refused("lane.delete", lane="fix", delete_branch=True)).code == "lane_has_work"
    done = await work.call("lane.delete", lane="fix", discard=["unpublished"], delete_branch=True)
    assert done["branch_deleted"]
    assert work.main.git("branch", "--list", "ade/fix") == ""
    work.main.git("reflog", "expire", "--expire=now", "--all")
    work.main.git("gc", "-q", "--prune=now")
    back = await work.call("lane.undelete", lane="fix")
    assert (back["branch"], back["status"]["head"]) == ("ade/fix", commit)


async def test_a_lane_comes_back_beside_what_took_its_place(work: Work) -> None:
    lane = await work.lane("fix")
    commit = lane.commit("Mine", **{"mine.txt": "mine\n"})
    await work.call("lane.delete", lane="fix", discard=["unpublished"])
    work.main.git("branch", "-f", "ade/fix", "main")
    await work.call("lane.create", name="fix")
    assert (await work.refused("lane.undelete", lane="fix")).code == "lane_name_taken"
    back = await work.call("lane.undelete", lane="fix", name="fix again")
    assert back["status"]["head"] == commit
    assert back["branch"] not in ("ade/fix", "ade/fix-2")
    assert any("branch of its own" in note for note in back["notes"])


async def test_what_is_older_than_30_days_is_let_go(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    await dirty_lane(work)
    await work.call("lane.delete", lane="fix", discard=EVERYTHING[:3])
    assert work.main.git("for-each-ref", "refs/ade/trash") != ""
    later = work.runtime.services.clock.now() + timedelta(days=31)
    monkeypatch.setattr(work.runtime.services.clock, "now", lambda: later)
    assert (await work.call("lane.list", deleted=True))["total"] == 0
    assert (await work.refused("lane.undelete", lane="fix")).code == "deleted_lane_not_found"
    await work.call("lane.create", name="other")
    await work.call("lane.delete", lane="other")
    refs = work.main.git("for-each-ref", "--format=%(refname)", "refs/ade/trash").splitlines()
    assert len(refs) == 1


async def test_public_7_a_live_process_blocks_and_is_never_killed(work: Work) -> None:
    lane = await work.lane("fix")
    with process_in(lane.root / "src") as process:
        problem = await work.refused("lane.delete", lane="fix")
        assert problem.code == "lane_has_work"
        assert [one["pid"] for one in problem.details["processes"]] == [process.pid]
        await work.call("lane.delete", lane="fix", discard=["live_process"])
        assert process.poll() is None
    assert not lane.root.exists()


async def test_a_merged_branch_goes_with_its_lane(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "mine\n"})
    await work.call("lane.merge", lane="fix")
    done = await work.call("lane.delete", lane="fix")
    assert done["branch_deleted"] and done["discarded"] == []


async def test_a_pushed_branch_stays_when_its_lane_goes(work: Work, tmp_path: Path) -> None:
    lane = await with_remote(work, tmp_path)
    lane.git("push", "-q", "origin", "ade/fix")
    risk = await work.call("lane.delete_risk", lane="fix")
    assert risk["removable"] and risk["branch_fate"] == "kept"
    done = await work.call("lane.delete", lane="fix")
    assert not done["branch_deleted"]
    assert work.main.git("branch", "--list", "ade/fix") != ""


async def test_agents_22_a_squash_merge_on_the_server_counts_as_published(work: Work, tmp_path: Path) -> None:
    lane = await with_remote(work, tmp_path)
    lane.commit("More", **{"more.txt": "more\n"})
    lane.git("push", "-q", "origin", "ade/fix")
    work.main.git("switch", "-q", "--detach")
    work.main.git("merge", "-q", "--squash", "ade/fix")
    work.main.git("commit", "-q", "-m", "Fix (#1)")
    squashed = work.main.git("rev-parse", "HEAD")
    work.main.git("commit", "-q", "--allow-empty", "-m", "After")
    work.main.git("push", "-q", "origin", "HEAD:main", ":ade/fix")
    work.main.git("switch", "-q", "main")
    work.main.git("fetch", "-q", "--prune")
    assert squashed in work.main.git("log", "--format=%H", "origin/main")
    risk = await work.call("lane.delete_risk", lane="fix")
    assert (risk["removable"], risk["published_in"]) == (True, "origin/main")
    await work.call("lane.delete", lane="fix")


async def test_a_squash_merge_that_was_built_upon_still_counts(work: Work, tmp_path: Path) -> None:
    lane = await with_remote(work, tmp_path)
    work.main.git("merge", "-q", "--squash", "ade/fix")
    work.main.git("commit", "-q", "-m", "Fix (#1)")
    work.main.commit("Rewrite", **{"mine.txt": "entirely different\n"})
    risk = await work.call("lane.delete_risk", lane="fix")
    assert (risk["removable"], risk["published_in"]) == (True, "main")
    lane.commit("One more", **{"more.txt": "more\n"})
    risk = await work.call("lane.delete_risk", lane="fix")
    assert risk["discard_needed"] == ["unpublished"]
    assert risk["counts"]["unpublished"] == 2


async def test_other_changes_to_the_same_binary_file_are_not_taken_for_these(work: Work) -> None:
    work.main.commit("Binary", **{"a.bin": b"\0one"})
    lane = await work.lane("fix")
    lane.commit("Mine", **{"a.bin": b"\0mine"})
    work.main.commit("Theirs", **{"a.bin": b"\0theirs"})
    assert (await work.call("lane.delete_risk", lane="fix"))["discard_needed"] == ["unpublished"]


async def test_a_change_and_its_revert_are_commits_all_the_same(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "mine\n"})
    lane.git("revert", "--no-edit", "HEAD")
    work.main.commit("Elsewhere", **{"other.txt": "x"})
    assert (await work.call("lane.delete_risk", lane="fix"))["counts"]["unpublished"] == 2


async def test_ignored_files_are_told_and_do_not_block(work: Work) -> None:
    work.main.commit("Ignore", **{".gitignore": "build/\n*.log\n"})
    lane = await work.lane("fix")
    lane.write("build/out", "x")
    lane.write("a.log", "x")
    risk = await work.call("lane.delete_risk", lane="fix")
    assert sorted(risk["ignored"]) == ["a.log", "build/"]
    done = await work.call("lane.delete", lane="fix")
    assert done["ignored_removed"] == 2


async def test_an_unfinished_merge_is_uncommitted_work(work: Work) -> None:
    lane = await work.lane("fix")
    lane.commit("Mine", **{"README.md": "# Mine\n"})
    work.main.commit("Theirs", **{"README.md": "# Theirs\n"})
    lane.git("merge", "main", check=False)
    problem = await work.refused("lane.delete", lane="fix", discard=["unpublished"])
    assert "uncommitted" in problem.details["discard_needed"]
    await work.call("lane.delete", lane="fix", discard=["uncommitted", "unpublished"])
    back = await work.call("lane.undelete", lane="fix")
    assert "<<<<<<<" in (lane.root / "README.md").read_text()
    assert back["status"]["changed"] == 1


async def test_a_locked_worktree_is_refused(work: Work) -> None:
    lane = await work.lane("fix")
    work.main.git("worktree", "lock", "--reason", "on a stick", str(lane.root))
    problem = await work.refused("lane.delete", lane="fix")
    assert problem.code == "lane_locked"
    assert "on a stick" in problem.message


async def test_a_repository_inside_a_lane_is_never_removed(work: Work) -> None:
    lane = await work.lane("fix")
    inner = Repo(lane.root, "inner")
    inner.commit("Precious", **{"a": "a"})
    problem = await work.refused("lane.delete", lane="fix", discard=EVERYTHING)
    assert problem.code == "lane_removal_failed"
    assert "inner" in problem.message
    assert (inner.root / "a").exists()


async def test_a_removal_git_refuses_is_not_forced(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    lane = await work.lane("fix")

    def late_work(step: str) -> None:
        if step == "kept":
            lane.write("late.txt", "written in the last moment")

    work.runtime.services.lanes.at_step = late_work
    problem = await work.refused("lane.delete", lane="fix")
    assert problem.code == "lane_removal_failed"
    assert (lane.root / "late.txt").exists()
    assert (await work.call("lane.show", lane="fix"))["state"] == "active"


async def test_reliability_d24_a_lane_whose_folder_was_removed(work: Work) -> None:
    lane = await work.lane("fix")
    commit = lane.commit("Mine", **{"mine.txt": "mine\n"})
    lane.write("staged.txt", "staged\n")
    lane.git("add", "staged.txt")
    shutil.rmtree(lane.root)
    listed = {one["name"]: one for one in (await work.call("lane.list", include_status=True))["items"]}
    assert (listed["fix"]["state"], listed["fix"]["status"]) == ("missing", None)
    repaired = await work.call("lane.repair", lane="fix")
    assert (repaired["state"], repaired["status"]["head"]) == ("active", commit)
    assert repaired["status"]["staged"] == 1
    assert (lane.root / "staged.txt").read_text() == "staged\n"
    assert repaired["status"]["changed"] == 0
    shutil.rmtree(lane.root)
    assert (await work.refused("lane.delete", lane="fix")).code == "lane_has_work"
    done = await work.call("lane.delete", lane="fix", discard=["unpublished"])
    assert not done["worktree_removed"]
    assert str(lane.root) not in work.main.git("worktree", "list", "--porcelain")


async def test_a_lane_that_git_forgot_is_repaired_from_its_branch(work: Work) -> None:
    lane = await work.lane("fix")
    commit = lane.commit("Mine", **{"mine.txt": "mine\n"})
    shutil.rmtree(lane.root)
    work.main.git("worktree", "prune")
    repaired = await work.call("lane.repair", lane="fix")
    assert repaired["status"]["head"] == commit
    assert lane.git("status", "--porcelain") == ""
    shutil.rmtree(lane.root)
    work.main.git("worktree", "prune")
    work.main.git("branch", "-D", "ade/fix")
    problem = await work.refused("lane.repair", lane="fix")
    assert problem.code == "lane_not_repairable"
    await work.call("lane.delete", lane="fix")


async def test_agents_25_deleting_one_of_two_lanes_leaves_the_other_whole(work: Work) -> None:
    one, two = await work.lane("one"), await work.lane("two")
    one.commit("One", **{"one.txt": "1"})
    commit = two.commit("Two", **{"two.txt": "2"})
    two.write("open.txt", "open")
    before = two.state()
    await work.call("lane.delete", lane="one", discard=["unpublished"], delete_branch=True)
    work.main.git("gc", "-q", "--prune=now")
    assert two.git("fsck", "--full", "--strict") == ""
    assert (two.git("rev-parse", "HEAD"), two.state()[2]) == (commit, before[2])


async def test_submodules_are_looked_into_before_a_lane_goes(
    work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Repo(tmp_path, "library")
    library.commit("Library", **{"lib.txt": "l"})
    work.main.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "lib")
    work.main.git("commit", "-q", "-m", "Add the library")
    lane = await work.lane("fix")
    assert (await work.call("lane.delete_risk", lane="fix"))["removable"]
    lane.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
    assert (await work.call("lane.show", lane="fix"))["status"]["dirty"] is False
    inner = Repo(lane.root, "lib", init=False, env=work.main.env)
    inner.commit("In the submodule", **{"lib.txt": "changed"})
    problem = await work.refused("lane.delete", lane="fix")
    assert problem.details["submodules"] == ["lib"]
    inner.git("reset", "-q", "--hard", "origin/main")
    done = await work.call("lane.delete", lane="fix")
    assert done["worktree_removed"] and not lane.root.exists()
    assert work.main.git("submodule", "status") != ""


async def test_children_of_a_deleted_lane_stand_on_its_parent(work: Work) -> None:
    await work.lane("a")
    await work.call("lane.create_child", name="b", lane="a")
    await work.call("lane.create_child", name="c", lane="b")
    await work.call("lane.delete", lane="b")
    stack = {one["lane"]: one["parent"] for one in (await work.call("lane.stack"))["items"]}
    assert stack == {"primary": None, "a": "primary", "c": "a"}


async def with_remote(work: Work, base: Path) -> Repo:
    """A lane with one commit in a project with a bare remote."""
    work.main.git("init", "-q", "--bare", "-b", "main", str(base / "remote.git"))
    work.main.git("remote", "add", "origin", str(base / "remote.git"))
    work.main.git("push", "-q", "-u", "origin", "main")
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "mine\n"})
    return lane


@contextmanager
def process_in(folder: Path) -> Iterator[subprocess.Popen[Any]]:
    """A program that runs in ``folder`` and says so before this returns."""
    program = "import sys; print(flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdout.readline()
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("ignored", [False, True])
async def test_a_repository_deep_inside_a_lane_is_never_removed(work: Work, ignored: bool) -> None:
    work.main.commit("Ignore", **{".gitignore": "vendor/\n" if ignored else ""})
    lane = await work.lane("fix")
    inner = Repo(lane.root, "vendor/deep/inner")
    inner.commit("Precious", **{"a": "a"})
    problem = await work.refused("lane.delete", lane="fix", discard=EVERYTHING)
    assert problem.code == "lane_removal_failed"
    assert "vendor/deep/inner" in problem.message
    assert (inner.root / "a").exists()


async def test_a_clone_that_is_ignored_and_has_nothing_of_its_own_goes(work: Work, tmp_path: Path) -> None:
    library = Repo(tmp_path, "library")
    library.commit("Library", **{"lib.txt": "l"})
    work.main.commit("Ignore", **{".gitignore": "vendor/\n"})
    lane = await work.lane("fix")
    lane.git("clone", "-q", str(library.root), "vendor/library")
    lane.write("vendor/library/new.txt", "n")
    assert (await work.refused("lane.delete", lane="fix")).code == "lane_removal_failed"
    (lane.root / "vendor/library/new.txt").unlink()
    assert (await work.call("lane.delete", lane="fix"))["worktree_removed"]


@pytest.mark.parametrize("registered", [False, True])
async def test_work_of_a_submodule_cannot_be_given_up_as_it_cannot_be_kept(
    work: Work, tmp_path: Path, registered: bool
) -> None:
    library = Repo(tmp_path, "library")
    library.commit("Library", **{"lib.txt": "l"})
    lane = await work.lane("fix")
    if registered:
        allow = ("-c", "protocol.file.allow=always")
        lane.git(*allow, "submodule", "--quiet", "add", str(library.root), "lib")
    else:
        lane.git("clone", "-q", str(library.root), "lib")
        lane.git("add", "lib")
    lane.git("commit", "-q", "-m", "Add the library")
    inner = Repo(lane.root, "lib", init=False, env=work.main.env)
    inner.write("new.txt", "n")
    lane.write("new.txt", "n")
    problem = await work.refused("lane.delete", lane="fix", discard=EVERYTHING)
    assert problem.code == "lane_removal_failed"
    assert "lib" in problem.message
    assert (inner.root / "new.txt").exists() and (lane.root / "new.txt").exists()


async def test_a_removal_that_gets_stuck_half_way_can_be_undeleted(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git forgets a worktree even where it could not remove all of it, as when a program goes on writing there."""
    lane = await work.lane("fix")
    lane.write("new.txt", "precious")
    run = Git.run

    async def stuck(git: Git, *args: Any, **options: Any) -> Any:
        result = await run(git, *args, **options)
        if args[:2] == ("worktree", "remove"):
            lane.write("build/late.o", "written meanwhile")
            raise GitError(command="worktree", code=255, stderr="failed to delete: Directory not empty")
        return result

    with monkeypatch.context() as patch:
        patch.setattr(Git, "run", stuck)
        done = await work.call("lane.delete", lane="fix", discard=["untracked"])
    assert done["worktree_removed"] is False
    assert str(lane.root) in done["next"]
    assert (lane.root / "build/late.o").exists()
    assert [one["name"] for one in (await work.call("lane.list"))["items"]] == ["primary"]
    back = await work.call("lane.undelete", lane="fix")
    assert (Path(back["path"]) / "new.txt").read_text() == "precious"
    assert Path(back["path"]) != lane.root


@pytest.mark.parametrize(
    "marks", [["--assume-unchanged"], ["--skip-worktree"], ["--assume-unchanged", "--skip-worktree"]]
)
async def test_changes_that_git_was_told_not_to_see_are_changes(work: Work, marks: list[str]) -> None:
    lane = await work.lane("fix")
    for mark in marks:
        lane.git("update-index", mark, "README.md", "src/app.py")
    assert (await work.call("lane.delete_risk", lane="fix"))["removable"]
    lane.write("README.md", "# Mine alone\n")
    assert lane.git("status", "--porcelain") == ""
    problem = await work.refused("lane.delete", lane="fix")
    assert (problem.code, problem.details["uncommitted"]) == ("lane_has_work", ["README.md"])
    await work.call("lane.delete", lane="fix", discard=["uncommitted"])
    back = await work.call("lane.undelete", lane="fix")
    assert back["status"]["changed"] == 1
    assert (lane.root / "README.md").read_text() == "# Mine alone\n"
