"""The state of a sample project and its ADE_HOME, without what differs from run to run: ids, times and hashes."""

from __future__ import annotations

import re
import sqlite3
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

OWN = frozenset(
    [
        *("alembic_version", "audit", "receipts", "operations", "session_log", "owner", "rate_windows"),
        *("session_processes", "sqlite_sequence", "run_heartbeats"),
    ]
)
"""Tables about calls, which every attempt writes to, and about the processes that make them."""

_ID = re.compile(r"\b([a-z]+_)[0-9a-hjkmnp-tv-z]{12}\b")
_HASH = re.compile(r"\b[0-9a-f]{40,64}\b")
_TIME = re.compile(r"\b1[67]\d{11}\b|\b\d{8}T\d{6}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+]00:00)?")
_NOTE = re.compile(r"'It was being made when ADE was stopped; [^']*'")
"""What a lane that was finished for a killed process says."""

_MARKERS = (
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "rebase-merge",
    "rebase-apply",
    "SQUASH_MSG",
    "MERGE_MSG",
)


def fingerprint(base: Path, env: Mapping[str, str]) -> dict[str, Any]:
    """State of the repositories below ``base`` and of the database of ``base/ade-home``."""
    found: dict[str, Any] = {"database": database(base / "ade-home" / "state.db")}
    for git_dir in sorted({*base.glob("*/.git"), *base.glob("*.git")}):
        found[git_dir.relative_to(base).as_posix()] = repository(git_dir, env)
    return found


def unstaged(state: Any) -> Any:
    """The state without what is staged: each file that differs from HEAD is only named."""
    if isinstance(state, dict):
        return {
            key: sorted(value) if key == "status" and isinstance(value, dict) else unstaged(value)
            for key, value in state.items()
        }
    return state


def repository(git_dir: Path, env: Mapping[str, str]) -> dict[str, Any]:
    git = Git(git_dir, env)
    refs = {}
    for line in git("for-each-ref", "--format=%(refname) %(tree) %(contents:subject)").splitlines():
        name, _, what = line.partition(" ")
        if not name.startswith("refs/ade/trash/"):
            refs[name] = what
    state: dict[str, Any] = {"refs": refs}
    state["commits"] = git("rev-list", "--count", "--branches", "--tags", "--remotes")
    if git_dir.name != ".git":
        return state
    state["stashes"] = git("stash", "list", "--format=%gs").splitlines()
    listed = git("worktree", "list", "--porcelain").split("\n\n")
    for entry in filter(None, map(str.strip, listed)):
        path = Path(entry.splitlines()[0].removeprefix("worktree "))
        own = Git(path / ".git", env)
        head = own("rev-parse", "--git-dir").strip() if path.is_dir() else ""
        state[_ID.sub(r"\1", path.as_posix())] = {
            "head": own("log", "-1", "--format=%T %s", check=False) if head else "",
            "branch": own("symbolic-ref", "-q", "HEAD", check=False) if head else "",
            "status": status(own) if head else "gone",
            "unfinished": [name for name in _MARKERS if head and (path / head / name).exists()],
        }
    return state


def status(git: Git) -> dict[str, str]:
    """What git says of each file that differs, or is new or ignored."""
    return {line[3:]: line[:2] for line in git("status", "--porcelain", "--ignored").splitlines()}


def database(path: Path) -> dict[str, list[str]]:
    connection = sqlite3.connect(f"file:{path}?mode=rw", uri=True)
    try:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(masked(repr(row)) for row in connection.execute(f'SELECT * FROM "{name}"'))
            for name in sorted(tables)
            if name not in OWN
        }
    finally:
        connection.close()


def masked(text: str) -> str:
    text = _NOTE.sub("None", text)
    return _TIME.sub("T", _HASH.sub("H", _ID.sub(r"\1", text)))


class Git:
    def __init__(self, git_dir: Path, env: Mapping[str, str]) -> None:
        self._folder = git_dir.parent if git_dir.name == ".git" else git_dir
        self._env = dict(env)

    def __call__(self, *argv: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "--no-optional-locks", *argv],
            cwd=self._folder,
            env=self._env,
            capture_output=True,
            text=True,
        )
        assert not check or done.returncode == 0, (argv, done.stderr)
        return done.stdout
