"""A project with a lane at the stand-in for GitHub."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.github.shop import Shop, opened_shop


@pytest.fixture
async def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    async with opened_shop(tmp_path, monkeypatch) as made:
        yield made
