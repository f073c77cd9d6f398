"""A project with a lane and a running runtime, in folders that no sandbox opens by itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.command import ADE, Command, command
from tests.support.programs import CACHE
from tests.support.repo import Repo
from tests.support.sample import IDENTITY

LIMIT = 120


class Place:
    """``ade`` is the owner's own command, outside of every sandbox; ``lane`` the folder of a lane called fix."""

    def __init__(self, base: Path, ade: Command) -> None:
        self.base = base
        self.ade = ade
        self.repo = Repo(base, env=ade.env | IDENTITY)
        self.repo.commit("One", **{"a.txt": "a\n"})
        ade.json("project", "add", str(self.repo.root))
        self.lane = Path(ade.json("lanes", "create", "fix", cwd=self.repo.root)["path"])

    @property
    def env(self) -> dict[str, str]:
        """What an agent program is started with: a home and a temporary folder of its own."""
        for name in ("user", "tmp", "codex"):
            (self.base / name).mkdir(exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        ours = {name: value for name, value in self.ade.env.items() if name.startswith(("ADE_", "GIT_"))}
        return {
            **kept,
            **ours,
            "PATH": f"{ADE.parent}:{kept['PATH']}",
            "HOME": str(self.base / "user"),
            "TMPDIR": str(self.base / "tmp"),
            "CODEX_HOME": str(self.base / "codex"),
        }

    def run(self, argv: Sequence[str | Path], **env: str) -> subprocess.CompletedProcess[str]:
        """A finished program in the lane."""
        return subprocess.run(
            [str(word) for word in argv],
            env=self.env | env,
            cwd=self.lane,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )


@pytest.fixture
def place() -> Iterator[Place]:
    """Not below the temporary folder: sandboxes let that be written, and would let ADE_HOME be written with it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    base = Path(tempfile.mkdtemp(prefix="t", dir=CACHE)).resolve()
    try:
        with command(base) as ade:
            yield Place(base, ade)
    finally:
        shutil.rmtree(base)
