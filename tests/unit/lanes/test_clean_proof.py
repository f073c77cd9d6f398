"""The proof that a worktree is clean: right whenever it says so, and git is asked otherwise."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from ade_runtime.lanes.clean_cache import CleanCache
from ade_runtime.lanes.clean_proof import prove_clean
from tests.support.repo import Repo


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """With a clock that has always moved on, so that what was just written may be remembered."""
    monkeypatch.setattr("ade_runtime.lanes.clean_cache.TICK", -10_000_000_000)
    repo = Repo(tmp_path)
    repo.commit_files("One", {"a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c", "run.sh": "x"})
    return repo


def settle(repo: Repo) -> None:
    """Let the index be younger than every file and older than now, as after a moment's rest."""
    index = repo.root / ".git" / "index"
    old = time.time_ns() - 3_000_000_000
    for file in [p for p in repo.root.rglob("*") if ".git" not in p.parts]:
        os.utime(file, ns=(old, old), follow_symlinks=False)
    repo.git("update-index", "-q", "--refresh")
    os.utime(index, ns=(old + 1_000_000_000,) * 2)


def proved(repo: Repo) -> bool:
    tree = repo.git("rev-parse", "HEAD^{tree}")
    said = prove_clean(repo.root, repo.root / ".git", tree) is not None
    if said:
        assert repo.git("status", "--porcelain") == "", "the proof is wrong"
    return said


def test_a_clean_worktree_is_proved(repo: Repo) -> None:
    settle(repo)
    assert proved(repo)


def test_a_link_and_an_executable_are_proved(repo: Repo) -> None:
    (repo.root / "link").symlink_to("a.txt")
    (repo.root / "run.sh").chmod(0o755)
    repo.commit("Link")
    settle(repo)
    assert proved(repo)


CHANGES = {
    "edited": lambda r: (r / "a.txt").write_text("b"),
    "same size, old time": lambda r: (
        (r / "a.txt").write_text("b"),
        os.utime(r / "a.txt", ns=(1_600_000_000_000_000_000,) * 2),
    ),
    "mode": lambda r: (r / "a.txt").chmod(0o755),
    "removed": lambda r: (r / "d/b.txt").unlink(),
    "new file": lambda r: (r / "new").write_text("n"),
    "new file deep down": lambda r: (r / "d/e/new").write_text("n"),
    "new folder": lambda r: ((r / "x").mkdir(), (r / "x/y").write_text("n")),
    "file became a folder": lambda r: (
        (r / "a.txt").unlink(),
        (r / "a.txt").mkdir(),
        (r / "a.txt/f").write_text(""),
    ),
    "file became a link": lambda r: ((r / "a.txt").unlink(), (r / "a.txt").symlink_to("run.sh")),
    "folder became a link": lambda r: (
        (r / "d").rename(r.parent / "d2"),
        (r / "d").symlink_to(r.parent / "d2"),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@pytest.mark.parametrize("remembered", [False, True])
def test_a_change_is_never_proved_away(repo: Repo, change: object, remembered: bool) -> None:
    settle(repo)
    cache = CleanCache()
    tree = repo.git("rev-parse", "HEAD^{tree}")
    git_dir = repo.root / ".git"
    if remembered:
        assert cache.is_clean(repo.root, git_dir, tree)
        assert cache.is_clean(repo.root, git_dir, tree)
    change(repo.root)  # type: ignore[operator]
    assert repo.git("status", "--porcelain") != ""
    assert not cache.is_clean(repo.root, git_dir, tree)


def test_what_is_staged_or_special_is_left_to_git(repo: Repo) -> None:
    settle(repo)
    for command in (
        ("update-index", "--assume-unchanged", "a.txt"),
        ("update-index", "--no-assume-unchanged", "a.txt"),
        ("update-index", "--skip-worktree", "a.txt"),
        ("update-index", "--no-skip-worktree", "a.txt"),
        ("rm", "--cached", "-q", "a.txt"),
    ):
        repo.git(*command)
        proved(repo)
    assert not proved(repo)
    repo.git("reset", "-q")
    repo.git("update-index", "--index-version", "4")
    assert not proved(repo)


def test_the_wrong_tree_or_a_damaged_index_is_not_proved(repo: Repo) -> None:
    settle(repo)
    git_dir = repo.root / ".git"
    assert prove_clean(repo.root, git_dir, "0" * 40) is None
    assert prove_clean(repo.root, git_dir, "0" * 64) is None
    tree = repo.git("rev-parse", "HEAD^{tree}")
    data = (git_dir / "index").read_bytes()
    for damaged in (b"", b"DIRC", data[:50], data[:-30], b"XXXX" + data[4:]):
        (git_dir / "index").write_bytes(damaged)
        assert prove_clean(repo.root, git_dir, tree) is None
    (git_dir / "index").unlink()
    assert prove_clean(repo.root, git_dir, tree) is None


def test_a_file_as_young_as_the_index_is_left_to_git(repo: Repo) -> None:
    settle(repo)
    index = repo.root / ".git" / "index"
    moment = (repo.root / "a.txt").stat().st_mtime_ns
    os.utime(index, ns=(moment, moment))
    assert not proved(repo)


def test_what_was_just_written_is_not_remembered(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ade_runtime.lanes.clean_cache.TICK", 60_000_000_000)
    settle(repo)
    cache = CleanCache()
    assert cache.is_clean(repo.root, repo.root / ".git", repo.git("rev-parse", "HEAD^{tree}"))
    assert not cache._memories


def test_memory_is_dropped_with_the_index(repo: Repo) -> None:
    settle(repo)
    cache = CleanCache()
    tree = repo.git("rev-parse", "HEAD^{tree}")
    assert cache.is_clean(repo.root, repo.root / ".git", tree)
    repo.git("rm", "--cached", "-q", "a.txt")
    assert not cache.is_clean(repo.root, repo.root / ".git", tree)
