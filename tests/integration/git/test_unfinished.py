"""Stashes, and merges and rebases that stop: git.stash_*, git.rebase*, git.merge_*, git.conflict_state."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.integration.git.conftest import Lab


async def test_stash_away_and_back(lab: Lab) -> None:
    lab.commit("base", a="1", b="1")
    lab.write("a", "staged")
    lab.run("add", "a")
    lab.write("b", "changed")
    lab.write("new", "x")
    out = await lab.git("stash_push", message="half done", include_untracked=True)
    assert (lab.status(), out["counts"]["untracked"]) == ([], 0)
    assert (out["stash"]["message"], out["stash"]["branch"], out["stash"]["untracked"]) == (
        "half done",
        "ade/fix-login",
        True,
    )
    await lab.git("stash_apply", restore_index=True)
    assert lab.status() == ["M  a", " M b", "?? new"]
    await lab.fails("local_changes", "stash_apply")
    await lab.git("discard", all=True, untracked=True)
    assert (await lab.git("stash_pop"))["dropped"]
    assert lab.status() == [" M a", " M b", "?? new"]
    assert (await lab.git("stash_list"))["total"] == 0
    await lab.fails("stash_not_found", "stash_pop")


async def test_stash_of_some_files_of_what_is_staged_and_with_the_index_kept(lab: Lab) -> None:
    lab.commit("base", a="1", b="1", c="1", **{"*": "1"})
    for name in ("a", "b", "*"):
        lab.write(name, "2")
    await lab.git("stash_push", paths=["*"])
    assert lab.status() == [" M a", " M b"]
    lab.run("add", "a")
    await lab.git("stash_push", staged_only=True)
    assert lab.status() == [" M b"]
    lab.run("add", "b")
    lab.write("c", "2")
    await lab.git("stash_push", keep_index=True)
    assert lab.status() == ["M  b"]
    await lab.fails("path_unmatched", "stash_push", paths=["nothing"])
    await lab.fails("invalid_arguments", "stash_push", staged_only=True, keep_index=True)
    lab.run("reset", "-q", "--hard")
    await lab.fails("nothing_to_stash", "stash_push")


async def test_each_lane_means_its_own_stashes(lab: Lab) -> None:
    await lab.call("lane.create", name="other")
    other = lab.project / ".ade/worktrees/other"
    lab.write("README.md", "mine")
    mine = (await lab.git("stash_push"))["stash"]["stash"]
    lab.write("README.md", "theirs", at=other)
    theirs = (await lab.git("stash_push", lane="other"))["stash"]["stash"]
    assert [i["stash"] for i in (await lab.git("stash_list"))["items"]] == [theirs, mine]
    assert [i["stash"] for i in (await lab.git("stash_list", own=True))["items"]] == [mine]
    assert (await lab.git("stash_pop"))["stash"]["stash"] == mine
    assert lab.read("README.md") == "mine"
    lab.run("checkout", "-q", "--", ".")
    assert (await lab.git("stash_apply", stash=theirs))["stash"]["stash"] == theirs
    assert lab.read("README.md") == "theirs"
    page = await lab.git("stash_list", limit=1)
    assert (page["total"], page["next"]) == (1, None)


async def test_lanes_that_stash_at_once_do_not_take_each_others(lab: Lab) -> None:
    names = [f"lane-{n}" for n in range(4)]
    for name in names:
        await lab.call("lane.create", name=name)

    async def there_and_back(name: str) -> None:
        folder = lab.project / ".ade/worktrees" / name
        for step in range(3):
            lab.write("README.md", f"{name} {step}", at=folder)
            await lab.git("stash_push", lane=name)
            await lab.git("stash_pop", lane=name)
            assert lab.read("README.md", at=folder) == f"{name} {step}"

    await asyncio.gather(*(there_and_back(name) for name in names))
    assert (await lab.git("stash_list"))["total"] == 0


async def test_a_dropped_stash_can_be_applied_for_thirty_days(lab: Lab) -> None:
    lab.write("README.md", "precious")
    await lab.git("stash_push")
    out = await lab.git("stash_drop", stash="0")
    assert (await lab.git("stash_list"))["total"] == 0
    lab.shell(out["recovery"]["restore"])
    assert lab.read("README.md") == "precious"
    await lab.fails("stash_not_found", "stash_drop", stash="0")
    await lab.fails("invalid_arguments", "stash_drop", stash="stash@{0}")


async def test_clear_drops_only_the_lanes_own_unless_asked(lab: Lab) -> None:
    lab.write("README.md", "theirs", at=lab.project)
    lab.run("stash", "push", "-q", at=lab.project)
    for text in ("one", "two"):
        lab.write("README.md", text)
        await lab.git("stash_push", message=text)
    out = await lab.git("stash_clear")
    assert [item["stash"]["message"] for item in out["items"]] == ["two", "one"]
    assert (await lab.git("stash_list"))["total"] == 1
    assert (await lab.git("stash_clear", everything=True))["total"] == 1
    lab.shell(out["items"][0]["recovery"]["restore"])
    assert lab.read("README.md") == "two"


async def test_a_stash_in_conflict_stays(lab: Lab) -> None:
    lab.write("README.md", "stashed\n")
    await lab.git("stash_push")
    lab.commit("other", **{"README.md": "committed\n"})
    problem = await lab.fails("conflicts_left", "stash_pop")
    assert problem.details["files"] == ["README.md"]
    assert (await lab.git("stash_list"))["total"] == 1
    state = await lab.git("conflict_state")
    assert (state["operation"], state["total"], state["can_continue"]) == (None, 1, False)
    await lab.git("discard", all=True)
    assert lab.status() == []


async def test_a_rebase_to_its_end(lab: Lab) -> None:
    lab.commit("first", **{"README.md": "# Lane\n"})
    lab.commit("second", a="1")
    onto = lab.commit("main", at=lab.project, **{"README.md": "# Main\n"})
    problem = await lab.fails("conflicts_left", "rebase")
    assert "rebase-continue --lane fix-login" in problem.hint
    state = await lab.git("conflict_state")
    assert {k: state[k] for k in ("operation", "branch", "onto", "subject", "step", "steps", "can_continue")} == {
        "operation": "rebase", "branch": "ade/fix-login", "onto": onto, "subject": "first", "step": 1, "steps": 2,
        "can_continue": False,
    }  # fmt: skip
    [item] = state["items"]
    assert (item["path"], item["kind"], item["markers"]) == ("README.md", "both_modified", 1)
    assert lab.run("cat-file", "-p", item["ours_blob"]) == "# Main"
    assert lab.run("cat-file", "-p", item["theirs_blob"]) == "# Lane"
    for action in (
        "rebase",
        "pull",
        "revert",
        "cherry_pick",
        "reset",
        "checkout_branch",
        "undo_last_head_change",
        "discard",
    ):
        extra: dict[str, Any] = {
            "revert": {"commits": ["HEAD"]}, "cherry_pick": {"commits": ["HEAD"]}, "reset": {"target": "HEAD"},
            "checkout_branch": {"branch": "x", "create": True}, "discard": {"all": True},
        }.get(action, {})  # fmt: skip
        await lab.fails("operation_in_progress", action, **extra)
    await lab.fails("conflicts_left", "rebase_continue")
    lab.write("README.md", "# Both\n")
    await lab.git("stage", paths=["README.md"])
    assert (await lab.git("conflict_state"))["can_continue"]
    out = await lab.git("rebase_continue")
    assert (out["branch"], [item["subject"] for item in out["items"]]) == (
        "ade/fix-login",
        ["second", "first"],
    )
    assert lab.run("merge-base", "HEAD", "main") == onto


async def test_a_rebase_taken_back(lab: Lab) -> None:
    lab.conflict()
    before = lab.head()
    await lab.fails("conflicts_left", "rebase", onto="main")
    lab.write("README.md", "half resolved\n")
    out = await lab.git("rebase_abort")
    assert (lab.head(), out["branch"], lab.status()) == (before, "ade/fix-login", [])
    kept = out["warnings"][0].rsplit(" ", 1)[1]
    assert lab.run("show", f"{kept}:README.md") == "half resolved"


async def test_a_rebase_with_changes(lab: Lab) -> None:
    lab.commit("mine", a="1")
    lab.commit("main", at=lab.project, b="1")
    lab.write("a", "precious")
    await lab.fails("local_changes", "rebase")
    out = await lab.git("rebase", autostash=True)
    assert (out["total"], lab.read("a"), lab.status()) == (1, "precious", [" M a"])
    assert "already" in (await lab.git("rebase", autostash=True))["summary"]


async def test_changes_put_aside_before_a_rebase_that_stops_are_told(lab: Lab) -> None:
    lab.commit("a", a="1")
    lab.conflict()
    lab.write("a", "precious")
    await lab.fails("conflicts_left", "rebase", autostash=True)
    await lab.git("rebase_abort")
    assert (await lab.git("stash_pop"))["dropped"]
    assert lab.read("a") == "precious"


async def test_a_rebase_that_a_hook_refuses(lab: Lab) -> None:
    lab.commit("mine", a="1")
    lab.commit("main", at=lab.project, b="1")
    lab.hook("pre-rebase", "echo frozen; exit 1")
    problem = await lab.fails("hook_failed", "rebase")
    assert "frozen" in problem.message


async def test_a_rebase_does_not_move_branches_of_other_lanes(lab: Lab) -> None:
    lab.run("config", "rebase.updateRefs", "true")
    lab.commit("one", a="1")
    lab.run("branch", "marker")
    marker = lab.run("rev-parse", "marker")
    lab.commit("two", a="2")
    lab.commit("main", at=lab.project, b="1")
    await lab.git("rebase")
    assert lab.run("rev-parse", "marker") == marker


async def test_a_cancelled_rebase_is_taken_back(lab: Lab) -> None:
    lab.commit("mine", a="1")
    lab.commit("main", at=lab.project, b="1")
    before = lab.head()
    lab.hook("post-rewrite", "exec sleep 60")
    lab.hook("post-checkout", f"echo $$ > {lab.base}/started; exec sleep 60")
    task = asyncio.create_task(lab.git("rebase"))
    for _ in range(2000):
        if (lab.base / "started").exists():
            break
        await asyncio.sleep(0.005)
    for hook in ("post-rewrite", "post-checkout"):
        (lab.project / ".git/hooks" / hook).unlink()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (lab.head(), lab.status(), (await lab.git("status"))["operation"]) == (before, [], None)
    assert lab.run("branch", "--show-current") == "ade/fix-login"


async def test_a_merge_to_its_end_and_taken_back(lab: Lab) -> None:
    lab.conflict()
    before = lab.head()
    lab.run("merge", "-q", "main", check=False)
    await lab.fails("conflicts_left", "merge_continue")
    await lab.git("merge_abort")
    assert (lab.head(), lab.status()) == (before, [])
    lab.run("merge", "-q", "main", check=False)
    lab.write("README.md", "# Both\n")
    await lab.git("stage_all")
    out = await lab.git("merge_continue")
    assert out["changed"]
    assert lab.run("log", "-1", "--format=%B").strip() == "Merge branch 'main' into ade/fix-login"


@pytest.mark.parametrize("message", [None, "Picked by hand"])
async def test_a_cherry_pick_of_several_to_its_end(lab: Lab, message: str | None) -> None:
    lab.commit("mine", **{"README.md": "# Lane\n"})
    one = lab.commit("one", at=lab.project, **{"README.md": "# Main\n"})
    two = lab.commit("two", at=lab.project, b="1")
    problem = await lab.fails("conflicts_left", "cherry_pick", commits=[one, two])
    assert "merge-continue" in problem.hint
    assert (await lab.git("conflict_state"))["operation"] == "cherry_pick"
    lab.write("README.md", "# Both\n")
    await lab.git("stage_all")
    out = await lab.git("merge_continue", **({} if message is None else {"message": message}))
    assert [item["subject"] for item in out["items"]] == ["two", message or "one"]
    assert (await lab.git("status"))["operation"] is None


async def test_a_revert_in_conflict_taken_back(lab: Lab) -> None:
    first = lab.commit("first", a="1\n")
    lab.commit("second", a="2\n")
    before = lab.head()
    await lab.fails("conflicts_left", "revert", commits=[first])
    await lab.fails("no_operation", "rebase_continue")
    await lab.git("merge_abort")
    assert (lab.head(), lab.status()) == (before, [])
