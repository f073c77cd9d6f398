"""Merges simulated on real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from ade_runtime.integrations.git.hunks import Hunk
from ade_runtime.integrations.git.merge_tree import MalformedOutputError, Merge, merge_commits, parse_merge
from ade_runtime.integrations.git.regions import Sides, collide, find_regions, split_lines
from ade_runtime.integrations.git.scratch import scratch
from ade_runtime.integrations.git.working_copy import snapshot
from tests.support.repo import Repo

ODD = b"a\nb\xff"
Files = dict[str | bytes, bytes | str]
LINES = "".join(f"{n}\n" for n in range(1, 21))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


async def merge(repo: Repo, ours: str, theirs: str) -> Merge:
    before = repo.state()
    async with scratch(repo.repository) as place:
        merged = await merge_commits(repo.repository, ours, theirs, place.env)
    assert repo.state() == before
    assert not place.folder.exists()
    return merged


def branch(repo: Repo, name: str, change: Files, remove: tuple[str, ...] = ()) -> str:
    repo.git("checkout", "-q", "-B", name, "main")
    for path in remove:
        (repo.root / path).unlink()
    commit = repo.commit_files(name, change)
    repo.git("checkout", "-q", "main")
    return commit


async def test_a_clean_merge_gives_the_tree_that_git_merge_would(repo: Repo) -> None:
    repo.commit("base", f=LINES)
    ours = branch(repo, "ours", {"f": LINES.replace("2\n", "two\n", 1)})
    theirs = branch(repo, "theirs", {"f": LINES.replace("18\n", "eighteen\n"), "new": "n\n"})
    merged = await merge(repo, ours, theirs)
    repo.git("checkout", "-q", "ours")
    repo.git("merge", "-q", "--no-edit", "theirs")
    assert merged.clean and merged.entries == []
    assert merged.tree == repo.git("rev-parse", "HEAD^{tree}")


KINDS: dict[
    str, tuple[Files, tuple[Files, tuple[str, ...]], tuple[Files, tuple[str, ...]], set[tuple[bytes, str]]]
] = {
    "content": ({"f": "1\n"}, ({"f": "2\n"}, ()), ({"f": "3\n"}, ()), {(b"f", "content")}),
    "add_add": ({"k": "1\n"}, ({"f": "2\n"}, ()), ({"f": "3\n"}, ()), {(b"f", "add_add")}),
    "modify_delete": ({"f": "1\n"}, ({"f": "2\n"}, ()), ({}, ("f",)), {(b"f", "modify_delete")}),
    "binary": ({"f": b"\0001"}, ({"f": b"\0002"}, ()), ({"f": b"\0003"}, ()), {(b"f", "binary")}),
    "rename_rename": (
        {"f": LINES},
        ({"a": LINES}, ("f",)),
        ({"b": LINES}, ("f",)),
        {(b"f", "rename_rename"), (b"a", "rename_rename"), (b"b", "rename_rename")},
    ),
    "rename_delete": ({"f": LINES}, ({"a": LINES}, ("f",)), ({}, ("f",)), {(b"a", "rename_delete")}),
    "odd name": (
        {b"a\nb\xff": "1\n"},
        ({b"a\nb\xff": "2\n"}, ()),
        ({b"a\nb\xff": "3\n"}, ()),
        {(b"a\nb\xff", "content")},
    ),
    "option": ({"-rf": "1\n"}, ({"-rf": "2\n"}, ()), ({"-rf": "3\n"}, ()), {(b"-rf", "content")}),
}


@pytest.mark.parametrize("name", KINDS)
async def test_each_kind_of_conflict(repo: Repo, name: str) -> None:
    base, (ours_files, ours_gone), (theirs_files, theirs_gone), expected = KINDS[name]
    repo.commit_files("base", base)
    ours = branch(repo, "ours", ours_files, ours_gone)
    theirs = branch(repo, "theirs", theirs_files, theirs_gone)
    merged = await merge(repo, ours, theirs)
    assert not merged.clean
    assert {(entry.path, entry.kind) for entry in merged.entries} == expected
    assert all("CONFLICT" in entry.text or "binary" in entry.text for entry in merged.entries)


async def test_a_file_in_the_place_of_a_folder(repo: Repo) -> None:
    repo.commit("base", k="1\n")
    ours = branch(repo, "ours", {"x": "file\n"})
    theirs = branch(repo, "theirs", {"x/y": "deep\n"})
    merged = await merge(repo, ours, theirs)
    assert "directory_file" in {entry.kind for entry in merged.entries}


async def test_submodules_that_moved_apart(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path, "inner")
    inner.commit("one", f="1\n")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repo.commit("base")
    heads = []
    for number in (2, 3):
        repo.git("checkout", "-q", "-b", f"b{number}", "main")
        within = Repo(repo.root, "sub", init=False)
        within.git("checkout", "-q", "--detach", "main")
        within.commit("move", f=f"{number}\n")
        heads.append(repo.commit("moved"))
    repo.git("-C", "sub", "checkout", "-q", "main")
    repo.git("checkout", "-q", "main")
    merged = await merge(repo, *heads)
    assert [(entry.path, entry.kind) for entry in merged.entries] == [(b"sub", "submodule")]


async def test_a_snapshot_holds_what_is_not_committed(repo: Repo) -> None:
    head = repo.commit("base", kept="1\n", gone="1\n", edited="1\n", staged="1\n")
    repo.write("edited", "2\n")
    repo.write("staged", "2\n")
    repo.git("add", "staged")
    (repo.root / "gone").unlink()
    repo.write(b"n\xe9w\n", "3\n")
    repo.write("-rf", "3\n")
    (repo.root / "link").symlink_to("/etc/passwd")
    before = repo.state()
    async with scratch(repo.repository) as place:
        taken = await snapshot(repo.repository, place, head)
        again = await snapshot(repo.repository, place, head)
        listed = await repo.repository.git.run("ls-tree", "-rz", "--name-only", taken.commit, env=place.env)
        shown = await repo.repository.git.run("cat-file", "-p", f"{taken.commit}:edited", env=place.env)
    assert repo.state() == before
    assert set(listed.records()) == {b"kept", b"edited", b"staged", b"n\xe9w\n", b"-rf", b"link"}
    assert shown.stdout == b"2\n" and taken.commit == again.commit and taken.notes == []


async def test_a_folder_whose_name_holds_colons_and_quotes(tmp_path: Path) -> None:
    repo = Repo(tmp_path, 'a:b "c"\\d')
    repo.commit("base", f="1\n")
    ours, theirs = branch(repo, "ours", {"f": "2\n"}), branch(repo, "theirs", {"g": "3\n"})
    assert (await merge(repo, ours, theirs)).clean


async def test_a_repository_that_borrows_its_objects(repo: Repo) -> None:
    repo.commit("base", f="1\n")
    repo.git("clone", "-q", "--shared", ".", "borrower")
    borrower = Repo(repo.root, "borrower", init=False, env=repo.env)
    alternates = borrower.root / ".git" / "objects" / "info" / "alternates"
    alternates.write_text("../../../.git/objects\n")
    ours, theirs = branch(borrower, "ours", {"f": "2\n"}), branch(borrower, "theirs", {"f": "3\n"})
    assert not (await merge(borrower, ours, theirs)).clean


async def test_where_both_sides_touched_the_file(repo: Repo) -> None:
    repo.commit("base", f=LINES)
    ours = branch(
        repo, "ours", {"f": LINES.replace("5\n6\n", "fünf\nsechs\nextra\n", 1).replace("15\n", "same\n")}
    )
    theirs = branch(
        repo, "theirs", {"f": "0\n" + LINES.replace("6\n7\n", "VI\n", 1).replace("15\n", "same\n")}
    )
    merged = await merge(repo, ours, theirs)
    (entry,) = merged.entries
    sides = Sides(entry.stages[1].blob, entry.stages[2].blob, entry.stages[3].blob)
    async with scratch(repo.repository) as place:
        (found,) = await find_regions(repo.repository, [sides], place.env)
    assert found is not None
    (region,) = found.regions
    assert region.base == (4, 7)
    assert b"".join(found.ours[slice(*region.ours)]) == "fünf\nsechs\nextra\n7\n".encode()
    assert b"".join(found.theirs[slice(*region.theirs)]) == b"5\nVI\n"


async def test_files_added_on_both_sides_collide_where_they_differ(repo: Repo) -> None:
    repo.commit("base", k="1\n")
    ours, theirs = branch(repo, "ours", {"f": "a\nb\nz\n"}), branch(repo, "theirs", {"f": "a\nc\nd\nz\n"})
    entry = (await merge(repo, ours, theirs)).entries[0]
    async with scratch(repo.repository) as place:
        (found,) = await find_regions(
            repo.repository, [Sides(None, entry.stages[2].blob, entry.stages[3].blob)], place.env
        )
    assert found is not None
    assert [(r.ours, r.theirs) for r in found.regions] == [((1, 2), (1, 3))]


async def test_binary_and_missing_blobs_have_no_regions(repo: Repo) -> None:
    repo.commit_files("base", {"a": b"\0001", "b": b"\0002"})
    a, b = repo.git("rev-parse", "HEAD:a"), repo.git("rev-parse", "HEAD:b")
    async with scratch(repo.repository) as place:
        assert await find_regions(repo.repository, [Sides(None, a, b)], place.env) == [None]
        assert await find_regions(repo.repository, [], place.env) == []


def hunk(old: tuple[int, int], new: tuple[int, int]) -> Hunk:
    return Hunk(old[0], old[1], new[0], new[1], b"", 1)


def test_touching_changes_collide_and_separate_ones_do_not() -> None:
    left, right = [b"x\n"] * 20, [b"y\n"] * 20
    assert collide([hunk((3, 1), (3, 1))], [hunk((4, 1), (4, 1))], left, right)
    assert not collide([hunk((3, 1), (3, 1))], [hunk((5, 1), (5, 1))], left, right)
    assert not collide([hunk((3, 1), (3, 1))], [hunk((3, 1), (3, 1))], left, left)


def test_only_newlines_end_lines() -> None:
    assert split_lines(b"a\rb\x0bc\x85d\r\ne") == [b"a\rb\x0bc\x85d\r\n", b"e"]
    assert split_lines(b"") == [] and split_lines(b"\n") == [b"\n"]


@pytest.mark.parametrize("data", [b"tree\0nonsense\0", b"tree\0\0003\0f\0", b"tree\0001 2\tf\0"])
def test_output_that_is_not_a_merge_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedOutputError):
        parse_merge(data, clean=False)
