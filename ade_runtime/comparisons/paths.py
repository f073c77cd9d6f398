"""Paths that callers name and paths that answers show."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.git.failures import BadName
from ade_runtime.integrations.git.repository import Repository

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord


def confined(record: LaneRecord, repository: Repository, texts: Iterable[str]) -> list[bytes]:
    """Paths for git, without repeats; raises ``path_outside_lane``. One through a link within the lane
    becomes the path that git knows the file by."""
    return list(dict.fromkeys(confine_one(record, repository, text) for text in texts))


def confine_one(record: LaneRecord, repository: Repository, text: str) -> bytes:
    try:
        path = repository.path(text)
    except BadName as problem:
        raise errors.PathOutsideLane(path=text, lane=record.name, reason=problem.why) from None
    return _followed(os.fsencode(repository.worktree), path)


def _followed(root: bytes, path: bytes) -> bytes:
    folder, _, name = path.rpartition(b"/")
    if not folder:
        return path
    real = os.path.realpath(root.rstrip(b"/") + b"/" + folder)
    inside = real[len(root.rstrip(b"/")) + 1 :]
    return inside + b"/" + name if inside else name
