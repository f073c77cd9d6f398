"""Values of git's as models that answers are made of."""

from __future__ import annotations

from ade_generated.models.types import FileChange
from ade_runtime.integrations.git.diff import Change
from ade_runtime.integrations.git.text import show_path


def file_change(change: Change) -> FileChange:
    return FileChange(
        path=show_path(change.path),
        old_path=show_path(change.old_path) if change.old_path is not None else None,
        status=change.status,
        binary=change.binary,
        submodule=change.submodule,
        additions=change.additions,
        deletions=change.deletions,
        old_mode=change.old_mode,
        new_mode=change.new_mode,
    )


def exact_text(data: bytes) -> tuple[str, bool]:
    """``data`` as text, and whether that is all of it: bytes that are not UTF-8 are replaced."""
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), False
