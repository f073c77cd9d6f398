"""Which operation of git's waits to be finished in a worktree, read from git's own files without starting
it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ade_runtime.integrations.git.text import show_text

Operation = Literal["merge", "rebase", "cherry_pick", "revert", "bisect", "am"]
_LIMIT = 64 * 1024


@dataclass(frozen=True, slots=True)
class Progress:
    """An unfinished operation. ``branch`` is the one being rebased, ``onto`` the commit it moves to;
    ``commit`` the one that is being merged, picked, reverted or applied; ``step`` of ``steps`` counts
    commits; ``message`` is prepared for the next commit."""

    operation: Operation
    branch: str | None = None
    onto: str | None = None
    commit: str | None = None
    step: int | None = None
    steps: int | None = None
    message: str | None = None


def operation(git_dir: Path) -> Operation | None:
    """The unfinished operation of the checkout whose own git folder is ``git_dir``."""
    progress = read_progress(git_dir)
    return progress.operation if progress else None


def read_progress(git_dir: Path) -> Progress | None:
    """The innermost unfinished operation, ``None`` when there is none."""
    for read in (_rebase_merge, _rebase_apply, _merge, _pick, _sequencer, _bisect):
        found = read(git_dir)
        if found is not None:
            return found
    return None


def _rebase_merge(git_dir: Path) -> Progress | None:
    folder = git_dir / "rebase-merge"
    if not folder.is_dir():
        return None
    return Progress(
        "rebase",
        branch=_branch(folder / "head-name"),
        onto=_word(folder / "onto"),
        commit=_word(git_dir / "REBASE_HEAD") or _word(folder / "stopped-sha"),
        step=_number(folder / "msgnum"),
        steps=_number(folder / "end"),
        message=_text(git_dir / "MERGE_MSG") or _text(folder / "message"),
    )


def _rebase_apply(git_dir: Path) -> Progress | None:
    folder = git_dir / "rebase-apply"
    if not folder.is_dir():
        return None
    return Progress(
        "am" if (folder / "applying").exists() else "rebase",
        branch=_branch(folder / "head-name"),
        onto=_word(folder / "onto"),
        commit=_word(git_dir / "REBASE_HEAD") or _word(folder / "original-commit"),
        step=_number(folder / "next"),
        steps=_number(folder / "last"),
        message=_text(folder / "final-commit"),
    )


def _merge(git_dir: Path) -> Progress | None:
    commit = _word(git_dir / "MERGE_HEAD")
    return None if commit is None else Progress("merge", commit=commit, message=_text(git_dir / "MERGE_MSG"))


def _pick(git_dir: Path) -> Progress | None:
    for name, kind in (("CHERRY_PICK_HEAD", "cherry_pick"), ("REVERT_HEAD", "revert")):
        commit = _word(git_dir / name)
        if commit is not None:
            message = _text(git_dir / "MERGE_MSG")
            return Progress(kind, commit=commit, message=message)  # type: ignore[arg-type]
    return None


def _sequencer(git_dir: Path) -> Progress | None:
    """Between two commits of a longer cherry-pick or revert, when the stopped one was committed by hand."""
    todo = _text(git_dir / "sequencer" / "todo")
    if todo is None:
        return None
    return Progress("revert" if todo.startswith("revert") else "cherry_pick")


def _bisect(git_dir: Path) -> Progress | None:
    return Progress("bisect") if (git_dir / "BISECT_LOG").exists() else None


def _text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return show_text(file.read(_LIMIT)).strip() or None
    except OSError:
        return None


def _word(path: Path) -> str | None:
    text = _text(path)
    return text.split()[0] if text else None


def _number(path: Path) -> int | None:
    word = _word(path)
    return int(word) if word is not None and word.isdigit() else None


def _branch(path: Path) -> str | None:
    word = _word(path)
    return word.removeprefix("refs/heads/") if word is not None and word.startswith("refs/heads/") else None
