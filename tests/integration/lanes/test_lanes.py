"""Lists, states, the lane a call means, and taking in what others made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.command import command
from tests.support.repo import Repo
from tests.support.work import Work


async def test_a_list_tells_states_without_looking_into_worktrees(work: Work) -> None:
    lane = await work.lane("fix")
    lane.git("switch", "-q", "-c", "other")
    items = (await work.call("lane.list"))["items"]
    assert [(one["name"], one["kind"], one["branch"], one["status"]) for one in items] == [
        ("primary", "primary", "main", None),
        ("fix", "worktree", "other", None),
    ]
    lane.git("switch", "-q", "--detach")
    assert (await work.call("lane.list"))["items"][1]["branch"] is None


async def test_statuses_are_those_of_git(work: Work, tmp_path: Path) -> None:
    work.main.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    work.main.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    lane = await work.lane("fix")
    lane.commit("One", **{"one.txt": "1"})
    lane.git("push", "-q", "-u", "origin", "ade/fix")
    lane.commit("Two", **{"two.txt": "2"})
    work.main.commit("Main", **{"main.txt": "m"})
    lane.write("README.md", "changed")
    lane.write("staged.txt", "s")
    lane.git("add", "staged.txt")
    lane.write("folder/new.txt", "n")
    expected = {
        "dirty": True, "staged": 1, "changed": 1, "untracked": 1, "conflicted": 0, "ahead": 2, "behind": 1,
        "upstream": "origin/ade/fix", "upstream_ahead": 1, "upstream_behind": 0, "operation": None,
    }  # fmt: skip
    for action, arguments in (("lane.show", {"lane": "fix"}), ("lane.list", {"include_status": True})):
        output = await work.call(action, **arguments)
        status = output["status"] if action == "lane.show" else output["items"][1]["status"]
        assert status == expected | {"head": lane.git("rev-parse", "HEAD")}
    lane.git("reset", "-q", "--hard")
    lane.git("clean", "-qfd")
    for _ in range(2):
        status = (await work.call("lane.show", lane="fix"))["status"]
        assert status == expected | {
            "head": lane.git("rev-parse", "HEAD"), "dirty": False, "staged": 0, "changed": 0, "untracked": 0,
        }  # fmt: skip


async def test_a_status_sees_the_smallest_change_at_once(work: Work) -> None:
    lane = await work.lane("fix")
    for number in range(5):
        assert not (await work.call("lane.show", lane="fix"))["status"]["dirty"]
        (lane.root / "README.md").write_text(f"# Sho{number}\n")
        assert (await work.call("lane.show", lane="fix"))["status"]["changed"] == 1
        lane.git("checkout", "-q", "README.md")


async def test_pages(work: Work) -> None:
    for number in range(4):
        await work.lane(f"lane {number}")
    names: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = await work.call("lane.list", limit=2, **cursor)
        assert page["total"] == 5
        names += [one["name"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert names == ["primary", "lane 0", "lane 1", "lane 2", "lane 3"]
    assert (await work.refused("lane.list", cursor="lane_nope")).code == "invalid_cursor"


async def test_the_lane_a_call_means(work: Work) -> None:
    lane = await work.lane("fix")
    made = await work.call("lane.show", lane="FIX")
    assert made["name"] == "fix"
    assert (await work.call("lane.show", lane=made["id"]))["name"] == "fix"
    assert (await work.call("lane.show", cwd=lane.root / "src"))["name"] == "fix"
    assert (await work.call("lane.show"))["name"] == "primary"
    shown = await work.runtime.call("lane.show", {}, cwd=work.main.root, lane="fix")
    assert shown["name"] == "fix"
    assert (await work.refused("lane.show", lane="nope")).code == "lane_not_found"
    assert (await work.refused("lane.switch_branch", branch="x")).code == "lane_required"


async def test_a_symlink_to_the_project_is_the_project(work: Work, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(work.main.root)
    lane = await work.lane("fix")
    added = await work.call("project.add", path=str(tmp_path / "link"))
    assert added["root"] == str(work.main.root)
    shown = await work.call("lane.show", cwd=tmp_path / "link" / ".ade" / "worktrees" / "fix")
    assert shown["path"] == str(lane.root)


async def test_names_and_archives(work: Work) -> None:
    await work.lane("fix")
    await work.lane("other")
    renamed = await work.call("lane.rename", lane="fix", name="Repair")
    assert (renamed["name"], renamed["branch"]) == ("Repair", "ade/fix")
    assert (await work.call("lane.rename", lane="repair", name="repair"))["name"] == "repair"
    assert (await work.refused("lane.rename", lane="repair", name="OTHER")).code == "lane_name_taken"
    assert (await work.refused("lane.rename", lane="repair", name="--x")).code == "invalid_branch_name"
    archived = await work.call("lane.archive", lane="repair")
    assert archived["archived_at"] is not None
    assert (await work.call("lane.archive", lane="repair")) == archived
    names = [one["name"] for one in (await work.call("lane.list"))["items"]]
    assert names == ["primary", "other"]
    assert (await work.call("lane.list", archived=True))["total"] == 3
    assert (await work.call("lane.unarchive", lane="repair"))["state"] == "active"
    for action in ("lane.archive", "lane.unarchive", "lane.delete", "lane.delete_risk", "lane.repair"):
        assert (await work.refused(action, lane="primary")).code == "primary_lane_protected"


async def test_reparent(work: Work) -> None:
    await work.lane("a")
    await work.lane("b")
    assert (await work.call("lane.reparent", lane="b", parent="a"))["parent"] == "a"
    assert (await work.refused("lane.reparent", lane="a", parent="b")).code == "lane_cycle"
    assert (await work.call("lane.reparent", lane="b", parent="primary"))["parent"] == "primary"
    trees = [one["tree"] for one in (await work.call("lane.stack"))["items"]]
    assert trees == ["primary", "├─ a", "└─ b"]


async def test_a_branch_becomes_a_lane(work: Work, tmp_path: Path) -> None:
    remote = Repo(tmp_path, "upstream")
    remote.commit("There", **{"there.txt": "t"})
    remote.git("branch", "topic/one")
    work.main.git("remote", "add", "origin", str(remote.root))
    work.main.git("fetch", "-q", "origin")
    lane = await work.call("lane.import_branch", branch="origin/topic/one")
    assert (lane["branch"], lane["name"], lane["status"]["upstream"]) == (
        "topic/one",
        "topic/one",
        "origin/topic/one",
    )
    work.main.git("branch", "local")
    lane = await work.call("lane.import_branch", branch="local", name="Mine")
    assert (lane["branch"], lane["name"]) == ("local", "Mine")
    for branch, code in (
        ("local", "branch_in_use"), ("main", "branch_in_use"), ("nope", "branch_not_found"),
        ("--force", "invalid_branch_name"), ("-", "invalid_branch_name"), ("@{u}", "invalid_branch_name"),
        ("a.lock/b", "invalid_branch_name"), ("FETCH_HEAD", "invalid_branch_name"),
    ):  # fmt: skip
        assert (await work.refused("lane.import_branch", branch=branch)).code == code, branch
    done = await work.call("lane.delete", lane="Mine")
    assert not done["branch_deleted"], "a branch that somebody else made stays"


async def test_worktrees_of_others(work: Work, tmp_path: Path) -> None:
    spare = tmp_path / "spare"
    work.main.git("worktree", "add", "-q", "-b", "spare", str(spare))
    await work.lane("fix")
    found = await work.call("lane.list_unregistered")
    assert [(one["path"], one["branch"], one["exists"]) for one in found["items"]] == [
        (str(spare), "spare", True)
    ]
    for path in (tmp_path, spare / "src", work.main.root / ".git", tmp_path / "nope"):
        problem = await work.refused("lane.attach", path=str(path))
        assert problem.code == "worktree_not_found", path
    assert (await work.refused("lane.attach", path=str(work.main.root))).code == "worktree_is_lane"
    lane = await work.call("lane.attach", path=str(spare))
    assert (lane["kind"], lane["name"], lane["path"]) == ("attached", "spare", str(spare))
    assert (await work.refused("lane.attach", path=str(spare))).code == "worktree_is_lane"
    assert (await work.call("lane.show", cwd=spare / "src"))["name"] == "spare"
    (spare / "new.txt").write_text("kept")
    done = await work.call("lane.delete", lane="spare")
    assert (done["worktree_removed"], done["branch_deleted"]) == (False, False)
    assert (spare / "new.txt").read_text() == "kept"
    assert (await work.call("lane.undelete", lane="spare"))["kind"] == "attached"


async def test_switching_branches(work: Work) -> None:
    lane = await work.lane("fix")
    work.main.git("branch", "feature")
    assert (await work.call("lane.switch_branch", lane="fix", branch="feature"))["branch"] == "feature"
    assert (await work.call("lane.switch_branch", lane="fix", branch="feature"))["branch"] == "feature"
    made = await work.call("lane.switch_branch", lane="fix", branch="new/one", create=True)
    assert made["branch"] == "new/one"
    for branch, create, code in (
        ("main", False, "branch_in_use"), ("nope", False, "branch_not_found"), ("--x", False, "invalid_branch_name"),
        ("FEATURE", True, "branch_exists"), ("new/one/two", True, "branch_exists"),
    ):  # fmt: skip
        problem = await work.refused("lane.switch_branch", lane="fix", branch=branch, create=create)
        assert problem.code == code, branch
    lane.write("README.md", "changed")
    assert (await work.refused("lane.switch_branch", lane="fix", branch="feature")).code == "lane_dirty"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_folder_nobody_may_read_is_a_clear_error(work: Work) -> None:
    lane = await work.lane("fix")
    lane.root.chmod(0)
    try:
        assert (await work.call("lane.show", lane="fix"))["state"] == "missing"
    finally:
        lane.root.chmod(0o755)


def test_a_lane_that_the_environment_names_and_nobody_has_is_told(tmp_path: Path) -> None:
    with command(tmp_path) as ade:
        for name in ("shop", "other"):
            ade.shell(f"git init -q -b main {name} && git -C {name} commit -q --allow-empty -m first")
            ade.json("project", "add", name)
        own = ade.json("lanes", "create", "fix", cwd=tmp_path / "shop")
        for argv in (("git", "status"), ("files", "search", "x"), ("git", "commit", "-m", "x")):
            found = ade.error(*argv, cwd=tmp_path / "shop", env={"ADE_LANE_ID": "lane_gone"}, exit_code=4)
            assert (found["code"], "ADE_LANE_ID" in found["hint"]) == ("lane_not_found", True)
        status = ade.json("git", "status", cwd=tmp_path / "other", env={"ADE_LANE_ID": own["id"]})
        assert status["lane"] == "primary", "a lane of another project says nothing about this one"
        status = ade.json(
            "git", "status", "-l", "fix", cwd=tmp_path / "shop", env={"ADE_LANE_ID": "lane_gone"}
        )
        assert status["lane"] == "fix"
