"""A squash is two steps of git's: killed between them, its changes are not left staged in the parent, nor are others' lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.killing import Killer
from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    """The lane ``fix`` has a commit, and its squash was killed between git's two steps."""
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n", "other.txt": "o\n"})
        lane = await work.lane("fix")
        lane.commit("Fix", **{"README.md": "# Better shop\n", "new.txt": "n\n"})
        home = work.runtime.services.paths.home
        with Killer() as killer:
            arguments = {"lane": "fix", "mode": "squash"}

            def attempt(fatal: int | None) -> list[str]:
                told = killer.perform(
                    home, work.main.root, work.main.env, "lane.merge", arguments, request_id="r", fatal=fatal
                )
                return list(told["steps"])

            steps = attempt(None)
            work.main.git("reset", "-q", "--hard", "HEAD^")
            await work.runtime.services.database.write(forget)
            attempt(steps.index("before git commit Merge lane fix") + 1)
        assert work.main.git("diff", "--cached", "--name-only").split() == ["README.md", "new.txt"]
        yield work


def forget(db: object) -> None:
    from sqlalchemy import Connection, delete

    from ade_runtime.storage.schema import receipts

    assert isinstance(db, Connection)
    db.execute(delete(receipts))


async def test_whoever_looks_next_takes_it_back(work: Work) -> None:
    await work.call("lane.list")
    assert work.main.git("status", "--porcelain") == ""
    assert not (work.main.root / ".git" / "SQUASH_MSG").exists()
    done = await work.runtime.call(
        "lane.merge",
        {"lane": "fix", "mode": "squash"},
        cwd=work.main.root,
        env=work.main.env,
        request_id="r",
    )
    assert done["result"] == "squashed"
    assert work.main.git("rev-list", "--count", "HEAD") == "2"


async def test_changes_made_since_are_kept(work: Work) -> None:
    work.main.write("other.txt", "mine\n")
    work.main.write("untracked.txt", "mine\n")
    await work.call("lane.list")
    assert work.main.git("status", "--porcelain").splitlines() == [" M other.txt", "?? untracked.txt"]


async def test_what_somebody_staged_since_is_left_alone_and_told(work: Work) -> None:
    work.main.write("other.txt", "mine\n")
    work.main.git("add", "other.txt")
    listed = await work.call("lane.list")
    assert set(work.main.git("diff", "--cached", "--name-only").split()) == {
        "README.md",
        "new.txt",
        "other.txt",
    }
    (lane,) = [one for one in listed["items"] if one["name"] == "fix"]
    assert any("was interrupted" in note for note in lane["notes"])


async def test_somebody_who_committed_it_since_is_not_undone(work: Work) -> None:
    work.main.git("commit", "-q", "-m", "By hand")
    await work.call("lane.list")
    assert work.main.git("log", "-1", "--format=%s") == "By hand"
    assert work.main.git("status", "--porcelain") == ""
