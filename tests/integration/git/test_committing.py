"""git.commit, git.revert, git.cherry_pick, git.undo_last_head_change, git.redo_last_head_change, git.reset."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tests.integration.git.conftest import Lab


async def test_a_commit_tells_what_it_did(lab: Lab) -> None:
    before = lab.head()
    lab.write("a", "1\n2\n")
    made = await lab.git(
        "commit", message="Add a\n\nWhy it is there.", stage_all=True, author="Grace <grace@example.org>"
    )
    assert made["before"] == before
    assert made["commit"] == lab.head()
    assert (made["subject"], made["branch"], made["amended"]) == ("Add a", "ade/fix-login", False)
    assert made["items"] == [
        {"path": "a", "old_path": None, "status": "added", "additions": 2, "deletions": 0}
    ]
    shown = (await lab.git("show"))["commit"]
    assert (shown["body"], shown["author"]["name"], shown["committer"]["name"]) == (
        "Why it is there.",
        "Grace",
        "Ada",
    )
    assert lab.head(at=lab.project) == before


async def test_a_message_that_looks_like_an_option_or_a_comment(lab: Lab) -> None:
    for message in ("--amend", "-F/etc/passwd", "#12 is done", "$(touch x) `id` {{7*7}}", "修正 🚀"):
        made = await lab.git("commit", message=message, allow_empty=True)
        assert made["subject"] == message
    await lab.fails("invalid_arguments", "commit", message="  \n", allow_empty=True)


async def test_amending_keeps_or_replaces_the_message(lab: Lab) -> None:
    first = lab.commit("First", a="1")
    lab.write("a", "2")
    made = await lab.git("commit", amend=True, stage_all=True)
    assert (made["subject"], made["before"], made["amended"]) == ("First", first, True)
    assert (await lab.git("commit", amend=True, message="Better"))["subject"] == "Better"
    assert lab.run("rev-list", "--count", "main..HEAD") == "1"


async def test_what_cannot_be_committed(lab: Lab) -> None:
    await lab.fails("nothing_to_commit", "commit", message="x", stage_all=True)
    await lab.fails("invalid_arguments", "commit", message="x", author="no mail")
    await lab.fails("invalid_arguments", "commit")
    await lab.fails("lane_not_found", "commit", message="x", lane="nowhere")
    lab.run("config", "--file", lab.env["GIT_CONFIG_GLOBAL"], "--remove-section", "user")
    lab.run("config", "user.useConfigOnly", "true")
    lab.write("a", "x")
    await lab.fails("identity_unknown", "commit", message="x", stage_all=True)
    assert lab.status() == ["?? a"]


async def test_hooks_run_where_git_runs_them_and_nowhere_else(lab: Lab) -> None:
    log = lab.base / "hooks.log"
    for name in (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "post-checkout",
        "post-index-change",
    ):
        lab.hook(name, f"echo {name} >> {log}")
    lab.write("a", "x")
    for action in ("status", "sync_status", "log", "show", "branches", "stash_list", "conflict_state"):
        await lab.git(action)
    assert not log.exists()
    await lab.git("commit", message="x", stage_all=True)
    ran = [line for line in log.read_text().splitlines() if line != "post-index-change"]
    assert ran == ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"]
    log.unlink()
    await lab.git("checkout_branch", branch="next", create=True)
    assert "post-checkout" in log.read_text()


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
async def test_a_hook_that_refuses_leaves_the_index_as_it_was(lab: Lab, name: str) -> None:
    lab.commit("base", a="1", b="1")
    lab.write("a", "staged")
    lab.run("add", "a")
    lab.write("a", "later")
    lab.write("b", "later")
    lab.write("new", "x")
    before = lab.run("ls-files", "--stage"), lab.status(), lab.head()
    lab.hook(name, "echo 'lint: line 3 is wrong'; git add --all; exit 3")
    problem = await lab.fails("hook_failed", "commit", message="x", stage_all=True)
    assert problem.message == f"The {name} hook ended with 3: lint: line 3 is wrong"
    assert problem.details["hook"] == name
    assert (lab.run("ls-files", "--stage"), lab.status(), lab.head()) == before


async def test_a_hook_that_fails_when_all_is_done_is_a_warning(lab: Lab) -> None:
    lab.hook("post-commit", "exit 4")
    lab.hook("post-checkout", "exit 5")
    made = await lab.git("commit", message="x", allow_empty=True)
    assert made["commit"] == lab.head()
    moved = await lab.git("checkout_branch", branch="next", create=True)
    assert moved["branch"] == "next"
    assert moved["warnings"] == ["hook post-checkout ended with 5"]


async def test_a_signature_that_fails_is_said_and_nothing_is_committed(lab: Lab) -> None:
    lab.run("config", "commit.gpgSign", "true")
    lab.run("config", "gpg.program", "/bin/false")
    lab.write("a", "x")
    before = lab.head()
    await lab.fails("signing_failed", "commit", message="x", stage_all=True)
    assert (lab.head(), lab.status()) == (before, ["?? a"])


async def test_a_cancelled_commit_leaves_nothing_behind(lab: Lab) -> None:
    started = lab.base / "started"
    lab.hook("pre-commit", f"echo $$ > {started}; exec sleep 60")
    lab.write("a", "x")
    before = lab.head()
    task = asyncio.create_task(lab.git("commit", message="x", stage_all=True))
    await appears(started)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (lab.head(), lab.status()) == (before, ["?? a"])
    assert not list((lab.project / ".git").rglob("*.lock"))
    (lab.project / ".git/hooks/pre-commit").unlink()
    await lab.git("commit", message="x", stage_all=True)


async def test_a_held_lock_is_told_and_left(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("runner", "locks"):
        monkeypatch.setattr(f"ade_runtime.integrations.git.{module}.LOCK_PATIENCE", 0.2)
    lock = lab.lane_git_dir() / "index.lock"
    lab.write("a", "x")
    lock.touch()
    problem = await lab.fails("git_locked", "commit", message="x", stage_all=True)
    assert problem.details["path"] == str(lock)
    assert problem.retry
    await lab.fails("git_locked", "cherry_pick", commits=["main"])
    assert lock.exists()
    assert (await lab.git("status"))["total"] == 1


async def test_the_real_patience_with_a_lock_is_under_three_seconds(lab: Lab) -> None:
    (lab.lane_git_dir() / "index.lock").touch()
    started = time.monotonic()
    await lab.fails("git_locked", "stage_all")
    assert 2.0 < time.monotonic() - started < 4.5


async def test_on_a_detached_head(lab: Lab) -> None:
    lab.run("switch", "-q", "--detach")
    made = await lab.git("commit", message="x", allow_empty=True)
    assert made["branch"] is None
    assert "no branch" in made["warnings"][0]
    assert (await lab.git("sync_status"))["state"] == "detached"


async def test_a_commit_during_a_merge_finishes_it(lab: Lab) -> None:
    lab.conflict()
    lab.run("merge", "-q", "main", check=False)
    problem = await lab.fails("conflicts_left", "commit", message="x")
    assert problem.details["files"] == ["README.md"]
    lab.write("README.md", "# Both\n")
    await lab.fails("operation_in_progress", "commit", message="x", amend=True)
    await lab.git("commit", message="Merge it", stage_all=True)
    assert len(lab.run("rev-parse", "HEAD^@").splitlines()) == 2


async def test_revert_and_cherry_pick(lab: Lab) -> None:
    first = lab.commit("First", a="1")
    second = lab.commit("Second", b="1")
    out = await lab.git("revert", commits=[second, first])
    assert [item["subject"] for item in out["items"]] == ['Revert "First"', 'Revert "Second"']
    out = await lab.git("cherry_pick", commits=[first], record_origin=True)
    assert out["total"] == 1
    assert f"cherry picked from commit {first}" in lab.run("log", "-1", "--format=%B")
    staged = await lab.git("cherry_pick", commits=[second], no_commit=True)
    assert (staged["changed"], staged["counts"]["staged"]) == (False, 1)
    await lab.fails("local_changes", "revert", commits=["HEAD"])


async def test_picking_a_merge_needs_a_mainline(lab: Lab) -> None:
    lab.commit("side", a="1")
    lab.commit("other", at=lab.project, b="1")
    lab.run("merge", "-q", "--no-edit", "main")
    merge = lab.head()
    await lab.fails("invalid_arguments", "revert", commits=[merge])
    await lab.fails("invalid_arguments", "revert", commits=[merge], mainline=3)
    await lab.fails("invalid_arguments", "revert", commits=["HEAD~1"], mainline=1)
    await lab.git("revert", commits=[merge], mainline=1)
    assert not (lab.lane / "b").exists()


async def test_a_pick_that_would_be_empty_is_taken_back(lab: Lab) -> None:
    first = lab.commit("First", a="1")
    await lab.fails("nothing_to_commit", "cherry_pick", commits=[first])
    state = await lab.git("conflict_state")
    assert (state["operation"], lab.status()) == (None, [])


async def test_a_pick_that_a_hook_refuses_is_taken_back(lab: Lab) -> None:
    lab.commit("other", at=lab.project, b="1")
    lab.hook("prepare-commit-msg", "exit 1")
    before = lab.head()
    await lab.fails("hook_failed", "cherry_pick", commits=["main"])
    assert (lab.head(), lab.status(), (await lab.git("status"))["operation"]) == (before, [], None)


async def test_undo_and_redo_step_by_step(lab: Lab) -> None:
    start = lab.head()
    lab.write("a", "1")
    first = (await lab.git("commit", message="First", stage_all=True))["commit"]
    lab.write("a", "2")
    second = (await lab.git("commit", amend=True, message="Second", stage_all=True))["commit"]
    out = await lab.git("undo_last_head_change")
    assert (out["after"], out["counts"]["staged"]) == (first, 1)
    out = await lab.git("undo_last_head_change")
    assert (out["after"], lab.read("a"), lab.status()) == (start, "2", ["A  a"])
    await lab.fails("nothing_to_undo", "undo_last_head_change")
    assert (await lab.git("redo_last_head_change"))["after"] == first
    assert (await lab.git("redo_last_head_change"))["after"] == second
    assert lab.status() == []
    await lab.fails("nothing_to_undo", "redo_last_head_change")
    await lab.git("undo_last_head_change")
    await lab.git("commit", message="Other")
    await lab.fails("nothing_to_undo", "redo_last_head_change")


async def test_undo_of_a_rebase_a_reset_a_checkout_and_a_merge(lab: Lab) -> None:
    lab.commit("mine", a="1")
    lab.commit("theirs", at=lab.project, b="1")
    before = lab.head()
    await lab.git("rebase")
    rebased = lab.head()
    assert (await lab.git("undo_last_head_change"))["after"] == before
    assert (await lab.git("redo_last_head_change"))["after"] == rebased
    await lab.git("reset", target="HEAD~1", mode="hard")
    assert (await lab.git("undo_last_head_change"))["after"] == rebased
    await lab.git("checkout_branch", branch="next", create=True)
    out = await lab.git("undo_last_head_change")
    assert (out["branch"], lab.status()) == ("ade/fix-login", [])
    assert (await lab.git("redo_last_head_change"))["branch"] == "next"
    await lab.git("undo_last_head_change")
    lab.commit("more", at=lab.project, c="1")
    lab.run("merge", "-q", "--no-edit", "main")
    assert (await lab.git("undo_last_head_change"))["after"] == rebased
    assert lab.status() == []


async def test_undo_refuses_where_work_would_be_lost(lab: Lab) -> None:
    lab.commit("one", a="1")
    lab.commit("two", a="2")
    await lab.git("reset", target="HEAD~1", mode="hard")
    lab.write("a", "precious")
    await lab.fails("local_changes", "undo_last_head_change")
    assert lab.read("a") == "precious"


async def test_undo_of_a_pushed_commit_warns(lab: Lab) -> None:
    lab.remote()
    lab.commit("one", a="1")
    await lab.git("push")
    out = await lab.git("undo_last_head_change")
    assert "origin/ade/fix-login" in out["warnings"][0]


async def test_reset_modes(lab: Lab) -> None:
    lab.commit("one", a="1")
    lab.commit("two", a="2")
    lab.write("a", "3")
    out = await lab.git("reset", target="HEAD~1", mode="soft")
    assert ([c["subject"] for c in out["left_behind"]], lab.status()) == (["two"], ["MM a"])
    await lab.git("reset", target="HEAD")
    assert lab.status() == [" M a"]
    await lab.fails("local_changes", "reset", target="HEAD~1", mode="keep")
    lab.write("loose", "x")
    out = await lab.git("reset", target="HEAD~1", mode="hard")
    assert lab.status() == ["?? loose"]
    assert out["recovery"] is not None
    assert lab.run("show", out["recovery"]["ref"] + ":a") == "3"
    lab.conflict()
    lab.run("merge", "-q", "main", check=False)
    await lab.fails("operation_in_progress", "reset", target="HEAD", mode="hard")


async def appears(path: Path) -> None:
    def there() -> bool:
        return path.exists() and path.read_text() != ""

    for _ in range(2000):
        if there():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"{path} did not appear")
