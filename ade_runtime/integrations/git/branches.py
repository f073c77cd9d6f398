"""Branches and what they track: ``git for-each-ref``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import show_path, show_text

_FIELDS = (
    "%(refname)",
    "%(objectname)",
    "%(contents:subject)",
    "%(authorname)",
    "%(committerdate:unix)",
    "%(upstream)",
    "%(upstream:track)",
    "%(worktreepath)",
    "%(symref)",
)
_TRACK = re.compile(r"(ahead|behind) ([0-9]+)")


@dataclass(frozen=True, slots=True)
class Branch:
    """``upstream`` is a full ref; ``gone`` tells that it is configured but does not exist. ``worktree`` is
    the folder in which the branch is checked out."""

    ref: str
    oid: str
    subject: str
    author: str
    time: datetime
    upstream: str | None
    ahead: int | None
    behind: int | None
    gone: bool
    worktree: str | None

    @property
    def name(self) -> str:
        """Short name: without refs/heads/ or refs/remotes/."""
        return self.ref.split("/", 2)[2]

    @property
    def kind(self) -> Literal["local", "remote"]:
        return "local" if self.ref.startswith("refs/heads/") else "remote"


async def list_refs(git: Git, prefixes: Sequence[str], *, merged: str | None = None) -> list[str]:
    """Full names of the refs below ``prefixes``, the latest commit first, symbolic ones (origin/HEAD) left
    out."""
    options = [f"--merged={merged}"] if merged else []
    result = await git.read(
        "for-each-ref", "--format=%(refname)%00%(symref)", "--sort=-committerdate", *options, *prefixes
    )
    pairs = (line.split("\0") for line in show_text(result.stdout).split("\n") if line)
    return [name for name, symref in pairs if not symref]


async def read_branches(git: Git, refs: Sequence[str]) -> list[Branch]:
    """Details of the branches with these full names, in their order. One that is gone by now is left out."""
    if not refs:
        return []
    result = await git.read("for-each-ref", "--format=" + "%00".join(_FIELDS) + "%00", *refs)
    found = {}
    fields = result.stdout.split(b"\0")
    for start in range(0, len(fields) - len(_FIELDS), len(_FIELDS)):
        branch = _branch(fields[start : start + len(_FIELDS)])
        found[branch.ref] = branch
    return [found[ref] for ref in refs if ref in found]


def _branch(fields: Sequence[bytes]) -> Branch:
    ref, oid, subject, author, time, upstream, track = (show_text(value) for value in fields[:7])
    counts = {side: int(number) for side, number in _TRACK.findall(track)}
    tracked = bool(upstream) and track != "[gone]"
    return Branch(
        ref=ref.lstrip("\n"),
        oid=oid,
        subject=subject,
        author=author,
        time=datetime.fromtimestamp(int(time or 0), UTC),
        upstream=upstream or None,
        ahead=counts.get("ahead", 0) if tracked else None,
        behind=counts.get("behind", 0) if tracked else None,
        gone=track == "[gone]",
        worktree=show_path(fields[7]) if fields[7] else None,
    )
