"""git.fetch, git.pull, git.push, git.sync_status with real bare remotes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.integration.git.conftest import Lab


@pytest.fixture
def theirs(lab: Lab) -> Path:
    """Someone else's clone, after lane fix-login was pushed with one commit."""
    lab.remote()
    lab.commit("mine", a="1")
    lab.run("push", "-q", "-u", "origin", "ade/fix-login")
    clone = lab.clone()
    lab.run("switch", "-q", "ade/fix-login", at=clone)
    return clone


async def test_push_for_the_first_time_and_again(lab: Lab) -> None:
    lab.remote()
    head = lab.commit("one", a="1")
    out = await lab.git("push")
    assert (out["result"], out["before"], out["after"], out["upstream"]) == (
        "created",
        None,
        head,
        "origin/ade/fix-login",
    )
    assert (await lab.git("push"))["result"] == "up_to_date"
    second = lab.commit("two", a="2")
    out = await lab.git("push")
    assert (out["result"], out["before"], out["after"]) == ("forward", head, second)
    assert (await lab.git("sync_status"))["state"] == "up_to_date"


async def test_push_under_another_name_without_tracking_and_with_tags(lab: Lab) -> None:
    bare = lab.remote()
    lab.commit("one", a="1")
    await lab.git("create_tag", name="v1", message="One")
    out = await lab.git("push", branch="review/one", set_upstream=False, tags=True)
    assert (out["remote_branch"], out["upstream"], out["tags"]) == ("review/one", None, ["v1"])
    assert lab.run("rev-parse", "review/one", at=bare) == lab.head()
    await lab.fails("invalid_branch_name", "push", branch="--mirror")


async def test_a_rewritten_branch_is_refused_then_replaced_on_purpose(lab: Lab, theirs: Path) -> None:
    old = lab.head()
    lab.run("commit", "-q", "--amend", "-m", "mine, better")
    problem = await lab.fails("push_rejected", "push")
    assert "ade/fix-login" in problem.message
    await lab.fails("lease_stale", "push", force_with_lease=True, expected="0" * 39 + "1")
    await lab.fails("invalid_arguments", "push", expected=old)
    out = await lab.git("push", force_with_lease=True, expected=old)
    assert out["result"] == "forced"


async def test_a_forced_push_never_drops_commits_nobody_here_has_seen(lab: Lab, theirs: Path) -> None:
    lab.commit("theirs", at=theirs, b="1")
    lab.run("push", "-q", at=theirs)
    lab.run("commit", "-q", "--amend", "-m", "mine, better")
    await lab.fails("lease_stale", "push", force_with_lease=True)
    await lab.git("fetch")
    problem = await lab.fails("lease_stale", "push", force_with_lease=True)
    assert "never part of this branch" in problem.message


async def test_what_the_remote_says_and_its_hooks(lab: Lab) -> None:
    bare = lab.remote()
    lab.commit("one", a="1")
    hook = bare / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'open a pull request: https://ada:secret@example.org/new'\nexit 0\n")
    hook.chmod(0o755)
    out = await lab.git("push")
    assert out["warnings"] == ["open a pull request: https://example.org/new"]
    hook.write_text("#!/bin/sh\necho 'commits must be signed'\nexit 1\n")
    lab.commit("two", a="2")
    problem = await lab.fails("remote_refused", "push")
    assert "commits must be signed" in problem.details["output"]
    lab.hook("pre-push", "echo tests fail; exit 7")
    assert (await lab.fails("hook_failed", "push")).details["hook"] == "pre-push"


async def test_remotes_that_are_not_there(lab: Lab) -> None:
    await lab.fails("remote_not_found", "push")
    await lab.fails("remote_not_found", "fetch", all=True)
    bare = lab.remote()
    for name in ("--upload-pack=touch x", "file:///etc", str(bare), "../origin.git"):
        await lab.fails("invalid_remote", "fetch", remote=name)
        await lab.fails("invalid_remote", "push", remote=name)
    await lab.fails("remote_not_found", "fetch", remote="upstream")
    bare.rename(lab.base / "moved.git")
    problem = await lab.fails("remote_unreachable", "fetch")
    assert problem.retry
    await lab.fails("remote_unreachable", "push")


async def test_credentials_are_not_asked_for_and_not_told(lab: Lab) -> None:
    lab.remote()
    lab.run("remote", "set-url", "origin", "http://ada:hunter2@127.0.0.1:1/x.git")
    problem = await lab.fails("remote_unreachable", "fetch")
    assert "hunter2" not in f"{problem.message} {problem.details} {problem.hint}"


async def test_fetch_tells_what_changed(lab: Lab, theirs: Path) -> None:
    lab.commit("theirs", at=theirs, b="1")
    lab.run("tag", "v1", at=theirs)
    lab.run("push", "-q", "--tags", "origin", "HEAD", "HEAD:feature", at=theirs)
    out = await lab.git("fetch")
    assert {(item["ref"], item["kind"]) for item in out["items"]} == {
        ("origin/ade/fix-login", "forward"),
        ("origin/feature", "new"),
        ("v1", "new"),
    }
    lab.run("push", "-q", "origin", "+HEAD~1:ade/fix-login", ":feature", at=theirs)
    assert [(i["ref"], i["kind"]) for i in (await lab.git("fetch"))["items"]] == [
        ("origin/ade/fix-login", "forced")
    ]
    out = await lab.git("fetch", prune=True)
    assert [(i["ref"], i["kind"], i["after"]) for i in out["items"]] == [("origin/feature", "deleted", None)]
    assert (await lab.git("sync_status"))["fetched_at"] is not None


