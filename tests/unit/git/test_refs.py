from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ade_runtime.integrations.git import refs
from ade_runtime.integrations.git.failures import BadName, BadRevision, NoCommits
from tests.support.repo import Repo

ACCEPTED = [
    "feature",
    "stash",
    "修复/登录",
    "a]b",
    "%2e%2e",
    "a.b",
    "-".join("ab"),
    "CON",
    "v1.0-rc.1",
    "a@b",
    "{x}",
]
REFUSED = [
    "", "-", "--force", "-x", "@", "@{u}", "a@{1}", "FETCH_HEAD", "HEAD", "head", "a.lock/b", "x.lock", "X.LOCK", "a/.b",
    ".a", "a..b", "a.", "a b", "a\tb", "a\x7fb", "a\nb", "a~1", "a^", "a:b", "a?b", "a*b", "a[b", "a\\b", "/a", "a/", "a//b",
    "refs/heads/x", "x" * 241, "a" * 40, "a\u202eb", "\ud800", "a\x00b",
]  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_branch_name_that_git_takes_too(name: str) -> None:
    assert refs.check_branch(name) == name
    assert subprocess.run(["git", "check-ref-format", "--branch", name], capture_output=True).returncode == 0


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_a_branch_name_that_is_refused(name: str) -> None:
    with pytest.raises(BadName) as caught:
        refs.check_branch(name)
    assert caught.value.why


@pytest.mark.parametrize(
    "name",
    ["--upload-pack=touch x", "file:///etc", "/etc", "../x", "host:path", "https://e.org/x", "", "-f", "~x"],
)
def test_a_remote_is_a_name_and_never_an_address_or_option(name: str) -> None:
    with pytest.raises(BadName):
        refs.check_remote(name)


@pytest.mark.parametrize(
    "text",
    ["--all", "-1", "main^{/fix}", ":/fix", "main:README.md", "a..b", "a...b", "^main", "", "a b", "a\n", "x" * 501,
     "HEAD@{yesterday}", "@{-99999999999}", "main^{commit", "\x00"],
    ids=ascii,
)  # fmt: skip
def test_a_revision_that_is_not_one_commit_is_refused(text: str) -> None:
    with pytest.raises(BadName):
        refs.check_revision(text)


@pytest.mark.parametrize(
    "text",
    [
        "main",
        "HEAD",
        "@",
        "HEAD~3",
        "main^2~1",
        "v1^{commit}",
        "abc123",
        "@{u}",
        "stash@{0}",
        "HEAD@{1}~2",
        "a/b",
        "修正",
    ],
)
def test_a_revision_that_may_be_one(text: str) -> None:
    assert refs.check_revision(text) == text


async def test_resolving(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    git = repo.repository.git
    assert await refs.head(git) is None
    assert await refs.current_branch(git) == "main"
    with pytest.raises(NoCommits):
        await refs.resolve_commit(git, "HEAD")
    first = repo.commit("one", a="1")
    second = repo.commit("two", a="2")
    repo.git("tag", "-a", "v1", "-m", "x", first)
    assert await refs.resolve_commit(git, "HEAD~1") == first
    assert await refs.resolve_commit(git, "v1") == first
    assert await refs.resolve_commit(git, second[:8]) == second
    repo.git("checkout", "-q", "--detach")
    assert await refs.current_branch(git) is None


async def test_what_is_not_found_names_what_comes_close(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    repo.git("branch", "feature")
    with pytest.raises(BadRevision) as caught:
        await refs.resolve_commit(repo.repository.git, "featrue")
    assert caught.value.candidates == ["feature"]
    with pytest.raises(BadRevision):
        await refs.resolve_commit(repo.repository.git, "HEAD~1000000")
    with pytest.raises(BadRevision):
        await refs.resolve_commit(repo.repository.git, "f" * 40)


async def test_an_ambiguous_abbreviation_lists_the_commits(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit("one", a="1")
    tree = repo.git("rev-parse", "HEAD^{tree}")
    seen: dict[str, str] = {}
    number = 0
    while True:
        oid = repo.git("commit-tree", tree, "-m", str(number))
        if oid[:4] in seen:
            break
        seen[oid[:4]] = oid
        number += 1
    with pytest.raises(BadRevision) as caught:
        await refs.resolve_commit(repo.repository.git, oid[:4])
    assert sorted(caught.value.candidates) == sorted([oid, seen[oid[:4]]])


@pytest.mark.parametrize(
    ("name", "existing", "clashes"),
    [
        ("Feature", ["feature"], "feature"),
        ("a/b", ["a"], "a"),
        ("a", ["A/b"], "A/b"),
        ("caf\u00e9", ["cafe\u0301"], "cafe\u0301"),
        ("ab", ["a", "abc"], None),
    ],
)
def test_branches_that_cannot_stand_side_by_side(name: str, existing: list[str], clashes: str | None) -> None:
    assert refs.clash(name, existing) == clashes
