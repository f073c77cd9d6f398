"""Registering, making, cloning and forgetting projects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.repo import Repo
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n", "src/app.py": "print('hi')\n"})
        yield work


async def test_one_repository_is_one_project_however_it_is_reached(work: Work, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(work.main.root)
    work.main.git("worktree", "add", "-q", str(tmp_path / "spare"))
    ids = set()
    for path in (
        work.main.root,
        work.main.root / "src",
        tmp_path / "link",
        tmp_path / "link" / "src",
        tmp_path / "spare",
    ):
        ids.add((await work.call("project.add", path=str(path)))["id"])
    ids.add((await work.call("project.add", cwd=work.main.root / "src", path="."))["id"])
    assert len(ids) == 1
    assert (await work.call("project.list"))["total"] == 1


async def test_ades_folder_stays_out_of_git_status(work: Work) -> None:
    exclude = work.main.root / ".git" / "info" / "exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.swp")
    await work.call("project.add", path=str(work.main.root))
    first = exclude.read_text()
    await work.call("project.add", path=str(work.main.root))
    assert exclude.read_text() == first
    assert first.splitlines() == ["*.swp", "# Lanes of ADE", "/.ade/"]
    await work.lane("fix")
    assert work.main.git("status", "--porcelain", "--ignored=no") == ""
    assert not (work.main.root / ".gitignore").exists()


async def test_names_and_order(work: Work, tmp_path: Path) -> None:
    other = Repo(tmp_path / "elsewhere", "project")
    one = await work.call("project.add", path=str(work.main.root))
    two = await work.call("project.add", path=str(other.root))
    assert [item["id"] for item in (await work.call("project.list"))["items"]] == [two["id"], one["id"]]
    problem = await work.refused("project.show", project="project")
    assert problem.code == "project_ambiguous"
    assert sorted(problem.details["roots"]) == sorted([one["root"], two["root"]])
    await work.call("project.add", path=str(other.root), name="Second shop")
    assert (await work.call("project.show", project="Second shop"))["id"] == two["id"]
    await work.call("project.touch", project=one["id"])
    assert [item["id"] for item in (await work.call("project.list"))["items"]] == [one["id"], two["id"]]
    assert (
        await work.refused("project.add", path=str(other.root), name="a\x1b[0m")
    ).code == "invalid_project_name"
    page = await work.call("project.list", limit=1)
    assert (await work.call("project.list", cursor=page["next"]))["items"][0]["id"] == two["id"]


async def test_a_project_is_named_by_id_name_or_path(work: Work, tmp_path: Path) -> None:
    added = await work.call("project.add", path=str(work.main.root))
    for ref in (added["id"], "project", str(work.main.root), str(work.main.root / "src"), "./src", "."):
        assert (await work.call("project.show", project=ref))["id"] == added["id"], ref
    for ref in ("nope", "/", str(tmp_path), "~nobody-at-all/x", "a\0b"):
        assert (await work.refused("project.show", project=ref)).code == "project_not_found", ref
    lanes = await work.runtime.call("lane.list", {}, project=added["id"], cwd="/")
    assert lanes["total"] == 1


async def test_passwords_in_remotes_are_not_shown(work: Work) -> None:
    work.main.git("remote", "add", "origin", "https://ada:hunter2@example.org/shop.git")
    shown = await work.call("project.add", path=str(work.main.root))
    assert shown["remotes"] == [{"name": "origin", "url": "https://example.org/shop.git"}]


async def test_forgetting_a_project_touches_no_file(work: Work) -> None:
    added = await work.call("project.add", path=str(work.main.root))
    lane = await work.lane("fix")
    problem = await work.refused("project.remove", project=added["id"])
    assert (problem.code, problem.details["lanes"]) == ("project_has_lanes", ["fix"])
    done = await work.call("project.remove", project=added["id"], forget_lanes=True)
    assert done["forgotten_lanes"] == [str(lane.root)]
    assert (lane.root / "README.md").exists()
    assert work.main.git("worktree", "list").count("\n") == 1
    assert (await work.refused("lane.list")).code == "project_required"
    await work.call("project.add", path=str(work.main.root))
    assert (await work.call("lane.list_unregistered"))["total"] == 1


async def test_a_new_project(work: Work, tmp_path: Path) -> None:
    made = await work.call("project.create", cwd=tmp_path, path="fresh", branch="trunk", readme="hello\n")
    root = tmp_path / "fresh"
    assert (made["root"], made["branch"], made["has_commits"]) == (str(root), "trunk", True)
    assert (root / "README.md").read_text() == "hello\n"
    (tmp_path / "empty").mkdir()
    await work.call("project.create", path=str(tmp_path / "empty"))
    for path, code in (
        (root, "path_exists"),
        (work.main.root / "inner", "inside_repository"),
        (tmp_path / "no" / "where", "path_not_found"),
    ):
        assert (await work.refused("project.create", path=str(path))).code == code
    problem = await work.refused("project.create", path=str(tmp_path / "x"), branch="a..b")
    assert problem.code == "invalid_branch_name"
    assert not (tmp_path / "x").exists()


async def test_a_clone(work: Work, tmp_path: Path) -> None:
    work.main.git("branch", "feature")
    seen: list[str] = []
    made = await work.runtime.call(
        "project.clone",
        {"url": str(work.main.root), "branch": "feature"},
        cwd=tmp_path / "user" if (tmp_path / "user").exists() else work.runtime.services.paths.home,
        progress=lambda message, fraction: seen.append(message),
        env=work.main.env,
    )
    assert (made["name"], made["branch"]) == ("project", "feature")
    assert seen[0] == "Cloning"
    made = await work.call(
        "project.clone", url=f"file://{work.main.root}", path=str(tmp_path / "shallow"), depth=1
    )
    assert any(one["code"] == "shallow" for one in made["warnings"])


async def test_a_clone_that_fails_leaves_nothing(work: Work, tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    for arguments in ({"url": "file:///no/such/repository"}, {"url": str(work.main.root), "branch": "nope"}):
        problem = await work.refused("project.clone", path=str(folder / "copy"), **arguments)
        assert problem.code == "clone_failed"
        assert list(folder.iterdir()) == []
    problem = await work.refused("project.clone", url=str(work.main.root), path=str(work.main.root))
    assert problem.code == "path_exists"


async def test_a_cancelled_clone_leaves_nothing(work: Work, tmp_path: Path) -> None:
    folder = tmp_path / "place"
    folder.mkdir()
    hold = tmp_path / "hold"
    hold.write_text("#!/bin/sh\nsleep 60\n")
    hold.chmod(0o755)
    started = asyncio.Event()
    task = asyncio.create_task(
        work.runtime.call(
            "project.clone",
            {"url": "ssh://example.invalid/shop.git", "path": str(folder / "copy")},
            progress=lambda message, fraction: started.set(),
            env={**work.main.env, "GIT_SSH_COMMAND": str(hold)},
        )
    )
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert list(folder.iterdir()) == []


async def test_browsing(work: Work, tmp_path: Path) -> None:
    added = await work.call("project.add", path=str(work.main.root))
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "file").write_text("x")
    listed = await work.call("project.browse_directories", path=str(tmp_path))
    found = {item["name"]: item for item in listed["items"]}
    assert found["project"]["is_repository"] and found["project"]["project"] == added["id"]
    assert ".hidden" not in found and "file" not in found
    assert listed["parent"] == str(tmp_path.parent)
    hidden = await work.call("project.browse_directories", path=str(tmp_path), hidden=True, limit=1)
    assert len(hidden["items"]) == 1 and hidden["total"] == listed["total"] + 1
    assert (
        await work.refused("project.browse_directories", path=str(tmp_path / "file"))
    ).code == "path_not_found"


async def test_what_is_going_on(work: Work) -> None:
    await work.call("project.add", path=str(work.main.root))
    lane = await work.lane("fix")
    lane.commit("Mine", **{"mine.txt": "m"})
    lane.write("new.txt", "n")
    await work.lane("put away")
    await work.call("lane.archive", lane="put away")
    summary = await work.call("project.work_summary", commits=1)
    assert (summary["lanes"], summary["dirty"], summary["conflicted"], summary["missing"]) == (2, 1, 0, 0)
    entry = summary["items"][1]
    assert (entry["lane"], entry["changed"], entry["ahead"], entry["behind"]) == ("fix", 1, 1, 0)
    assert [commit["subject"] for commit in entry["commits"]] == ["Mine"]


async def test_agents_outside_see_no_folders(work: Work) -> None:
    from ade_runtime.contracts import AdeError

    with pytest.raises(AdeError) as caught:
        await work.runtime.call("project.browse_directories", {}, role="external")
    assert caught.value.code == "policy_denied"