async def test_fetch_of_all_remotes_and_all_tags(lab: Lab, theirs: Path) -> None:
    lab.remote("second")
    tree = lab.run("rev-parse", "HEAD^{tree}", at=theirs)
    loose = lab.run("commit-tree", tree, "-m", "loose", at=theirs)
    lab.run("tag", "loose", loose, at=theirs)
    lab.run("push", "-q", "origin", "loose", at=theirs)
    assert (await lab.git("fetch"))["total"] == 0
    out = await lab.git("fetch", all=True, tags=True, limit=1)
    assert (out["remotes"], [i["ref"] for i in out["items"]]) == (["origin", "second"], ["loose"])


async def test_pull_forward(lab: Lab, theirs: Path) -> None:
    theirs_head = lab.commit("theirs", at=theirs, b="1")
    lab.run("push", "-q", at=theirs)
    out = await lab.git("pull")
    assert (out["after"], [item["subject"] for item in out["items"]]) == (theirs_head, ["theirs"])
    assert not (await lab.git("pull"))["changed"]


@pytest.mark.parametrize("strategy", ["rebase", "merge"])
async def test_pull_of_histories_that_have_parted(lab: Lab, theirs: Path, strategy: str) -> None:
    lab.commit("theirs", at=theirs, b="1")
    lab.run("push", "-q", at=theirs)
    lab.commit("mine too", c="1")
    problem = await lab.fails("not_fast_forward", "pull")
    assert "1 commits here, 1 there" in problem.message
    await lab.git("pull", strategy=strategy)
    parents = lab.run("rev-parse", "HEAD^@").splitlines()
    assert len(parents) == (1 if strategy == "rebase" else 2)
    if strategy == "merge":
        assert (
            lab.run("log", "-1", "--format=%s")
            == "Merge remote-tracking branch 'origin/ade/fix-login' into ade/fix-login"
        )
    assert (await lab.git("sync_status"))["state"] == "ahead"


@pytest.mark.parametrize("strategy", ["rebase", "merge"])
async def test_pull_into_a_conflict(lab: Lab, theirs: Path, strategy: str) -> None:
    lab.commit("theirs", at=theirs, a="theirs")
    lab.run("push", "-q", at=theirs)
    mine = lab.commit("mine too", a="mine")
    problem = await lab.fails("conflicts_left", "pull", strategy=strategy)
    assert problem.details["files"] == ["a"]
    assert f"{strategy}-continue" in problem.hint
    state = await lab.git("conflict_state")
    assert (state["operation"], state["total"]) == (strategy, 1)
    await lab.git(f"{strategy}_abort")
    assert lab.head() == mine


async def test_pull_with_changes_in_the_way(lab: Lab, theirs: Path) -> None:
    lab.commit("theirs", at=theirs, a="1\ntheirs\n")
    lab.run("push", "-q", at=theirs)
    lab.write("a", "mine")
    problem = await lab.fails("local_changes", "pull")
    assert problem.details["files"] == ["a"]
    assert lab.read("a") == "mine"
    out = await lab.git("pull", autostash=True)
    assert out["changed"]
    assert "conflict" in out["warnings"][0]
    assert len(lab.run("stash", "list").splitlines()) == 1


async def test_pull_puts_other_changes_aside_and_back(lab: Lab, theirs: Path) -> None:
    lab.commit("b", b="1")
    lab.run("push", "-q")
    lab.run("pull", "-q", at=theirs)
    lab.commit("theirs", at=theirs, a="theirs")
    lab.run("push", "-q", at=theirs)
    lab.write("b", "mine")
    lab.run("add", "b")
    out = await lab.git("pull", autostash=True)
    assert (out["warnings"], lab.status(), lab.read("a")) == ([], ["M  b"], "theirs")
    assert lab.run("stash", "list") == ""


async def test_states_of_sync(lab: Lab, theirs: Path) -> None:
    async def state() -> str:
        found: str = (await lab.git("sync_status"))["state"]
        return found

    assert await state() == "up_to_date"
    lab.commit("mine too", c="1")
    assert await state() == "ahead"
    lab.commit("theirs", at=theirs, b="1")
    lab.run("push", "-q", at=theirs)
    await lab.git("fetch")
    assert await state() == "diverged"
    lab.run("reset", "-q", "--hard", "HEAD~1")
    assert await state() == "behind"
    lab.run("push", "-q", "origin", ":ade/fix-login", at=theirs)
    await lab.git("fetch", prune=True)
    assert await state() == "upstream_gone"
    await lab.fails("no_upstream", "pull")
    assert (await lab.git("push"))["result"] == "created"


async def test_pushing_from_a_detached_head(lab: Lab, theirs: Path) -> None:
    lab.run("switch", "-q", "--detach")
    for action in ("push", "pull"):
        await lab.fails("detached_head", action)


async def test_a_repository_of_bare_form_is_no_place_to_work(lab: Lab) -> None:
    bare = lab.remote()
    with pytest.raises(Exception, match="bare"):
        await lab.call("project.add", path=str(bare))


async def test_the_callers_own_git_settings_count(lab: Lab) -> None:
    """What a person exports in their shell is theirs; what binds git to a repository is not passed on."""
    lab.env["GIT_AUTHOR_NAME"] = "Grace"
    lab.env["GIT_DIR"] = os.fspath(lab.base / "elsewhere")
    lab.env["GIT_INDEX_FILE"] = "/nowhere"
    made = await lab.git("commit", message="x", allow_empty=True)
    del lab.env["GIT_DIR"], lab.env["GIT_INDEX_FILE"]
    assert lab.head() == made["commit"]
    assert lab.run("log", "-1", "--format=%an") == "Grace"
