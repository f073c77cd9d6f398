"""The worktrees of a repository: ``git worktree list --porcelain -z``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import show_text


@dataclass(frozen=True, slots=True)
class Worktree:
    """``locked`` and ``prunable`` hold the reason, which may be empty; ``None`` when it is not."""

    path: Path
    head: str | None
    branch: str | None
    bare: bool
    locked: str | None
    prunable: str | None


async def list_worktrees(git: Git) -> list[Worktree]:
    """All worktrees that git knows, the main one first, whether their folders exist or not."""
    return parse_worktrees((await git.read("worktree", "list", "--porcelain", "-z")).stdout)


def parse_worktrees(data: bytes) -> list[Worktree]:
    out = []
    for block in data.split(b"\0\0"):
        values: dict[str, bytes] = {}
        for line in block.split(b"\0"):
            key, _, value = line.partition(b" ")
            values[show_text(key)] = value
        if "worktree" in values:
            out.append(_worktree(values))
    return out


def _worktree(values: dict[str, bytes]) -> Worktree:
    head = show_text(values.get("HEAD", b""))
    branch = values.get("branch")
    return Worktree(
        path=Path(os.fsdecode(values["worktree"])),
        head=head if head.strip("0") else None,
        branch=None if branch is None else show_text(branch).removeprefix("refs/heads/"),
        bare="bare" in values,
        locked=show_text(values["locked"]) if "locked" in values else None,
        prunable=show_text(values["prunable"]) if "prunable" in values else None,
    )
