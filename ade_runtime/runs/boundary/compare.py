"""What is different between two pictures of a repository, outside of one lane. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from ade_runtime.runs.boundary.picture import Checkout, Picture

Kind = Literal["files", "commit", "branch", "folder", "ref", "settings"]
MOST_PATHS = 20
"""Paths that are named of one change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference. ``lane`` is the lane it is in, ``None`` for what the repository has once. ``ref`` is the branch or tag,
    ``paths`` are files; ``more`` counts those that are not named. ``before`` and ``after`` are commits or refs."""

    kind: Kind
    lane: str | None = None
    ref: str | None = None
    paths: tuple[str, ...] = ()
    more: int = 0
    before: str | None = None
    after: str | None = None
    mark: str = ""
    """Differs where the state that was found differs."""

    @property
    def key(self) -> str:
        """The same for whoever finds the same state at the same place."""
        parts = (self.kind, self.lane or "", self.ref or "", self.before or "", self.after or "", self.mark)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def differences(
    before: Picture, after: Picture, own: str | None, own_refs: Collection[str] = ()
) -> Iterator[Change]:
    """What differs outside of the lane ``own``. Refs that are new were nobody's; ``own_refs`` are those its session made."""
    for lane in before.checkouts.keys() & after.checkouts.keys():
        if lane != own:
            yield from _of_checkout(lane, before.checkouts[lane], after.checkouts[lane])
    checked_out = {*before.heads.values(), *after.heads.values(), *own_refs}
    for name, commit in before.refs.items():
        found = after.refs.get(name)
        if found != commit and name not in checked_out:
            yield Change(kind="ref", ref=_short(name), before=commit, after=found)
    if before.settings != after.settings:
        yield Change(kind="settings", mark=after.settings)


def _of_checkout(lane: str, before: Checkout, after: Checkout) -> Iterator[Change]:
    if before.present and not after.present:
        yield Change(kind="folder", lane=lane)
        return
    if before.head != after.head:
        yield Change(kind="branch", lane=lane, before=_short(before.head), after=_short(after.head))
    elif before.commit != after.commit:
        yield Change(
            kind="commit", lane=lane, ref=_short(after.head), before=before.commit, after=after.commit
        )
    if before.files is None or after.files is None:
        return
    paths = sorted(
        path for path in {*before.files, *after.files} if _file(before, path) != _file(after, path)
    )
    if before.commit != after.commit:  # what was committed is told of as the commit
        paths = [path for path in paths if path in after.files]
    if paths:
        named = tuple(path.decode("utf-8", "replace") for path in paths[:MOST_PATHS])
        state = "\0".join(f"{path!r}{_file(after, path)}" for path in paths)
        mark = hashlib.sha256(state.encode("utf-8", "surrogateescape")).hexdigest()
        yield Change(kind="files", lane=lane, paths=named, more=len(paths) - len(named), mark=mark)


def _file(checkout: Checkout, path: bytes) -> object:
    return (checkout.files or {}).get(path)


def _short(ref: str) -> str:
    for prefix in ("refs/heads/", "refs/tags/"):
        if ref.startswith(prefix):
            return ref.removeprefix(prefix)
    return ref
