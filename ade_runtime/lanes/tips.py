"""The latest commit of every lane and of the branches lanes were started from, from one run of git."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_runtime.integrations.git.runner import Git
from ade_runtime.lanes.naming import PREFIX
from ade_runtime.projects.locate import read_line

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.projects.registry import Project

_FORMAT = "%(refname)%00%(objectname)%00%(tree)%00%(upstream:short)%00%(upstream:track)"
_FEW, _MANY = 10, 200
_TRACK = re.compile(r"(ahead|behind) ([0-9]+)")


@dataclass(frozen=True, slots=True)
class Tip:
    """``tree`` is the commit's tree. ``ahead`` and ``behind`` are towards the upstream, ``None`` without
    one."""

    branch: str | None
    commit: str | None
    tree: str | None
    upstream: str | None = None
    ahead: int | None = None
    behind: int | None = None


async def read_tips(git: Git, project: Project, lanes: list[LaneRecord]) -> dict[str, Tip]:
    """Tips by lane id, and under ``base:<branch>`` those of the branches lanes were started from. A lane on
    no branch has one only if its HEAD says where it is."""
    branches = {lane.id: lane.live_branch() for lane in lanes}
    bases = {lane.base_branch for lane in lanes if lane.base_branch}
    refs = {f"refs/heads/{name}" for name in branches.values() if name}
    refs |= {f"refs/heads/{name}" for name in bases} | {f"refs/remotes/{name}" for name in bases}
    found = await _read_refs(git, refs)
    out: dict[str, Tip] = {}
    for lane in lanes:
        name = branches[lane.id]
        if name is not None:
            out[lane.id] = found.get(f"refs/heads/{name}", Tip(name, None, None))
        elif lane.git_dir is not None and (line := read_line(lane.git_dir / "HEAD")):
            out[lane.id] = Tip(None, line, None)
    for base in bases:
        tip = found.get(f"refs/heads/{base}") or found.get(f"refs/remotes/{base}")
        if tip is not None:
            out["base:" + base] = tip
    return out


async def _read_refs(git: Git, refs: set[str]) -> dict[str, Tip]:
    if not refs:
        return {}
    patterns = _patterns(refs)
    result = await git.read("for-each-ref", "--format=" + _FORMAT, *patterns)
    out: dict[str, Tip] = {}
    for line in result.stdout.splitlines():
        ref, commit, tree, upstream, track = (os.fsdecode(value) for value in line.split(b"\0"))
        counts = {side: int(number) for side, number in _TRACK.findall(track)}
        tracked = bool(upstream) and track != "[gone]"
        out[ref] = Tip(
            branch=ref.split("/", 2)[2],
            commit=commit,
            tree=tree,
            upstream=upstream or None,
            ahead=counts.get("ahead", 0) if tracked else None,
            behind=counts.get("behind", 0) if tracked else None,
        )
    return out


def _patterns(refs: set[str]) -> list[str]:
    """Git compares each ref with each pattern, so many lanes are asked for by what their names have in
    common."""
    own = "refs/heads/" + PREFIX
    if sum(ref.startswith(own) for ref in refs) > _FEW:
        refs = {ref for ref in refs if not ref.startswith(own)} | {own.rstrip("/")}
    return sorted(refs) if len(refs) <= _MANY else ["refs/heads", "refs/remotes"]
