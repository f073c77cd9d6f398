"""A real repository for tests that work below the level of actions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ade_runtime.integrations.git.repository import Repository
from tests.support.sample import IDENTITY, git_environment


class Repo:
    """A repository on branch main in ``folder``, with a home and git configuration of its own."""

    def __init__(self, base: Path, name: str = "repo", *, init: bool = True) -> None:
        self.root = base / name
        self.env = {**git_environment(base / "home"), **IDENTITY}
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
        path = os.path.join(os.fsencode(self.root), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)

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

    def objects(self) -> set[str]:
        """Every object and ref of the repository, to prove that nothing was left behind."""
        listed = self.git("cat-file", "--batch-all-objects", "--batch-check", "--unordered").splitlines()
        return set(listed) | set(self.git("for-each-ref").splitlines())

    def index(self) -> tuple[bytes, int] | None:
        """The index file's bytes and modification time."""
        path = self.repository.git_dir / "index"
        return (path.read_bytes(), path.stat().st_mtime_ns) if path.exists() else None
