"""A registered project with one commit, for tests of proof."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.work import Work, opened


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n"})
        await work.call("project.add", path=str(work.main.root))
        yield work
