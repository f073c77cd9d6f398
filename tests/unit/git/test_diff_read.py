"""Differences read from real repositories."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.integrations.git.diff import (
    Change,
    Comparison,
    list_changes,
    parse_changes,
    read_patch,
    sections,
)
from ade_runtime.integrations.git.hunks import by_file, read_hunks, section_path
from ade_runtime.integrations.git.scratch import scratch
from ade_runtime.integrations.git.working_copy import compare_worktree
from tests.support.repo import Repo

LIMIT = 1 << 20


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


async def worktree_changes(
    repo: Repo, *, against: str | None = "HEAD", untracked: bool = False
) -> dict[bytes, Change]:
    revisions = (repo.git("rev-parse", against),) if against else ()
    async with scratch(repo.repository) as place:
        comparison, _ = await compare_worktree(repo.repository, place, revisions, untracked=untracked)
        return {change.path: change for change in await list_changes(repo.repository, comparison)}


async def test_each_kind_of_change(repo: Repo) -> None:
    long = "".join(f"{n}\n" for n in range(50))
    repo.commit_files(
        "one",
        {
            "keep": "k\n",
            "edit": "a\nb\n",
            "gone": "x\n",
            "was": long,
            "blob": b"\0\1",
            "run": "#!\n",
            "kind": "t\n",
        },
    )
    repo.write("edit", "a\nc\nd\n")
    (repo.root / "gone").unlink()
    (repo.root / "was").rename(repo.root / "is")
    repo.write("blob", b"\0\2")
    (repo.root / "run").chmod(0o755)
    (repo.root / "kind").unlink()
    (repo.root / "kind").symlink_to("keep")
    repo.git("add", "--all")
    found = await worktree_changes(repo)
    assert {path: change.status for path, change in found.items()} == {
        b"edit": "modified",
        b"gone": "deleted",
        b"is": "renamed",
        b"blob": "modified",
        b"run": "modified",
        b"kind": "type_changed",
    }
    assert (found[b"edit"].additions, found[b"edit"].deletions) == (2, 1)
    assert found[b"is"].old_path == b"was"
    assert found[b"blob"].binary and found[b"blob"].additions is None
    assert (found[b"run"].old_mode, found[b"run"].new_mode) == ("100644", "100755")
    assert found[b"gone"].new_mode is None


async def test_hostile_names_come_back_as_they_are(repo: Repo) -> None:
    names = [
        b"-rf",
        b"a\nb",
        b"caf\xe9",
        b'"quoted"',
        b"tab\there",
        b"*",
        b":(top)x",
        b" lead",
        "ü\u202e".encode(),
    ]
    repo.commit_files("one", dict.fromkeys(names, b"1\n"))
    for name in names:
        repo.write(name, b"2\n")
    assert sorted(await worktree_changes(repo)) == sorted(names)
    comparison = Comparison(revisions=(repo.git("rev-parse", "HEAD"),), worktree=True)
    assert [c.path for c in await list_changes(repo.repository, comparison, [b"*"])] == [b"*"]
    assert [c.path for c in await list_changes(repo.repository, comparison, [b"-rf"])] == [b"-rf"]


async def test_untracked_files_only_when_asked(repo: Repo) -> None:
    repo.commit("one", tracked="1\n")
    repo.write(".gitignore", "*.log\n")
    repo.write("x.log", "no\n")
    repo.write("new/deep", "a\nb\n")
    repo.git("init", "--quiet", "nested")
    assert await worktree_changes(repo) == {}
    found = await worktree_changes(repo, untracked=True)
    assert {path: change.status for path, change in found.items()} == {
        b".gitignore": "untracked",
        b"new/deep": "untracked",
    }
    assert found[b"new/deep"].additions == 2


async def test_reading_leaves_the_repository_as_it_was(repo: Repo) -> None:
    repo.commit("one", tracked="1\n")
    repo.write("tracked", "2\n")
    repo.write("new", "n\n")
    before = repo.state()
    lock = repo.repository.git_dir / "index.lock"
    lock.touch()
    assert len(await worktree_changes(repo, untracked=True)) == 2
    lock.unlink()
    assert repo.state() == before


async def test_a_change_in_the_same_instant_as_the_index_is_seen(repo: Repo) -> None:
    for number in range(5):
        repo.commit("same size", tracked=f"{number}1\n")
        repo.write("tracked", f"{number}2\n")
        index = repo.repository.git_dir / "index"
        moment = (repo.root / "tracked").stat().st_mtime_ns
        os.utime(index, ns=(moment, moment))
        assert list(await worktree_changes(repo)) == [b"tracked"]


async def test_touched_files_are_not_changes(repo: Repo) -> None:
    repo.commit("one", tracked="1\n")
    repo.git("config", "diff.autoRefreshIndex", "false")
    os.utime(repo.root / "tracked", ns=(1, 1))
    assert await worktree_changes(repo) == {}


async def test_a_users_configuration_changes_nothing(repo: Repo) -> None:
    repo.commit("one", tracked="1\n")
    for key, value in {
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "color.ui": "always",
        "diff.external": "false",
        "diff.context": "9",
        "diff.renames": "false",
        "core.pager": "false",
        "diff.colorMoved": "zebra",
    }.items():
        repo.git("config", key, value)
    repo.git("mv", "tracked", "moved")
    repo.write("moved", "1\n")
    found = await worktree_changes(repo)
    assert found[b"moved"].status == "renamed"
    patch = await read_patch(repo.repository, Comparison(revisions=("HEAD",), cached=True), limit=LIMIT)
    assert patch.data.startswith(b"diff --git a/tracked b/moved\n")


async def test_programs_of_the_repository_do_not_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit_files("one", {"t.x": "1\n", ".gitattributes": "*.x diff=evil\n"})
    mark = tmp_path / "ran"
    for key in ("diff.external", "diff.evil.textconv", "diff.evil.command", "core.fsmonitor"):
        repo.git("config", key, f"touch {mark}; true")
    repo.write("t.x", "2\n")
    found = await worktree_changes(repo)
    await read_patch(repo.repository, Comparison(revisions=("HEAD",), worktree=True), limit=LIMIT)
    assert list(found) == [b"t.x"] and not mark.exists()


async def test_a_merge_that_waits(repo: Repo) -> None:
    repo.commit("one", f="base\n", both="x\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("side", f="side\n")
    (repo.root / "both").unlink()
    repo.commit("side removes")
    repo.git("checkout", "-q", "main")
    repo.commit("main", f="main\n", both="y\n")
    repo.git("merge", "side", check=False)
    for against in ("HEAD", None):
        found = await worktree_changes(repo, against=against)
        assert found[b"f"].status == "unmerged", against
        assert (found[b"f"].additions, found[b"f"].deletions) == (4, 0)
    staged = Comparison(revisions=(), cached=True)
    assert {c.status for c in await list_changes(repo.repository, staged)} == {"unmerged"}


async def test_before_the_first_commit(repo: Repo) -> None:
    empty = repo.git("hash-object", "-t", "tree", "--stdin", stdin=b"")
    repo.write("new", "1\n")
    async with scratch(repo.repository) as place:
        comparison, _ = await compare_worktree(repo.repository, place, (empty,), untracked=True)
        (change,) = await list_changes(repo.repository, comparison)
        assert (change.path, change.status, change.additions) == (b"new", "untracked", 1)
    repo.git("add", "new")
    (change,) = await list_changes(repo.repository, Comparison(revisions=(), cached=True))
    assert change.status == "added"


async def test_submodules_are_compared_by_commit_and_not_entered(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path, "inner")
    inner.commit("inner", f="1\n")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    repo.commit("with submodule")
    mark = tmp_path / "ran"
    within = Repo(repo.root, "sub", init=False)
    within.git("config", "core.fsmonitor", f"touch {mark}; true")
    within.write("f", "dirty\n")
    assert await worktree_changes(repo) == {}
    within.commit("moved")
    mark.unlink(missing_ok=True)
    found = await worktree_changes(repo)
    assert found[b"sub"].submodule and found[b"sub"].status == "modified"
    assert not mark.exists()


@pytest.mark.parametrize("binary", [False, True])
async def test_a_patch_can_be_applied(repo: Repo, tmp_path: Path, binary: bool) -> None:
    files: dict[str | bytes, bytes | str] = {
        "text": "1\n2\n3\n",
        "crlf": "a\r\nb\r\n",
        b"a\nb": "x\n",
        "-rf": "x\n",
        "no-end": "x",
        "gone": "g\n",
        "kind": "k\n",
    }
    base = repo.commit_files("one", files)
    repo.write("text", "1\nzwei\n3\n")
    repo.write("crlf", "a\r\nc\r\n")
    repo.write(b"a\nb", "y\n")
    repo.write("-rf", "y\n")
    repo.write("no-end", "y")
    (repo.root / "gone").unlink()
    (repo.root / "kind").unlink()
    (repo.root / "kind").symlink_to("text")
    repo.write("empty", b"")
    if binary:
        repo.write("blob", b"\0\xff\xfe")
    (repo.root / "text").chmod(0o755)
    head = repo.commit("two")
    patch = await read_patch(repo.repository, Comparison(revisions=(base, head)), limit=LIMIT, binary=binary)
    repo.git("checkout", "-q", "--detach", base)
    repo.git("apply", "--index", "--whitespace=nowarn", "-", stdin=patch.data)
    assert repo.git("write-tree") == repo.git("rev-parse", f"{head}^{{tree}}")
    changes = await list_changes(repo.repository, Comparison(revisions=(base, head)))
    named = [section_path(part) for part in by_file(patch.data, sections(patch.data))]
    assert sorted(set(named)) == [change.path for change in changes]


async def test_a_patch_is_cut_after_a_whole_line(repo: Repo) -> None:
    base = repo.commit("one", f="")
    head = repo.commit("two", f="".join(f"line {n}\n" for n in range(100_000)))
    patch = await read_patch(repo.repository, Comparison(revisions=(base, head)), limit=1000)
    assert patch.truncated and len(patch.data) <= 1000 and patch.data.endswith(b"\n")
    (hunk,) = read_hunks(patch.data)
    assert (hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines) == (0, 0, 1, 100_000)
    assert patch.data.split(b"\n")[hunk.line - 1].startswith(b"@@ ")


def test_lines_that_look_like_headers_are_not_hunks() -> None:
    patch = b"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@ def f():\n"
    patch += b"-@@ -1 +1 @@\n+@@ -2 +2 @@\n diff --git a/x b/x\n"
    (hunk,) = read_hunks(patch)
    assert hunk.heading == b"def f():" and hunk.line == 4
    assert sections(patch) == [0]


def test_raw_and_counts_are_joined_by_path() -> None:
    zero = b"0" * 40
    data = b":100644 100644 " + zero + b" " + zero + b" R087\0old\0new\0" + b"3\t1\t\0old\0new\0"
    (change,) = parse_changes(data)
    assert (change.path, change.old_path, change.status) == (b"new", b"old", "renamed")
    assert (change.additions, change.deletions) == (3, 1)
    assert parse_changes(b"") == []
