"""What git prints, read into values; each against the real program."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ade_runtime.integrations.git import failures as f
from ade_runtime.integrations.git.branches import list_refs, read_branches
from ade_runtime.integrations.git.classify import classify
from ade_runtime.integrations.git.config_scan import runs_program, scan_config
from ade_runtime.integrations.git.hooks import Failure
from ade_runtime.integrations.git.log import (
    changed_files,
    count_commits,
    read_commit,
    read_file_history,
    read_log,
)
from ade_runtime.integrations.git.markers import count_markers
from ade_runtime.integrations.git.reflog import REDO, UNDO, replay
from ade_runtime.integrations.git.snapshot import keep, made_at, prune, snapshot
from ade_runtime.integrations.git.stash import list_stashes
from ade_runtime.integrations.git.state import read_progress
from ade_runtime.integrations.git.status import read_status
from ade_runtime.integrations.git.worktrees import list_worktrees
from tests.support.repo import Repo

ODD = [b"two\nlines", b"caf\xe9", b" lead", b"tab\there", b"-rf", b'"q"', "修正".encode(), b"a b"]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path)


async def test_status_of_every_kind(repo: Repo) -> None:
    repo.commit("one", keep="1", changed="1", gone="1", moved="long enough to be found\n" * 9, exe="1")
    repo.write("changed", "2")
    (repo.root / "gone").unlink()
    repo.git("mv", "moved", "moved2")
    repo.write("new", "1")
    repo.git("add", "new")
    repo.write("loose", "1")
    repo.write(".gitignore", "ignored\n")
    repo.write("ignored", "1")
    status = await read_status(repo.repository.git, ignored=True)
    found = {e.path: (e.kind, e.index, e.worktree, e.old_path) for e in status.entries}
    assert found == {
        b"changed": ("tracked", ".", "M", None),
        b"gone": ("tracked", ".", "D", None),
        b"moved2": ("tracked", "R", ".", b"moved"),
        b"new": ("tracked", "A", ".", None),
        b"loose": ("untracked", "?", "?", None),
        b".gitignore": ("untracked", "?", "?", None),
        b"ignored": ("ignored", "!", "!", None),
    }
    assert status.branch == "main"
    assert len(status.staged) == 2


async def test_status_and_history_of_odd_names(repo: Repo) -> None:
    repo.commit("base", base="1")
    for name in ODD:
        repo.write(name, "x")
    status = await read_status(repo.repository.git, untracked="all")
    assert {entry.path for entry in status.untracked} == set(ODD)
    oid = repo.commit("odd")
    git = repo.repository.git
    changes = await changed_files(git, oid, parent=oid + "~1")
    assert {change.path for change in changes} == set(ODD)
    for name in ODD:
        history = await read_file_history(git, oid, name, count=5, skip=0, follow=True)
        assert [(commit.oid, change.path) for commit, change in history if change] == [(oid, name)]


async def test_status_in_a_conflict(repo: Repo) -> None:
    repo.commit("base", a="1", b="1")
    repo.git("switch", "-q", "-c", "other")
    repo.commit("theirs", a="2")
    repo.git("rm", "-q", "b")
    repo.git("commit", "-q", "-m", "no b")
    repo.git("switch", "-q", "main")
    repo.commit("ours", a="3", b="4")
    repo.git("merge", "-q", "other", check=False)
    status = await read_status(repo.repository.git)
    assert {(e.path, e.conflict) for e in status.unmerged} == {
        (b"a", "both_modified"),
        (b"b", "deleted_by_them"),
    }
    stages = {e.path: e.stages for e in status.unmerged}
    assert stages[b"b"][2] is None
    progress = read_progress(repo.repository.git_dir)
    assert progress is not None
    assert (progress.operation, progress.commit) == ("merge", repo.git("rev-parse", "other"))


async def test_log_of_an_odd_commit(repo: Repo) -> None:
    repo.commit("first", a="1")
    message = b"Subject with \xe9\n and its second line\n\nBody\n\n# not a comment\x01\n"
    repo.write("a", "2")
    repo.git(
        "-c",
        "i18n.commitEncoding=latin-1",
        "commit",
        "-q",
        "-a",
        "-F",
        "-",
        "--cleanup=verbatim",
        stdin=message,
    )
    oid = repo.git("rev-parse", "HEAD")
    repo.git("tag", "a, b", check=False)
    repo.git("tag", "v1")
    commit = await read_commit(repo.repository.git, oid)
    assert commit.subject == "Subject with é and its second line"
    assert commit.body == "Body\n\n# not a comment\x01"
    assert set(commit.refs) == {"HEAD", "refs/heads/main", "refs/tags/v1"}


async def test_a_damaged_date_is_no_crash(repo: Repo) -> None:
    first = repo.commit("first", a="1")
    raw = repo.git("cat-file", "commit", first).replace("\n\n", "\n\n", 1)
    lines = [
        line.rsplit(" ", 2)[0] + " 99999999999999999999 +0000" if line.startswith("author") else line
        for line in raw.split("\n")
    ]
    oid = repo.git(
        "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin="\n".join(lines).encode()
    )
    commit = await read_commit(repo.repository.git, oid)
    assert commit.author.time.year in (1970, *range(1970, 10000))


async def test_paging_and_counting(repo: Repo) -> None:
    oids = [repo.commit(str(n), a=str(n)) for n in range(5)][::-1]
    git = repo.repository.git
    assert [c.oid for c in await read_log(git, oids[0], count=2, skip=1)] == oids[1:3]
    assert await count_commits(git, oids[0]) == 5
    assert await count_commits(git, oids[0], "^" + oids[2]) == 2


async def test_branches(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", a="1")
    repo.git("init", "-q", "--bare", str(tmp_path / "r.git"))
    repo.git("remote", "add", "origin", str(tmp_path / "r.git"))
    repo.git("push", "-q", "-u", "origin", "main")
    repo.git("remote", "set-head", "origin", "main")
    repo.commit("two", a="2")
    repo.git("branch", "gone", "--track", "origin/main")
    repo.git("config", "branch.gone.merge", "refs/heads/missing")
    git = repo.repository.git
    refs = await list_refs(git, ["refs/heads", "refs/remotes"])
    assert "refs/remotes/origin/HEAD" not in refs
    found = {branch.name: branch for branch in await read_branches(git, refs)}
    main = found["main"]
    assert (main.ahead, main.behind, main.upstream, main.worktree) == (
        1,
        0,
        "refs/remotes/origin/main",
        str(repo.root),
    )
    assert found["gone"].gone
    assert found["origin/main"].kind == "remote"


async def test_worktrees(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", a="1")
    odd = tmp_path / "two\nlines"
    repo.git("worktree", "add", "-q", "-b", "x", str(odd))
    repo.git("worktree", "lock", "--reason", "on a stick", str(odd))
    found = await list_worktrees(repo.repository.git)
    assert [(w.path, w.branch, w.locked) for w in found] == [
        (repo.root, "main", None),
        (odd, "x", "on a stick"),
    ]


async def test_stashes(repo: Repo) -> None:
    assert await list_stashes(repo.repository.git) == []
    repo.commit("one", a="1")
    repo.write("a", "2")
    repo.git("stash", "push", "-q", "-m", "a: colon")
    repo.write("b", "2")
    repo.git("stash", "push", "-q", "-u")
    repo.git("checkout", "-q", "--detach")
    repo.write("a", "3")
    repo.git("stash", "push", "-q", "-m", "third")
    third, second, first = await list_stashes(repo.repository.git)
    assert (first.index, first.message, first.branch, first.untracked) == (2, "a: colon", "main", False)
    assert (second.untracked, second.branch) == (True, "main")
    assert third.branch is None
    assert third.oid == repo.git("rev-parse", "stash@{0}")


async def test_a_snapshot_changes_nothing_and_holds_everything(repo: Repo) -> None:
    head = repo.commit("one", a="1", b="1", c="1")
    repo.write("a", "2")
    repo.git("add", "a")
    repo.write("a", "3")
    (repo.root / "b").unlink()
    repo.write(b"caf\xe9", "new")
    repo.write(".gitignore", "ignored\n")
    repo.write("ignored", "x")
    hook = repo.root / ".git/hooks/reference-transaction"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    before = repo.state()
    oid = await snapshot(repo.repository, "x")
    after = repo.state()
    assert before[1:] == after[1:]
    assert repo.git("show", f"{oid}:a") == "3"
    assert repo.git("show", f"{oid}^2:a") == "2"
    assert repo.git("rev-parse", f"{oid}^1") == head
    listed = set(repo.git("ls-tree", "-z", "--name-only", oid).split("\0"))
    assert {os.fsencode(name) for name in listed if name} == {b"a", b"c", b"caf\xe9", b".gitignore"}


async def test_what_is_kept_is_let_go_after_thirty_days(repo: Repo) -> None:
    oid = repo.commit("one", a="1")
    git = repo.repository.git
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    kept = await keep(git, oid, "test", now)
    repo.git("update-ref", "refs/ade/trash/someone-elses", oid)
    assert made_at(kept.ref) == now
    assert await prune(git, now + timedelta(days=29)) == []
    assert await prune(git, now + timedelta(days=31)) == [kept.ref]
    assert repo.git("for-each-ref", "--format=%(refname)", "refs/ade") == "refs/ade/trash/someone-elses"


async def test_settings_that_run_programs_are_found(repo: Repo, tmp_path: Path) -> None:
    own = tmp_path / "home/gitconfig"
    own.write_text(own.read_text() + "[core]\n\tpager = less\n")
    included = tmp_path / "more"
    included.write_text("[diff]\n\texternal = /tmp/x\n")
    repo.git("config", "core.fsmonitor", "/tmp/evil")
    repo.git("config", "filter.x.clean", "sed s/a/b/\nsecond line")
    repo.git("config", "remote.o.uploadpack", "touch x")
    repo.git("config", "include.path", str(included))
    repo.git("config", "user.name", "Ada")
    found = {finding.key: finding.value for finding in await scan_config(repo.repository.git)}
    assert found == {
        "core.fsmonitor": "/tmp/evil",
        "filter.x.clean": "sed s/a/b/\nsecond line",
        "remote.o.uploadpack": "touch x",
        "diff.external": "/tmp/x",
    }


@pytest.mark.parametrize(
    ("key", "value", "runs"),
    [
        ("core.fsmonitor", "true", False), ("core.fsmonitor", "/x", True), ("core.hooksPath", ".husky", True),
        ("alias.st", "status", False), ("alias.st", "!sh", True), ("submodule.a.update", "rebase", False),
        ("submodule.a.update", "!x", True), ("credential.https://e.org.helper", "!x", True), ("user.email", "a@b", False),
        ("diff.a.b.textconv", "x", True), ("merge.x.driver", "x", True), ("gpg.ssh.program", "x", True),
        ("core.bare", "false", False),
    ],
)  # fmt: skip
def test_which_settings_run_programs(key: str, value: str, runs: bool) -> None:
    assert (runs_program(key, value) is not None) == runs


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("fatal: not a git repository (or any of the parent directories): .git", f.NotARepository),
        ("error: could not lock config file .git/config: File exists", f.GitLocked),
        ("error: gpg failed to sign the data\nfatal: failed to write commit object", f.SigningFailed),
        ("Author identity unknown\n\n*** Please tell me who you are.", f.IdentityUnknown),
        ("fatal: Authentication failed for 'https://e.org/x'", f.AuthFailed),
        (
            "git@e.org: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            f.AuthFailed,
        ),
        ("fatal: could not read Username for 'https://e.org': terminal prompts disabled", f.AuthFailed),
        ("fatal: unable to access 'https://e.org/': Could not resolve host: e.org", f.RemoteUnreachable),
        ("fatal: '/x' does not appear to be a git repository", f.RemoteUnreachable),
        ("fatal: 'main' is already checked out at '/x'", f.BranchCheckedOut),
        (
            "error: Your local changes to the following files would be overwritten by merge:\n\ta",
            f.WouldOverwrite,
        ),
        ("error: cannot rebase: You have unstaged changes.", f.WouldOverwrite),
        ("fatal: You have not concluded your merge (MERGE_HEAD exists).", f.OperationInProgress),
        ("CONFLICT (content): Merge conflict in a", f.MergeConflict),
        ("error: Committing is not possible because you have unmerged files.", f.UnmergedPaths),
        ("nothing to commit, working tree clean", f.NothingToCommit),
        ("fatal: your current branch 'main' does not have any commits yet", f.NoCommits),
        ("fatal: bad revision 'x'", f.BadRevision),
        ("error: unable to write file: No space left on device", f.StorageFull),
        ("something else", f.GitError),
    ],
)
def test_complaints_are_told_apart(complaint: str, kind: type[f.GitError]) -> None:
    found = classify("x", 1, complaint)
    assert type(found) is kind
    assert found.reason


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("!\ta:refs/heads/b\t[rejected] (fetch first)", "non_fast_forward"),
        (" ! [rejected]        main -> main (non-fast-forward)", "non_fast_forward"),
        ("!\ta:refs/heads/b\t[rejected] (stale info)", "stale_lease"),
        ("!\ta:refs/heads/b\t[remote rejected] (pre-receive hook declined)", "hook"),
        ("!\ta:refs/heads/b\t[remote rejected] (protected branch)", "other"),
    ],
)
def test_rejections(line: str, kind: str) -> None:
    found = classify("push", 1, "To x\n" + line)
    assert isinstance(found, f.RemoteRejected)
    assert found.kind == kind


def test_a_failed_hook_is_told_from_a_failed_git() -> None:
    found = classify("commit", 1, "lint: no", [Failure("pre-commit", 3)])
    assert isinstance(found, f.HookFailed)
    assert (found.hook, found.code) == ("pre-commit", 3)
    assert not isinstance(
        classify("commit", 1, "nothing to commit", [Failure("post-commit", 3)]), f.HookFailed
    )


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (b"a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n", 1),
        (b"<<<<<<< HEAD\r\nx\r\n=======\r\n>>>>>>> o\r\n", 1),
        (b"a page about <<<<<<< and >>>>>>>\n", 0),
        (b"<<<<<<< lonely\n", 0),
        (b"Title\n=======\n", 0),
    ],
)
def test_conflict_markers(tmp_path: Path, text: bytes, count: int) -> None:
    (tmp_path / "f").write_bytes(text)
    assert count_markers(tmp_path, b"f") == count


def test_markers_are_not_looked_for_in_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    assert count_markers(tmp_path, b"link") is None
    assert count_markers(tmp_path, b"pipe") is None
    assert count_markers(tmp_path, b"gone") is None


def oid(letter: str) -> str:
    return letter * 40


def test_the_undo_stack() -> None:
    a, b, c, d = (oid(x) for x in "abcd")
    history = replay(
        [
            (oid("0"), a, ""),
            (a, a, "reset: moving to HEAD"),
            (a, b, "commit: one"),
            (b, c, "commit (amend): two"),
            (c, b, f"{UNDO}: updating HEAD"),
            (b, a, f"{UNDO}: updating HEAD"),
            (a, b, f"{REDO}: updating HEAD"),
        ]
    )
    assert [change.after for change in history.undoable] == [b]
    assert [change.after for change in history.redoable] == [c]
    history = replay([(a, b, "commit: one"), (b, a, UNDO), (a, d, "commit: other")])
    assert [change.after for change in history.undoable] == [d]
    assert history.redoable == []


def test_a_rebase_is_one_change() -> None:
    a, b, c, d = (oid(x) for x in "abcd")
    entries = [
        (a, b, "rebase (start): checkout main"),
        (b, c, "rebase (pick): x"),
        (c, d, "rebase (continue): y"),
        (d, d, "rebase (finish): returning to refs/heads/x"),
    ]
    [change] = replay(entries).undoable
    assert (change.before, change.after, change.kind) == (a, d, "move")
    assert replay([*entries[:2], (c, a, "rebase (abort): returning to refs/heads/x")]).undoable == []


async def test_reading_at_once_does_no_harm(repo: Repo) -> None:
    repo.commit("one", a="1")
    git = repo.repository.git
    found = await asyncio.gather(*(read_status(git) for _ in range(20)))
    assert all(status.clean for status in found)
