"""A disk that is full is said to be full, whoever met it, and nothing is lost over it."""

from __future__ import annotations

import errno
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        await work.call("project.add", path=str(work.main.root))
        yield work


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("git.commit", {"message": "Mine", "stage_all": True}),
        ("git.discard", {"all": True, "untracked": True}),
        ("git.reset", {"target": "HEAD", "mode": "hard"}),
        ("lane.delete", {"discard": ["untracked"]}),
    ],
)
async def test_a_copy_of_the_index_that_finds_no_room(
    work: Work, monkeypatch: pytest.MonkeyPatch, action: str, arguments: dict[str, Any], number: int
) -> None:
    lane = await work.lane("fix")
    lane.write("new.txt", "precious")
    before = lane.git("status", "--porcelain")

    def full(*_: object, **__: object) -> None:
        raise OSError(number, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfile", full)
        assert (await work.refused(action, lane="fix", **arguments)).code == "disk_full"
    assert lane.git("status", "--porcelain") == before
    assert (await work.call("lane.show", lane="fix"))["state"] == "active"
    await work.call(action, lane="fix", **arguments)
