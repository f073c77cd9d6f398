"""Builds the named fixtures of specs/fixtures.yaml as real repositories, through whichever way in a test uses."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from string import Template
from typing import Any

from tests.support.stand_ins import STAND_INS

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}
CallAction = Callable[[str, dict[str, Any], "str | None"], Awaitable[dict[str, Any]]]
"""Perform an action by id in the sample's project, as the session of a token or as the owner, and return its output."""


def git_environment(home: Path) -> dict[str, str]:
    """The caller's environment without any git or ADE settings, with a git configuration of the test's own."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("ADE_", "GIT_"))}
    config = home / "gitconfig"
    if not config.exists():
        home.mkdir(parents=True, exist_ok=True)
        config.write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n")
    return inherited | {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass
class Sample:
    """One sample project. ``saved`` holds what ``${name}`` stands for in later steps and in the example's input."""

    base: Path
    env: dict[str, str]
    fixtures: Mapping[str, Sequence[Mapping[str, Any]]]
    project: Path = field(init=False)
    saved: dict[str, str] = field(default_factory=dict)
    stack: ExitStack = field(default_factory=ExitStack)
    """What runs for the sample; close it in the end."""
    stand_ins: dict[str, Any] = field(default_factory=dict)
    """Those that run, by name."""
    commits: int = 0
    """How far the clock of its git commands has come."""

    def __post_init__(self) -> None:
        self.project = self.base / "project"
        self.saved |= {
            "project": str(self.project),
            "base": str(self.base),
            "remote": str(self.base / "remote.git"),
        }

    async def build(self, names: Sequence[str], call: CallAction) -> None:
        """Perform the steps of the fixtures in order."""
        for name in names:
            for step in self.fixtures[name]:
                await self._step(step, call)

    async def _step(self, step: Mapping[str, Any], call: CallAction) -> None:
        where = self._folder(step.get("in"))
        if "use" in step:
            await self.build([step["use"]], call)
        elif "write" in step:
            self._write(where, step["write"])
        elif "commit" in step:
            self._repository()
            self.git(where, "add", "--all")
            self.git(where, "commit", "--quiet", "--allow-empty", "-m", step["commit"])
        elif "git" in step:
            self._repository()
            self.git(where, *self.fill(list(step["git"])))
        elif "remote" in step:
            self._remote(step["remote"])
        elif "github" in step:
            self._at_github(step)
        elif "stand_in" in step:
            self.stand_in(step["stand_in"])
        elif "call" in step:
            self._repository()
            output = await call(
                step["call"], self.fill(dict(step.get("input", {}))), self.fill(step.get("as"))
            )
            for alias, path in step.get("save", {}).items():
                self.saved[alias] = str(dig(output, path))
        else:
            raise AssertionError(f"unknown fixture step {sorted(step)}")

    def stand_in(self, name: str) -> Any:
        """The stand-in of that name, started where it does not run yet."""
        if name not in self.stand_ins:
            self.stand_ins[name] = self.stack.enter_context(STAND_INS[name]())
        return self.stand_ins[name]

    def git(self, where: Path, *argv: str) -> str:
        """Run git with a fixed identity and clock, so that object ids are the same in every run."""
        moment = f"{1_700_000_000 + 60 * self.commits} +0000"
        self.commits += 1
        env = {**self.env, **IDENTITY, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
        done = subprocess.run(["git", "-C", str(where), *argv], env=env, capture_output=True, text=True)
        assert done.returncode == 0, f"git {argv}: {done.stderr}"
        return done.stdout

    def fill(self, value: Any) -> Any:
        """Replace ``${name}`` in every string of a JSON value."""
        if isinstance(value, str):
            return Template(value).safe_substitute(self.saved)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def _repository(self) -> None:
        if not (self.project / ".git").exists():
            self.project.mkdir(parents=True, exist_ok=True)
            self.git(self.project, "init", "--quiet", "-b", "main")

    def _folder(self, lane: str | None) -> Path:
        if lane is None:
            return self.project
        return Path(self.saved.get(f"path:{lane}") or self.project / ".ade" / "worktrees" / lane)

    def _write(self, where: Path, files: Mapping[str, str]) -> None:
        self._repository()
        for name, text in files.items():
            path = where / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))

    def _remote(self, name: str) -> None:
        self._repository()
        bare = Path(self.saved["remote"])
        self.git(self.base, "init", "--quiet", "--bare", "-b", "main", str(bare))
        self.git(self.project, "remote", "add", name, str(bare))
        self.git(self.project, "push", "--quiet", "-u", name, "main")

    def _at_github(self, step: Mapping[str, Any]) -> None:
        """A repository at the stand-in for GitHub, made with the first step; later ones have checks and reviews come in."""
        from tests.support.github.state import add_thread, set_checks

        name, hub = step["github"], self.stand_in("github")
        repository = hub.repositories.get(name.lower())
        if repository is None:
            self.saved["remote"] = str(self.base / f"{name}.git")
            self._remote("origin")
            repository = hub.add(name, Path(self.saved["remote"]))
        if "checks" in step or "statuses" in step:
            set_checks(repository, step.get("checks", {}), step.get("statuses", {}))
        repository.required += step.get("required", [])
        for thread in step.get("threads", []):
            add_thread(repository, thread)


def dig(document: Any, path: str) -> Any:
    """The value at a dotted path (``items.0.id``) of a JSON document."""
    for part in path.split("."):
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def differences(expected: Any, actual: Any, path: str = "") -> list[str]:
    """Where ``actual`` lacks what ``expected`` names: objects match as subsets, lists element by element."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        found = []
        for key, value in expected.items():
            where = f"{path}.{key}".lstrip(".")
            found += differences(value, actual[key], where) if key in actual else [f"{where} is missing"]
        return found
    if isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            return [f"{path} has {len(actual)} elements, not {len(expected)}: {actual!r}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for index, (e, a) in pairs for line in differences(e, a, f"{path}.{index}")]
    same = expected == actual and isinstance(expected, bool) == isinstance(actual, bool)
    return [] if same else [f"{path} is {actual!r}, not {expected!r}"]
