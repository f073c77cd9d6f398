"""diff.* through the pipeline on real lanes."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.repo import Repo
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        yield made


@pytest.fixture
async def lane(work: Work) -> Repo:
    work.main.commit("one", README="# Sample\n", shared="1\n2\n3\n")
    return await work.lane("fix-login")


async def test_committed_and_uncommitted_work_are_told_apart(work: Work, lane: Repo) -> None:
    lane.commit("done", done="1\n")
    lane.write("shared", "1\nzwei\n3\n")
    lane.write("staged", "s\n")
    lane.git("add", "staged")
    lane.write("new", "n\n")
    before = work.states()
    seen = {}
    for compare in ("uncommitted", "unstaged", "staged", "parent", "base"):
        answer = await work.call("diff.changes", lane="fix-login", compare=compare)
        seen[compare] = [(item["path"], item["status"]) for item in answer["items"]]
    assert seen == {
        "uncommitted": [("shared", "modified"), ("staged", "added")],
        "unstaged": [("shared", "modified")],
        "staged": [("staged", "added")],
        "parent": [("done", "added")],
        "base": [("done", "added")],
    }
    answer = await work.call(
        "diff.changes", lane="fix-login", compare="parent", include_uncommitted=True, untracked=True
    )
    assert [item["path"] for item in answer["items"]] == ["done", "new", "shared", "staged"]
    assert (answer["additions"], answer["deletions"]) == (4, 1)
    assert work.states() == before


async def test_a_lane_is_compared_from_where_it_left_its_parent(work: Work, lane: Repo) -> None:
    lane.commit("lane", mine="1\n")
    work.main.commit("main goes on", theirs="other\n")
    answer = await work.call("diff.changes", lane="fix-login", compare="parent")
    assert [item["path"] for item in answer["items"]] == ["mine"]
    direct = await work.call("diff.changes", lane="fix-login", ref="main", direct=True)
    assert [(item["path"], item["status"]) for item in direct["items"]] == [
        ("mine", "added"),
        ("theirs", "deleted"),
    ]
    assert direct["sides"]["compare"] == "ref"


async def test_the_callers_own_lane_is_the_default(work: Work, lane: Repo) -> None:
    lane.write("README", "# Changed\n")
    answer = await work.call("diff.stats", cwd=lane.root)
    assert (answer["sides"]["lane"], answer["modified"]) == ("fix-login", 1)
    assert (await work.call("diff.stats"))["files"] == 0


async def test_pages_go_on_where_the_last_one_ended(work: Work, lane: Repo) -> None:
    lane.commit_files("many", {f"f{number:02}": "x\n" for number in range(7)} | {b"caf\xe9": "x\n"})
    seen: list[str] = []
    cursor = None
    while True:
        more = {"cursor": cursor} if cursor else {}
        answer = await work.call("diff.changes", lane="fix-login", compare="parent", limit=3, **more)
        assert answer["total"] == 8 and answer["additions"] == 8
        seen += [item["path"] for item in answer["items"]]
        cursor = answer["next"]
        if cursor is None:
            break
    assert seen == ['"caf\\351"', *[f"f{number:02}" for number in range(7)]]
    assert (await work.refused("diff.changes", lane="fix-login", cursor="!")).code == "invalid_cursor"


async def test_hostile_names_are_reached_by_the_name_that_was_shown(work: Work, lane: Repo) -> None:
    names = [b"-rf", b"a\nb", b"caf\xe9", b'"q"', b"*", b":(top)README", "修正".encode()]
    lane.commit_files("odd", dict.fromkeys(names, "x\n"))
    changes = await work.call("diff.changes", lane="fix-login", compare="parent")
    assert len(changes["items"]) == len(names)
    for item in changes["items"]:
        shown = await work.call("diff.file", lane="fix-login", compare="parent", path=item["path"])
        assert shown["change"] == item
        assert shown["text"].endswith("+x\n") and shown["exact"]
    some = await work.call("diff.patch", lane="fix-login", compare="parent", paths=["*", "-rf"])
    assert some["files"] == 2


REFUSED = ["../other-lane/f", "/etc/passwd", ".git/config", ".GIT/hooks/pre-commit", "a/../../b", "x\0y"]


@pytest.mark.parametrize("path", REFUSED)
async def test_paths_that_leave_the_lane_are_refused(work: Work, lane: Repo, path: str) -> None:
    problem = await work.refused("diff.file", lane="fix-login", path=path)
    assert problem.code in ("path_outside_lane", "invalid_arguments")
    assert (await work.refused("diff.patch", lane="fix-login", paths=[path])).code == problem.code


async def test_links_are_followed_inside_and_refused_outside(work: Work, lane: Repo, tmp_path: Path) -> None:
    lane.write("sub/f", "1\n")
    (lane.root / "link-in").symlink_to("sub")
    (lane.root / "link-out").symlink_to(tmp_path)
    lane.commit("links")
    shown = await work.call("diff.file", lane="fix-login", compare="parent", path="link-in/f")
    assert shown["change"]["path"] == "sub/f"
    inside = await work.call(
        "diff.file", lane="fix-login", compare="parent", path=str(lane.root / "sub" / "f")
    )
    assert inside["change"]["path"] == "sub/f"
    assert (await work.refused("diff.file", lane="fix-login", path="link-out/x")).code == "path_outside_lane"


BASES = [
    ("--all", "invalid_base"),
    ("main^{/fix}", "invalid_base"),
    ("HEAD~1000000", "base_not_found"),
    ("abc", "base_not_found"),
]


@pytest.mark.parametrize(("ref", "code"), BASES)
async def test_refs_that_git_would_read_otherwise_are_refused(
    work: Work, lane: Repo, ref: str, code: str
) -> None:
    problem = await work.refused("diff.changes", lane="fix-login", ref=ref)
    assert problem.code == code


async def test_fields_that_contradict_each_other_are_named(work: Work, lane: Repo) -> None:
    for fields, path in (
        ({"compare": "ref"}, "ref"),
        ({"compare": "staged", "ref": "main"}, "ref"),
        ({"compare": "staged", "include_uncommitted": True}, "include_uncommitted"),
        ({"compare": "base", "direct": True}, "direct"),
    ):
        problem = await work.refused("diff.stats", lane="fix-login", **fields)
        assert problem.code == "invalid_arguments"
        assert [each["path"] for each in problem.details["problems"]] == [path]


async def test_the_hunks_of_a_file_are_found_in_its_text(work: Work, lane: Repo) -> None:
    lines = [f"{number}\n" for number in range(1, 60)]
    work.main.commit("long", long="".join(lines))
    lane.git("merge", "-q", "main")
    lines[4], lines[49] = "five\n", ""
    lane.write("long", "".join(lines))
    shown = await work.call("diff.file", lane="fix-login", path="long", context=1)
    assert [(h["old_start"], h["old_lines"], h["new_start"], h["new_lines"]) for h in shown["hunks"]] == [
        (4, 3, 4, 3),
        (49, 3, 49, 2),
    ]
    for hunk in shown["hunks"]:
        assert shown["text"].split("\n")[hunk["text_line"] - 1].startswith("@@ ")


async def test_a_long_file_is_cut_and_says_so(work: Work, lane: Repo) -> None:
    lane.write("long", "".join(f"line {number}\n" for number in range(10_000)))
    shown = await work.call("diff.file", lane="fix-login", path="long", max_bytes=1000)
    assert (
        shown["truncated"] and len(shown["text"].encode()) <= 1000 and shown["change"]["additions"] == 10_000
    )
    assert "max_bytes" in " ".join(shown["notes"])


async def test_a_moved_file_shows_where_it_came_from(work: Work, lane: Repo) -> None:
    lane.git("mv", "shared", "moved")
    lane.commit("move")
    for path in ("moved", "shared"):
        shown = await work.call("diff.file", lane="fix-login", compare="parent", path=path)
        assert (shown["change"]["status"], shown["change"]["old_path"]) == ("renamed", "shared")


async def test_a_file_without_a_change_and_one_that_is_nowhere(work: Work, lane: Repo) -> None:
    for compare in ("uncommitted", "unstaged", "staged", "parent"):
        shown = await work.call("diff.file", lane="fix-login", path="README", compare=compare)
        assert (shown["change"]["status"], shown["text"]) == ("unchanged", "")
    lane.write("new", "n\n")
    assert (await work.call("diff.file", lane="fix-login", path="new"))["change"]["status"] == "untracked"
    problem = await work.refused("diff.file", lane="fix-login", path="new", compare="parent")
    assert problem.code == "file_not_found"


async def apply(work: Work, patch: bytes) -> str:
    """Apply to the primary checkout and give the tree that comes of it."""
    work.main.git("apply", "--index", "--whitespace=nowarn", stdin=patch)
    return work.main.git("write-tree")


async def test_a_patch_gives_the_lanes_files(work: Work, lane: Repo) -> None:
    lane.commit_files(
        "lane", {"shared": "1\r\n2\n", b"caf\xe9": "x\n", "no-end": "x", "a b\t": "y\n", "-rf": "z\n"}
    )
    (lane.root / "README").chmod(0o755)
    lane.commit("mode")
    answer = await work.call("diff.patch", lane="fix-login", compare="parent")
    assert (answer["applicable"], answer["truncated"], answer["files"]) == (True, False, 6)
    assert await apply(work, answer["patch"].encode()) == lane.git("rev-parse", "HEAD^{tree}")


async def test_a_patch_of_uncommitted_work_gives_the_working_tree(work: Work, lane: Repo) -> None:
    lane.write("shared", "changed\n")
    lane.write("new", "n\n")
    answer = await work.call("diff.patch", lane="fix-login", untracked=True)
    assert answer["applicable"] and answer["total"] == 2
    await apply(work, answer["patch"].encode())
    assert (work.main.root / "new").read_text() == "n\n"
    assert (work.main.root / "shared").read_text() == "changed\n"


async def test_a_patch_of_nothing_is_empty(work: Work, lane: Repo) -> None:
    for compare in ("parent", "uncommitted", "staged"):
        answer = await work.call("diff.patch", lane="fix-login", compare=compare)
        assert (answer["patch"], answer["total"], answer["applicable"]) == ("", 0, False)


async def test_binary_and_other_bytes_need_to_be_asked_for(work: Work, lane: Repo) -> None:
    lane.commit_files("bytes", {"blob": b"\0\1\2", "latin": b"caf\xe9\n"})
    plain = await work.call("diff.patch", lane="fix-login", compare="parent")
    assert not plain["applicable"] and "\ufffd" in plain["patch"] and len(plain["notes"]) == 2
    whole = await work.call("diff.patch", lane="fix-login", compare="parent", binary=True, encoding="base64")
    assert whole["applicable"]
    assert await apply(work, base64.b64decode(whole["patch"])) == lane.git("rev-parse", "HEAD^{tree}")


async def test_a_patch_is_cut_after_whole_files(work: Work, lane: Repo) -> None:
    lane.commit_files("many", {f"f{number}": "x\n" * 200 for number in range(9)})
    answer = await work.call("diff.patch", lane="fix-login", compare="parent", max_bytes=2500)
    assert answer["truncated"] and answer["applicable"] and 0 < answer["files"] < 9
    assert answer["omitted"] == [f"f{number}" for number in range(answer["files"], 9)]
    work.main.git("apply", "--check", stdin=answer["patch"].encode())
    small = await work.call("diff.patch", lane="fix-login", compare="parent", max_bytes=300)
    assert (
        small["truncated"] and not small["applicable"] and small["files"] == 0 and len(small["omitted"]) == 9
    )


async def test_a_submodule_is_shown_by_its_commit(work: Work, lane: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path, "inner")
    inner.commit("inner", f="1\n")
    lane.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    lane.commit("submodule")
    shown = await work.call("diff.file", lane="fix-login", compare="parent", path="sub")
    assert shown["change"]["submodule"] and "Subproject commit" in shown["text"]


async def test_a_lane_in_the_middle_of_a_merge(work: Work, lane: Repo) -> None:
    lane.commit("lane", shared="lane\n")
    work.main.commit("main", shared="main\n")
    lane.git("merge", "main", check=False)
    for compare in ("uncommitted", "unstaged"):
        answer = await work.call("diff.changes", lane="fix-login", compare=compare)
        assert [(item["path"], item["status"]) for item in answer["items"]] == [("shared", "unmerged")]
        shown = await work.call("diff.file", lane="fix-login", compare=compare, path="shared")
        assert "+<<<<<<<" in shown["text"]
    assert (await work.call("diff.stats", lane="fix-login"))["unmerged"] == 1
    assert not (await work.call("diff.patch", lane="fix-login"))["applicable"]


async def test_before_the_first_commit(work: Work) -> None:
    work.main.write("new", "1\n")
    work.main.git("add", "new")
    for compare in ("uncommitted", "staged"):
        answer = await work.call("diff.changes", lane="primary", compare=compare)
        assert [(item["path"], item["status"]) for item in answer["items"]] == [("new", "added")]
        assert answer["sides"]["old_commit"] is None
    assert (await work.call("diff.patch", lane="primary"))["applicable"]
    assert (await work.refused("diff.changes", lane="primary", ref="main")).code in (
        "base_not_found",
        "repository_has_no_commits",
    )


async def test_histories_without_a_common_commit(work: Work, lane: Repo) -> None:
    work.main.git("checkout", "-q", "--orphan", "other")
    work.main.commit("unrelated", other="1\n")
    problem = await work.refused("diff.changes", lane="fix-login", ref="other")
    assert problem.code == "unrelated_histories"
    assert (await work.call("diff.changes", lane="fix-login", ref="other", direct=True))["total"] == 1


async def test_a_lane_whose_folder_is_gone(work: Work, lane: Repo) -> None:
    work.main.git("worktree", "remove", "--force", str(lane.root))
    assert (await work.refused("diff.changes", lane="fix-login")).code == "lane_missing"


async def test_the_primary_lane_has_nothing_to_be_compared_with(work: Work, lane: Repo) -> None:
    for compare in ("parent", "base"):
        assert (await work.refused("diff.stats", lane="primary", compare=compare)).code == "no_comparison"
