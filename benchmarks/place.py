"""A private ADE_HOME with sample repositories, gone afterwards together with the runtime that was started in
it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADE = Path(sys.executable).with_name("ade")


@dataclass(frozen=True, slots=True)
class Place:
    """``project`` is a repository on branch main; ``env`` is for ade and git alike."""

    base: Path
    env: dict[str, str]
    program: Path = ADE

    @property
    def project(self) -> Path:
        return self.base / "project"

    def ade(self, *argv: str) -> Any:
        """The JSON answer of a command, in the project."""
        done = subprocess.run(
            [self.program, *argv, "--json"],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"ade {' '.join(argv)}: {done.stderr.decode(errors='replace').strip()}")
        return json.loads(done.stdout)

    def git(self, *argv: str) -> None:
        done = subprocess.run(["git", *argv], cwd=self.project, env=self.env, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"git {' '.join(argv)}: {done.stderr.decode(errors='replace').strip()}")


@contextlib.contextmanager
def place(files: int, program: Path = ADE) -> Iterator[Place]:
    """A place whose project has one commit with ``files`` small files; the project is registered and the
    runtime runs."""
    base = Path(tempfile.mkdtemp(prefix="ade-bench-")).resolve()
    here = Place(base, environment(base), program)
    try:
        make_repository(here, files)
        here.ade("project", "add", ".")
        yield here
    finally:
        subprocess.run([program, "runtime", "stop"], cwd=base, env=here.env, capture_output=True)
        shutil.rmtree(base, ignore_errors=True)


def environment(base: Path) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ADE_", "GIT_"))}
    config = base / "gitconfig"
    config.write_text("[user]\n\tname = Bench\n\temail = bench@localhost\n[gc]\n\tauto = 0\n")
    return inherited | {
        "HOME": str(base),
        "ADE_HOME": str(base / "ade-home"),
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def make_repository(here: Place, files: int) -> None:
    """``files`` files of some lines in folders of a hundred."""
    here.project.mkdir()
    here.git("init", "-q", "-b", "main")
    for number in range(files):
        path = here.project / f"d{number // 100:03}" / f"f{number % 100:02}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"file {number}\n" * 8)
    here.git("add", "--all")
    here.git("commit", "-q", "-m", "sample")


def words(argv: Sequence[str | Path]) -> list[str]:
    return [str(word) for word in argv]
