"""Making lanes: names, bases, hooks, clashes, many at once, and nothing left behind where it fails."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError, Exit
from tests.support.work import Work

NAMES: dict[str, Any] = {
    "fix-login": "ade/fix-login",
    "Fix the login page (again)": "ade/fix-the-login-page-again",
    "修正ログイン": "ade/修正ログイン",
    "a/b": "ade/a-b",
    "x.lock": "ade/x-lock",
    "HEAD": "ade/head",
    "a..b": "ade/a.b",
    "a b\tc": "ade/a-b-c",
    "a~1^2:3": "ade/a-1-2-3",
    "trailing.": "ade/trailing",
    "../../etc": "ade/etc",
    "con": "ade/con",
    "..\\..\\evil": "ade/evil",
    "{{7*7}}": "ade/7-7",
    "🚀 Launch!": "ade/launch",
}


@pytest.mark.parametrize("name", NAMES, ids=ascii)
async def test_every_name_makes_a_lane_inside_its_folder(work: Work, name: str) -> None:
    lane = await work.call("lane.create", name=name)
    assert lane["branch"] == NAMES[name]
    path = Path(lane["path"])
    assert path.parent == work.main.root / ".ade" / "worktrees"
    assert path.name not in ("con", "..")
    work.main.git("check-ref-format", f"refs/heads/{lane['branch']}")
    assert work.main.git("-C", str(path), "symbolic-ref", "HEAD") == f"refs/heads/{lane['branch']}"
    assert work.main.git("status", "--porcelain") == ""
    assert "49" not in lane["name"] + lane["branch"] + path.name + "".join(lane["notes"])
    assert (await work.call("lane.show", lane=name))["id"] == lane["id"]


@pytest.mark.parametrize("name", ["--upload-pack=x", "..", "   ", "lane\0x", "-", "a\u202eb"], ids=ascii)
async def test_a_name_nobody_could_use_is_refused(work: Work, name: str) -> None:
    problem = await work.refused("lane.create", name=name)
    assert (problem.code, problem.exit) == ("invalid_branch_name", Exit.USAGE)
    assert_untouched(work)


async def test_a_name_that_is_too_long_or_empty_is_invalid(work: Work) -> None:
    for name in ("", "x" * 300):
        assert (await work.refused("lane.create", name=name)).code == "invalid_arguments"
    lane = await work.call("lane.create", name="é" * 120)
    assert len(Path(lane["path"]).name.encode()) <= 60


async def test_names_that_differ_only_in_case_or_form_clash_clearly(work: Work) -> None:
    for first, second in (("straße", "STRASSE"), ("caf\u00e9", "cafe\u0301"), ("primary-2", "Primary-2")):
        await work.call("lane.create", name=first)
        problem = await work.refused("lane.create", name=second)
        assert (problem.code, problem.exit) == ("lane_name_taken", Exit.CONFLICT)
        assert first in problem.message
    assert (await work.refused("lane.create", name="PRIMARY")).code == "lane_name_taken"


async def test_a_look_alike_is_another_lane_and_shown_so(work: Work) -> None:
    await work.call("lane.create", name="paypal")
    lane = await work.call("lane.create", name="p\u0430ypal")
    assert lane["name_ascii"] == r"p\u0430ypal"
    assert any("look like" in note for note in lane["notes"])


async def test_names_with_one_slug_get_branches_of_their_own(work: Work) -> None:
    made = [await work.call("lane.create", name=name) for name in ("a b", "a/b", "a-b")]
    assert [lane["branch"] for lane in made] == ["ade/a-b", "ade/a-b-2", "ade/a-b-3"]
    assert len({lane["path"] for lane in made}) == 3


async def test_a_branch_of_that_name_is_left_alone(work: Work) -> None:
    work.main.git("branch", "ADE/Fix")
    lane = await work.call("lane.create", name="fix")
    assert lane["branch"] == "ade/fix-2"
    work.main.git("branch", "ade/next")
    lane = await work.call("lane.create", name="next")
    assert lane["branch"] == "ade/next-2"
    assert any("ade/next was there already" in note for note in lane["notes"])


async def test_a_branch_called_ade_is_no_obstacle(work: Work) -> None:
    work.main.git("branch", "ade")
    assert (await work.call("lane.create", name="fix"))["branch"] == "ade-fix"


async def test_the_reflog_tells_which_lane_made_the_branch(work: Work) -> None:
    lane = await work.call("lane.create", name="fix")
    assert lane["id"] in work.main.git("reflog", "show", "ade/fix")
    config = (work.main.root / ".git" / "config").read_text()
    assert "ade/" not in config


async def test_the_default_base_is_the_remotes_default_branch(work: Work) -> None:
    work.main.git("branch", "trunk2")
    work.main.git("switch", "-q", "-c", "feature")
    work.main.commit("On a feature", **{"f.txt": "f"})
    assert (await work.call("lane.create", name="one"))["base"] == "main"
    work.main.git("remote", "add", "origin", str(work.main.root))
    work.main.git("fetch", "-q", "origin")
    work.main.git("remote", "set-head", "origin", "trunk2")
    assert (await work.call("lane.create", name="two"))["base"] == "trunk2"
    work.main.git("branch", "-q", "-D", "trunk2")
    assert (await work.call("lane.create", name="three"))["base"] == "origin/trunk2"


async def test_a_base_is_a_branch_a_tag_or_a_commit(work: Work) -> None:
    first = work.main.git("rev-parse", "HEAD")
    work.main.git("tag", "v1")
    work.main.commit("Second", **{"b.txt": "b"})
    for number, base in enumerate(("v1", first, first[:10], "main~1", "HEAD^", "@~1")):
        lane = await work.call("lane.create", name=f"lane {number}", base=base)
        assert lane["base_commit"] == first, base
        assert lane["status"]["head"] == first


@pytest.mark.parametrize(
    ("base", "code"),
    [
        ("--all", "invalid_base"),
        ("@{u}", "invalid_base"),
        ("main@{1}", "invalid_base"),
        (":/fix", "invalid_base"),
        ("main^{/fix}", "invalid_base"),
        ("main..HEAD", "invalid_base"),
        ("^main", "invalid_base"),
        ("HEAD:README.md", "invalid_base"),
        ("a b", "invalid_base"),
        ("HEAD~1000000", "base_not_found"),
        ("mian", "base_not_found"),
        ("0000000", "base_not_found"),
    ],
)
async def test_a_base_git_would_read_as_something_else_is_refused(work: Work, base: str, code: str) -> None:
    problem = await work.refused("lane.create", name="fix", base=base)
    assert problem.code == code
    assert problem.exit == (Exit.NOT_FOUND if code == "base_not_found" else Exit.USAGE)
    if base == "mian":
        assert problem.details["candidates"] == ["main"]
    assert_untouched(work)


async def test_an_ambiguous_abbreviation_lists_the_candidates(work: Work) -> None:
    seen: dict[str, str] = {}
    tree = work.main.git("write-tree")
    for number in range(2000):
        commit = work.main.git("commit-tree", tree, "-m", str(number))
        if commit[:4] in seen:
            break
        seen[commit[:4]] = commit
    else:
        pytest.fail("no two of 2,000 commits began alike, which chance all but rules out")
    problem = await work.refused("lane.create", name="fix", base=commit[:4])
    assert problem.code == "base_not_found"
    assert {commit, seen[commit[:4]]} <= set(problem.details["candidates"])


async def test_agents_23_ten_lanes_at_once_are_ten_lanes(work: Work) -> None:
    work.main.git("remote", "add", "origin", str(work.main.root))
    work.main.git("fetch", "-q", "origin")
    names = [f"Lane {number}" for number in range(10)]
    made = await asyncio.gather(*(work.call("lane.create", name=n, base="origin/main") for n in names))
    assert len({lane["branch"] for lane in made}) == 10
    listed = work.main.git("worktree", "list", "--porcelain")
    assert listed.count("worktree ") == 11
    assert "locked" not in listed and "prunable" not in listed
    assert not (work.main.root / ".ade" / "creating").exists()
    assert list((work.main.root / ".git").rglob("*.lock")) == []
    assert work.main.git("for-each-ref", "refs/heads/ade").count("\n") == 9
    assert (await work.call("lane.list"))["total"] == 11


async def test_one_name_at_once_is_one_lane(work: Work) -> None:
    done = await asyncio.gather(
        *(work.call("lane.create", name="same") for _ in range(5)), return_exceptions=True
    )
    refused = [one for one in done if isinstance(one, AdeError)]
    assert [one.code for one in refused] == ["lane_name_taken"] * 4
    assert work.main.git("for-each-ref", "--format=%(refname)", "refs/heads/ade") == "refs/heads/ade/same"


async def test_the_hook_runs_once_where_the_files_stay_and_on_the_branch(work: Work) -> None:
    out = work.main.root.parent / "hook.log"
    hook(work, f'echo "$PWD|$(git rev-parse --abbrev-ref HEAD)|$*|$(ls README.md)" >> "{out}"')
    lane = await work.call("lane.create", name="fix")
    commit = lane["status"]["head"]
    assert out.read_text() == f"{lane['path']}|ade/fix|{'0' * 40} {commit} 1|README.md\n"


async def test_a_hook_that_fails_is_told_and_the_lane_stays(work: Work) -> None:
    hook(work, "echo no network >&2; exit 3")
    lane = await work.call("lane.create", name="fix")
    assert lane["state"] == "active"
    assert any("post-checkout hook ended with 3: no network" in note for note in lane["notes"])


async def test_a_checkout_that_fails_leaves_nothing(work: Work) -> None:
    work.main.write(".gitattributes", "*.bin filter=broken\n")
    work.main.commit("Binary", **{"a.bin": "x"})
    work.main.git("config", "filter.broken.smudge", "false")
    work.main.git("config", "filter.broken.required", "true")
    problem = await work.refused("lane.create", name="fix")
    assert problem.code == "lane_creation_failed"
    assert "a.bin" in problem.message or "filter" in problem.message
    assert_untouched(work)


async def test_a_cancelled_creation_leaves_nothing(work: Work) -> None:
    started = asyncio.Event()
    hook(work, "sleep 60")
    work.runtime.services.lanes.at_step = lambda step: started.set() if step == "attached" else None
    task = asyncio.create_task(work.call("lane.create", name="fix"))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert_untouched(work)
    assert (await work.call("lane.list"))["total"] == 1


async def test_a_folder_that_leads_out_of_the_project_is_not_used(work: Work) -> None:
    outside = work.main.root.parent / "outside"
    outside.mkdir()
    (work.main.root / ".ade").symlink_to(outside)
    problem = await work.refused("lane.create", name="fix")
    assert problem.code == "lane_creation_failed"
    assert "symlink" in problem.message
    assert list(outside.iterdir()) in ([], [outside / "creating"])
    assert work.main.git("worktree", "list").count("\n") == 0


async def test_a_child_stands_on_its_parents_latest_commit(work: Work) -> None:
    parent = await work.lane("parent")
    commit = parent.commit("Step one", **{"one.txt": "1"})
    child = await work.call("lane.create_child", name="child", lane="parent")
    assert (child["parent"], child["base_commit"], child["base"]) == ("parent", commit, "ade/parent")
    other = await work.call("lane.create", name="other", parent="parent")
    assert (other["parent"], other["base_commit"]) == ("parent", commit)
    inside = await work.call("lane.create_child", cwd=parent.root / "src", name="inside")
    assert inside["parent"] == "parent"
    assert (await work.refused("lane.create_child", name="x")).code == "lane_required"


async def test_a_retry_with_the_same_request_id_makes_one_lane(work: Work) -> None:
    async def once() -> dict[str, Any]:
        return await work.runtime.call(
            "lane.create", {"name": "fix"}, cwd=work.main.root, request_id="r1", env=work.main.env
        )

    assert await once() == await once()
    assert (await work.call("lane.list"))["total"] == 2


def hook(work: Work, script: str) -> None:
    path = work.main.root / ".git" / "hooks" / "post-checkout"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def assert_untouched(work: Work) -> None:
    root = work.main.root
    assert work.main.git("worktree", "list").count("\n") == 0
    assert work.main.git("for-each-ref", "refs/heads/ade", "refs/heads/ade-*", "refs/ade") == ""
    worktrees = root / ".ade" / "worktrees"
    assert not worktrees.exists() or list(worktrees.iterdir()) == []
    assert not (root / ".ade" / "creating").exists()
    assert not (root / ".git" / "worktrees").exists()
