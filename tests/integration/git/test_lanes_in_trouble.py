"""Lanes whose folder, repository or state is not what it should be; which lane a call means."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ade_runtime.contracts import AdeError
from tests.integration.git.conftest import Lab

READS = ["status", "sync_status", "log", "show", "branches", "stash_list", "conflict_state"]


async def refused(lab: Lab, code: str, action: str, **arguments: object) -> AdeError:
    with pytest.raises(AdeError) as caught:
        await lab.call(f"git.{action}", **arguments)
    assert caught.value.code == code, caught.value.message
    return caught.value


async def test_a_lane_whose_folder_is_gone(lab: Lab) -> None:
    shutil.rmtree(lab.lane)
    for action in (*READS, "stage_all", "unstage_all", "rebase_abort", "fetch"):
        problem = await lab.fails("lane_missing", action)
        assert problem.message == f"Lane fix-login has lost its folder: {lab.lane}."


@pytest.mark.parametrize("action", ["status", "stage_all", "log"])
async def test_a_lane_that_lost_its_git_file_does_not_reach_the_project_around_it(
    lab: Lab, action: str
) -> None:
    (lab.lane / ".git").unlink()
    lab.write("a", "x")
    problem = await lab.fails("lane_missing", action)
    assert problem.message == f"Lane fix-login has lost its .git file: {lab.lane / '.git'}."
    assert "ade lanes repair" in problem.hint
    assert lab.run("status", "--porcelain", at=lab.project) == ""


async def test_a_lane_given_to_another_repository(lab: Lab) -> None:
    shutil.rmtree(lab.lane)
    lab.run("init", "-q", str(lab.lane), at=lab.base)
    lab.write("a", "x")
    with pytest.raises(AdeError) as caught:
        await lab.git("commit", message="x", stage_all=True)
    assert caught.value.code in ("lane_missing", "lane_not_a_worktree")
    assert "?? a" in lab.status()


async def test_which_lane_a_call_means(lab: Lab) -> None:
    lab.write("a", "x")
    lab.write("b", "x", at=lab.project)
    assert (await lab.call("git.status", cwd=lab.lane))["lane"] == "fix-login"
    (lab.lane / "sub").mkdir()
    assert (await lab.call("git.stage_all", cwd=lab.lane / "sub"))["lane"] == "fix-login"
    assert (await lab.call("git.status", cwd=lab.project))["lane"] == "primary"
    assert (await lab.call("git.stage_all", cwd=lab.project))["lane"] == "primary"
    assert (await lab.call("git.unstage_all", lane="primary"))["total"] == 1


async def test_a_write_from_nowhere_needs_a_lane(lab: Lab) -> None:
    with pytest.raises(AdeError) as caught:
        await lab.runtime.call("git.stage_all", {}, project=lab.project, env=lab.env)
    assert caught.value.code == "lane_required"
    status = await lab.runtime.call("git.status", {}, project=lab.project, env=lab.env)
    assert status["lane"] == "primary"


async def test_an_agent_in_the_primary_checkout_has_to_name_it(lab: Lab) -> None:
    from ade_runtime.pipeline.call import Caller, Identity

    identity = await lab.runtime.identity("agent", "git.stage_all")
    in_session = Identity(identity.role, "session:1", identity.uid, session="1")
    caller = Caller(transport="in_process", cwd=str(lab.project), env=lab.env)
    with pytest.raises(AdeError) as caught:
        await lab.runtime.services.pipeline.call("git.stage_all", {}, identity=in_session, caller=caller)
    assert caught.value.code == "lane_required"


async def test_a_project_opened_through_a_symlink(lab: Lab) -> None:
    link = lab.base / "link"
    link.symlink_to(lab.project)
    lab.write("a", "x", at=lab.project)
    out = await lab.call("git.stage", paths=[str(link / "a")], cwd=link)
    assert out["items"][0]["path"] == "a"
    through = link / ".ade/worktrees/fix-login"
    assert (await lab.call("git.status", cwd=through))["lane"] == "fix-login"


async def test_a_repository_without_commits(lab: Lab) -> None:
    empty = lab.base / "empty"
    lab.run("init", "-q", "-b", "main", str(empty), at=lab.base)
    await lab.call("project.add", path=str(empty))
    here: dict[str, Path] = {"cwd": empty}
    for action in READS:
        if action != "show":
            await lab.call(f"git.{action}", **here)
    assert (await lab.call("git.sync_status", **here))["state"] == "no_commits"
    lab.write("a", "x", at=empty)
    for action, arguments in {
        "show": {},
        "file_history": {"path": "a"},
        "push": {},
        "pull": {},
        "create_tag": {"name": "v1"},
        "revert": {"commits": ["HEAD"]},
        "reset": {"target": "HEAD"},
        "stash_push": {},
        "rebase": {"onto": "main"},
        "undo_last_head_change": {},
        "discard": {"all": True},
    }.items():
        await refused(lab, "no_commits", action, **here, **arguments)
    await refused(lab, "no_commits", "commit", amend=True, **here)


async def test_the_names_of_the_hostile_bank(lab: Lab) -> None:
    lab.remote()
    lab.run("branch", "feature")
    for name in ("--force", "-", "@{u}", "FETCH_HEAD", "a.lock/b", "a/.b", "ab\x7f"):
        await lab.fails("invalid_branch_name", "checkout_branch", branch=name, create=True)
        await lab.fails("invalid_branch_name", "push", branch=name)
    await lab.fails("branch_exists", "checkout_branch", branch="Feature", create=True)
    for name in ("stash", "修复/登录", "a]b", "%2e%2e"):
        assert (await lab.git("checkout_branch", branch=name, create=True))["branch"] == name
    for ref in ("--all", "main^{/fix}"):
        await lab.fails("invalid_revision", "log", ref=ref)
    for ref in ("HEAD~1000000", "abc"):
        problem = await lab.fails("revision_not_found", "log", ref=ref)
        assert int(problem.exit) == 4
    lab.write("sub/f", "x")
    lab.write("-rf", "x")
    (lab.lane / "link-in").symlink_to("sub")
    for path in ("link-in/f", "-rf"):
        assert (await lab.git("stage", paths=[path]))["total"] == 1


async def test_nothing_is_run_by_a_prepared_repository_on_reads(lab: Lab) -> None:
    trap = lab.base / "trap"
    script = lab.base / "evil"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    lab.commit("one", a="1", **{".gitattributes": "* diff=x\n"})
    for key in (
        "core.fsmonitor",
        "diff.external",
        "diff.x.textconv",
        "core.pager",
        "gpg.program",
        "core.sshCommand",
    ):
        lab.run("config", key, str(script))
    lab.run("config", "log.showSignature", "true")
    for action in READS:
        await lab.git(action)
    await lab.git("file_history", path="a")
    assert not trap.exists()
    assert len((await lab.git("status"))["warnings"]) == 6
