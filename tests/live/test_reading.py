"""The part of ADE that only reads, against the real GitHub and Linear. Run by ``make test-live``; nothing is changed there.

``GH_TOKEN`` or ``GITHUB_TOKEN`` is for GitHub, where ``ADE_LIVE_REPOSITORY`` names a repository with an open pull request, and
``LINEAR_API_KEY`` is for Linear.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.client.in_process import Runtime
from tests.support.live import read_issues, read_pulls, reads_of
from tests.support.repo import Repo
from tests.support.sample import IDENTITY, git_environment

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]
REPOSITORY = os.environ.get("ADE_LIVE_REPOSITORY", "cli/cli")


def needed(*names: str) -> None:
    if not any(os.environ.get(name) for name in names):
        pytest.skip(
            f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} not set, so nobody is signed in"
        )


def cloned(base: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository that has the real one for its remote; nothing of that is fetched."""
    env = git_environment(base / "user")
    for name in ("HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"):
        monkeypatch.setenv(name, env[name])
    repo = Repo(base, env=env | IDENTITY)
    repo.commit("One", **{"a.txt": "a\n"})
    repo.git("remote", "add", "origin", f"https://github.com/{REPOSITORY}.git")
    return repo


async def test_pull_requests_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("GH_TOKEN", "GITHUB_TOKEN")
    monkeypatch.delenv("ADE_GITHUB_API", raising=False)
    repo = cloned(tmp_path, monkeypatch)
    async with Runtime.open(tmp_path / "home") as ade:
        await ade.call("project.add", {"path": str(repo.root)}, cwd=repo.root)
        assert await read_pulls(ade, repo.root) == reads_of("pr")


async def test_issues_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("LINEAR_API_KEY")
    monkeypatch.delenv("ADE_LINEAR_API_URL", raising=False)
    repo = cloned(tmp_path, monkeypatch)
    async with Runtime.open(tmp_path / "home") as ade:
        await ade.call("project.add", {"path": str(repo.root)}, cwd=repo.root)
        assert await read_issues(ade, repo.root) == reads_of("issue")
