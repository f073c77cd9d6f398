"""Repositories that are not as usual: a right answer or a clear error each."""

from __future__ import annotations

from pathlib import Path

import pytest

from ade_runtime.contracts import Exit
from tests.support.repo import Repo
from tests.support.work import Work, opened


async def test_reliability_d27_a_repository_without_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch) as work:
        added = await work.call("project.add", path=str(work.main.root))
        assert (added["has_commits"], added["head"], added["default_branch"]) == (False, None, None)
        assert any(one["code"] == "no_commits" for one in added["warnings"])
        for arguments in ({}, {"base": "main"}, {"base": "HEAD"}, {"parent": "primary"}):
            problem = await work.refused("lane.create", name="fix", **arguments)
            assert problem.code in ("repository_has_no_commits", "base_not_found")
        assert (await work.refused("lane.create", name="fix")).exit == Exit.FAILED
        assert work.main.git("for-each-ref") == ""
        assert not (work.main.root / ".ade").exists()
        shown = await work.call("lane.show")
        assert (shown["branch"], shown["status"]["head"], shown["status"]["dirty"]) == ("main", None, False)
        assert (await work.call("lane.stack"))["total"] == 1
        assert (await work.call("project.work_summary"))["lanes"] == 1
        work.main.commit("First", **{"a": "a"})
        await work.call("lane.create", name="fix")


async def test_a_detached_head(work: Work) -> None:
    work.main.git("switch", "-q", "--detach")
    shown = await work.call("project.show")
    assert shown["branch"] is None
    assert any(one["code"] == "detached_head" for one in shown["warnings"])
    assert (await work.call("lane.create", name="fix"))["base"] == "main"
    work.main.git("branch", "-q", "-D", "main")
    lane = await work.call("lane.create", name="two")
    assert lane["base_commit"] == work.main.git("rev-parse", "HEAD")
    assert (await work.call("lane.show"))["branch"] is None


async def test_a_lock_file(work: Work) -> None:
    await work.lane("fix")
    lock = work.main.root / ".git" / "refs" / "heads" / "ade" / "fix.lock"
    lock.touch()
    assert (await work.call("lane.show", lane="fix"))["state"] == "active"
    done = await work.call("lane.delete", lane="fix")
    assert not done["branch_deleted"]
    assert lock.exists(), "somebody else's lock is left alone"
    lock.unlink()
    held = work.main.root / ".git" / "refs" / "heads" / "ade" / "held.lock"
    held.touch()
    problem = await work.refused("lane.create", name="held")
    assert problem.code in ("lane_creation_failed", "git_locked")
    assert work.main.git("worktree", "list").count("\n") == 0
    assert held.exists()


async def test_a_bare_repository(work: Work, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    work.main.git("clone", "-q", "--bare", str(work.main.root), str(bare))
    for path in (bare, bare / "refs"):
        problem = await work.refused("project.add", path=str(path))
        assert (problem.code, problem.exit) == ("bare_repository", Exit.USAGE)
    linked = tmp_path / "linked"
    work.main.git("-C", str(bare), "worktree", "add", "-q", str(linked), "main")
    assert (await work.refused("project.add", path=str(linked))).code == "bare_repository"


async def test_a_folder_that_is_no_repository(work: Work, tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    problem = await work.refused("project.add", path=str(folder))
    assert problem.code == "not_a_git_repository"
    assert "git init" in problem.hint


async def test_a_git_folder_elsewhere(work: Work, tmp_path: Path) -> None:
    work.main.git(
        "clone", "-q", f"--separate-git-dir={tmp_path / 'kept.git'}", str(work.main.root), str(tmp_path / "w")
    )
    added = await work.call("project.add", path=str(tmp_path / "w" / "src"))
    assert (added["root"], added["git_dir"]) == (str(tmp_path / "w"), str(tmp_path / "kept.git"))
    lane = await work.call("lane.create", cwd=tmp_path / "w", name="fix")
    assert lane["path"].startswith(str(tmp_path / "w"))
    assert work.main.git("-C", str(tmp_path / "w"), "status", "--porcelain") == ""


async def test_a_submodule_is_a_project_of_its_own(work: Work, tmp_path: Path) -> None:
    library = Repo(tmp_path, "library")
    library.commit("Library", **{"lib.txt": "l"})
    work.main.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "lib")
    work.main.git("commit", "-q", "-m", "Add the library")
    inside = work.main.root / "lib"
    assert (await work.call("lane.show", cwd=inside))["name"] == "primary"
    added = await work.call("project.add", path=str(inside))
    assert added["root"] == str(inside)
    shown = await work.call("project.show", cwd=inside)
    assert shown["id"] == added["id"]
    lane = await work.call("lane.create", cwd=inside, name="fix")
    assert lane["path"].startswith(str(inside))
    assert (await work.call("lane.show", cwd=Path(lane["path"])))["id"] == lane["id"]


async def test_a_project_inside_a_project(work: Work) -> None:
    inner = Repo(work.main.root / "vendor", "inner")
    inner.commit("Inner", **{"a": "a"})
    problem = await work.refused("lane.list", cwd=inner.root)
    assert problem.code == "project_required"
    added = await work.call("project.add", path=str(inner.root))
    assert (await work.call("project.show", cwd=inner.root))["id"] == added["id"]
    assert (await work.call("project.show"))["id"] != added["id"]


async def test_a_project_whose_folder_is_gone(work: Work, tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    work.main.root.rename(moved)
    shown = await work.call("project.show", cwd=tmp_path, project=str(work.main.root))
    assert shown["exists"] is False
    problem = await work.refused("lane.create", name="fix", cwd=tmp_path / "project")
    assert problem.code == "project_missing"
    await work.call("project.remove", project=shown["id"], cwd=tmp_path)
    moved.rename(work.main.root)


async def test_sparse_and_shallow_checkouts(work: Work, tmp_path: Path) -> None:
    work.main.commit("Second", **{"b.txt": "b"})
    work.main.git("clone", "-q", "--depth=1", f"file://{work.main.root}", str(tmp_path / "shallow"))
    added = await work.call("project.add", path=str(tmp_path / "shallow"))
    assert any(one["code"] == "shallow" for one in added["warnings"])
    lane = await work.call("lane.create", cwd=tmp_path / "shallow", name="fix")
    assert lane["status"]["dirty"] is False
    work.main.git("sparse-checkout", "set", "src")
    lane = await work.call("lane.create", name="sparse")
    assert lane["status"]["dirty"] is False


async def test_the_repositorys_configuration_is_looked_at(work: Work) -> None:
    work.main.git("config", "core.fsmonitor", "touch pwned")
    work.main.git("config", "core.sshCommand", "evil")
    shown = await work.call("project.show")
    keys = {one["where"].lower() for one in shown["warnings"] if one["code"] == "config_runs_program"}
    assert {"core.fsmonitor", "core.sshcommand"} <= keys
    await work.call("lane.list", include_status=True)
    assert not (work.main.root / "pwned").exists()
