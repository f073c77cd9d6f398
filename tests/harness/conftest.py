"""A project with a lane and a running runtime, in folders that no sandbox opens by itself."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command, command
from tests.support.programs import CACHE
from tests.support.repo import Repo
from tests.support.sample import IDENTITY


class Place:
    """``ade`` is the owner's own command, outside of every sandbox; ``lane`` the folder of a lane called fix."""

    def __init__(self, ade: Command, repo: Repo, lane: Path) -> None:
        self.ade = ade
        self.repo = repo
        self.lane = lane


@pytest.fixture
def place() -> Iterator[Place]:
    """Not below the temporary folder: sandboxes let that be written, and would let ADE_HOME be written with it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="t", dir=CACHE))
    try:
        with command(base) as ade:
            repo = Repo(base, env=ade.env | IDENTITY)
            repo.commit("One", **{"a.txt": "a\n"})
            ade.json("project", "add", str(repo.root))
            lane = ade.json("lanes", "create", "fix", cwd=repo.root)["path"]
            yield Place(ade, repo, Path(lane))
    finally:
        shutil.rmtree(base)
