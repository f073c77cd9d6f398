"""A real repository for tests that work below the level of actions."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ade_runtime.integrations.git.repository import Repository
from tests.support.sample import IDENTITY, git_environment


class Repo:
    """A repository on branch main in ``folder``, with a home and git configuration of its own."""

    def __init__(
        self, base: Path, name: str = "repo", *, init: bool = True, env: Mapping[str, str] | None = None
    ) -> None:
        self.root = base / name
        self.env = dict(env) if env is not None else {**git_environment(base / "home"), **IDENTITY}
        if init:
            self.root.mkdir(parents=True)
            self.git("init", "--quiet", "-b", "main")

    @property
    def repository(self) -> Repository:
        return Repository.open(self.root, env=self.env)

    def git(self, *argv: str | bytes, check: bool = True, stdin: bytes | None = None) -> str:
        done = subprocess.run(["git", *argv], cwd=self.root, env=self.env, capture_output=True, input=stdin)
        assert not check or done.returncode == 0, f"git {argv}: {done.stderr.decode(errors='replace')}"
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, name: str | bytes, data: bytes | str) -> None:
        path = self.root / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)

    def commit(self, message: str, **files: bytes | str) -> str:
        """Write the files, add everything and commit; the commit's id."""
        for name, data in files.items():
            self.write(name, data)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def commit_files(self, message: str, files: dict[str | bytes, bytes | str]) -> str:
        for name, data in files.items():
            self.write(name, data)
        return self.commit(message)

    def state(self) -> tuple[set[str], tuple[bytes, int] | None, str]:
        """Objects, refs, index and status: the same before and after whatever is only to look."""
        listed = self.git("cat-file", "--batch-all-objects", "--batch-check", "--unordered").splitlines()
        listed += self.git("for-each-ref").splitlines()
        index = self.repository.git_dir / "index"
        seen = (index.read_bytes(), index.stat().st_mtime_ns) if index.exists() else None
        return set(listed), seen, self.git("--no-optional-locks", "status", "--porcelain")
