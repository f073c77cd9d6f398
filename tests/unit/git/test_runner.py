"""Git is run in one guarded way: pinned to its repository, deaf to the caller's git settings, without programs on reads."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from pathlib import Path

import pytest

from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.environment import environment
from ade_runtime.integrations.git.log import read_log
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.status import read_status
from tests.support.repo import Repo


def test_the_environment_drops_what_would_redirect_git(tmp_path: Path) -> None:
    base = {
        "GIT_DIR": "/elsewhere", "GIT_INDEX_FILE": "/x", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.pager",
        "GIT_CONFIG_PARAMETERS": "'a.b=c'", "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/y", "GIT_TRACE": "1", "LC_ALL": "de_DE",
        "LANGUAGE": "de", "PATH": "/bin", "HOME": "/home/ada", "GIT_CONFIG_GLOBAL": "/home/ada/cfg",
        "GIT_SSH_COMMAND": "ssh -i k",
        "GIT_AUTHOR_NAME": "Ada", "SSH_ASKPASS": "/bin/ask",
    }  # fmt: skip
    made = environment(tmp_path / "lane", read_only=True, base=base)
    for name in base:
        kept = name in ("PATH", "HOME", "GIT_CONFIG_GLOBAL", "GIT_SSH_COMMAND", "GIT_AUTHOR_NAME")
        assert (made.get(name) == base[name]) == kept, name
    assert made["LC_ALL"] == "C"
    assert made["GIT_TERMINAL_PROMPT"] == "0"
    assert made["GIT_OPTIONAL_LOCKS"] == "0"
    assert made["GIT_CEILING_DIRECTORIES"] == str(tmp_path)
    assert "GIT_OPTIONAL_LOCKS" not in environment(tmp_path, read_only=False, base=base)


async def test_a_lost_git_folder_does_not_make_git_climb(tmp_path: Path) -> None:
    outer = Repo(tmp_path, "outer")
    outer.commit("outer", a="1")
    inner = Repo(tmp_path, "outer/inner")
    inner.commit("inner", b="1")
    repository = inner.repository
    shutil.rmtree(inner.root / ".git")
    with pytest.raises(f.NotARepository):
        await repository.git.run("add", "--all")
    bare = Git(inner.root, env=inner.env)
    with pytest.raises(f.NotARepository):
        await bare.read("status")
    assert outer.git("status", "--porcelain") == "?? inner/"


async def test_a_folder_that_looks_like_a_bare_repository_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    plain = Repo(tmp_path)
    plain.git("init", "-q", "--bare", str(folder))
    with pytest.raises(f.NotARepository):
        await Git(folder, env=plain.env).read("rev-parse", "--git-dir")


async def test_a_worktree_that_was_copied_or_given_to_another_repository_is_refused(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    repo.git("worktree", "add", "-q", "../lane")
    lane = Repository.open(tmp_path / "lane", common_dir=repo.root / ".git", env=repo.env)
    assert lane.git_dir == repo.root / ".git/worktrees/lane"
    shutil.copytree(tmp_path / "lane", tmp_path / "copy")
    with pytest.raises(f.ForeignRepository):
        Repository.open(tmp_path / "copy")
    other = Repo(tmp_path, "other")
    other.commit("one", a="1")
    with pytest.raises(f.ForeignRepository):
        Repository.open(other.root, common_dir=repo.root / ".git")
    shutil.rmtree(tmp_path / "lane")
    with pytest.raises(f.WorktreeMissing):
        await lane.git.read("status")


async def test_the_repository_is_the_same_through_a_symlink(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    (tmp_path / "link").symlink_to(repo.root)
    through = Repository.open(tmp_path / "link", common_dir=repo.root / ".git", env=repo.env)
    assert through.worktree == repo.root
    assert (await through.git.read("rev-parse", "--show-toplevel")).text == str(repo.root)


async def test_reads_run_no_program_of_the_repository(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    trap = tmp_path / "trap"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {trap}\ncat\n")
    script.chmod(0o755)
    for hook in ("post-index-change", "reference-transaction", "pre-commit"):
        shutil.copy(script, repo.root / ".git/hooks" / hook)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "core.editor",
        "gpg.program",
    ):
        repo.git("config", key, str(script))
    repo.git("config", "log.showSignature", "true")
    repo.write(".gitattributes", "* diff=x\n")
    repo.write("a", "2")
    trap.unlink(missing_ok=True)
    git = repo.repository.git
    await read_status(git)
    await read_log(git, "HEAD", count=3)
    await git.read("diff")
    await git.read("show", "HEAD")
    await git.read("for-each-ref")
    assert not trap.exists()


async def test_reads_do_not_write_the_index(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    (repo.root / "a").touch()
    index = repo.root / ".git/index"
    before = index.stat().st_mtime_ns
    await read_status(repo.repository.git)
    assert index.stat().st_mtime_ns == before


async def test_pathspecs_are_literal(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    for name in ("*", "b", "-rf", ":(glob)b"):
        repo.write(name, "x")
    await repo.repository.git.run("add", "--", "*", "-rf", ":(glob)b")
    assert repo.git("diff", "--cached", "--name-only").splitlines() == ["*", "-rf", ":(glob)b"]


async def test_a_hook_gets_no_literal_pathspecs(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    hook = repo.root / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\ngit ls-files '*.py' > seen; git config core.hooksPath >> seen; exit 0\n")
    hook.chmod(0o755)
    repo.write("a.py", "x")
    repo.git("add", "--all")
    await repo.repository.git.run("commit", "-m", "x", traced=True)
    assert (repo.root / "seen").read_text() == "a.py\n"


async def test_output_is_bounded(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="line\n" * 100_000)
    git = repo.repository.git
    with pytest.raises(f.OutputTooLarge) as caught:
        await git.read("show", "HEAD", limit=1000)
    assert caught.value.limit == 1000
    cut = await git.read("show", "HEAD", limit=1000, truncate=True)
    assert cut.truncated
    assert len(cut.stdout) == 1000


async def test_a_lock_is_waited_for_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ade_runtime.integrations.git.runner.LOCK_PATIENCE", 0.3)
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    repo.write("a", "2")
    lock = repo.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (time.time() - 90, time.time() - 90))
    with pytest.raises(f.GitLocked) as caught:
        await repo.repository.git.run("add", "--all")
    assert caught.value.path == lock
    assert caught.value.age is not None and 89 < caught.value.age < 200
    assert lock.exists()


async def test_a_lock_that_goes_away_in_time_is_no_error(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    repo.write("a", "2")
    lock = repo.root / ".git/index.lock"
    lock.touch()
    asyncio.get_running_loop().call_later(0.15, lock.unlink)
    await repo.repository.git.run("add", "--all")
    assert repo.git("status", "--porcelain") == "M  a"


async def test_time_is_limited_and_the_lock_of_a_stopped_git_is_gone(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    hook = repo.root / ".git/hooks/pre-commit"
    hook.write_text("#!/bin/sh\nexec sleep 60\n")
    hook.chmod(0o755)
    repo.write("a", "1")
    repo.git("add", "--all")
    with pytest.raises(f.GitTimedOut):
        await repo.repository.git.run("commit", "-m", "x", timeout=0.3)
    assert not (repo.root / ".git/index.lock").exists()


async def test_missing_git(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    with pytest.raises(f.GitMissing):
        await Git(repo.root, program="no-such-git").read("status")


async def test_a_nul_never_reaches_git(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    with pytest.raises(ValueError):
        await repo.repository.git.run("add", "a\0b")
