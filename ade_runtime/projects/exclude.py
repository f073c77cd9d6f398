"""Keeping ADE's own folder out of the project's ``git status``, without touching a tracked file."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

LINE = "/.ade/"


def keep_out_of_status(git_dir: Path) -> None:
    """Have ``info/exclude`` of the shared git folder, which all worktrees obey, name ``.ade``; once is
    enough."""
    path = git_dir / "info" / "exclude"
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        text = b""
    if LINE.encode() in (line.strip() for line in text.splitlines()):
        return
    path.parent.mkdir(exist_ok=True)
    if text and not text.endswith(b"\n"):
        text += b"\n"
    draft = path.with_name(f".exclude.{os.getpid()}")
    try:
        draft.write_bytes(text + b"# Lanes of ADE\n" + LINE.encode() + b"\n")
        with contextlib.suppress(OSError):
            draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
