"""Which of git's own folders stands for a worktree, whether or not that is still there."""

from __future__ import annotations

from pathlib import Path

from ade_runtime.projects.locate import read_line, real


def registered_git_dir(shared: Path, path: Path) -> Path | None:
    """Git's folder for the worktree at ``path``; ``None`` when git has none.

    Read from the files below ``<shared>/worktrees``, which are what git itself goes by.
    """
    wanted = real(path)
    try:
        entries = sorted((shared / "worktrees").iterdir())
    except OSError:
        return None
    for entry in entries:
        marker = read_line(entry / "gitdir")
        if marker is not None and real((entry / marker).parent) == wanted:
            return real(entry)
    return None
