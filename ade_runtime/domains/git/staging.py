"""git.stage, git.unstage, git.stage_all, git.unstage_all: what goes into the next commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.git import GitStageAllInput, GitStageInput, GitUnstageAllInput, GitUnstageInput
from ade_generated.models.types import GitStage
from ade_runtime.domains.git import views
from ade_runtime.domains.git.work import LaneActions, Work
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.markers import count_markers
from ade_runtime.integrations.git.status import Entry, Status, read_status
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

FILES_SHOWN = 500
ADD_TIMEOUT = 300.0


class StageActions(LaneActions):
    async def stage(self, call: Call, args: GitStageInput) -> GitStage:
        async with self._writing(call, args.lane) as work:
            paths = work.repository.paths(args.paths)
            before = await _snapshot(work)
            refuse_markers(work, _below(before.unmerged, paths), args.allow_markers)
            try:
                await _add(work, paths, force=args.force)
            except GitError as problem:
                raise await _add_error(work, problem, paths) from problem
            return await _outcome(work, before)

    async def unstage(self, call: Call, args: GitUnstageInput) -> GitStage:
        async with self._writing(call, args.lane) as work:
            paths = work.repository.paths(args.paths)
            before = await _snapshot(work)
            for path in paths:
                if not _below(before.entries, [path]) and not await is_tracked(work, path):
                    raise errors.PathUnmatched(path=show_path(path), lane=work.name)
            await work.git.run("reset", "--quiet", "--", *paths)
            return await _outcome(work, before)

    async def stage_all(self, call: Call, args: GitStageAllInput) -> GitStage:
        async with self._writing(call, args.lane) as work:
            before = await _snapshot(work)
            await add_everything(work, before, allow_markers=args.allow_markers)
            return await _outcome(work, before)

    async def unstage_all(self, call: Call, args: GitUnstageAllInput) -> GitStage:
        async with self._writing(call, args.lane) as work:
            before = await _snapshot(work)
            # With a path git leaves a merge in progress alone; without one it would forget it.
            await work.git.run("reset", "--quiet", "--", ".")
            return await _outcome(work, before)


async def add_everything(work: Work, status: Status, *, allow_markers: bool) -> None:
    """Stage every change; ``status`` is that of before."""
    refuse_markers(work, status.unmerged, allow_markers)
    await work.git.run("add", "--all", "--", ".", timeout=ADD_TIMEOUT)


def refuse_markers(work: Work, unmerged: Sequence[Entry], allowed: bool) -> None:
    """Raise ``conflict_markers`` when files in conflict were not resolved: staging them would say that they
    are."""
    if allowed:
        return
    left = [show_path(e.path) for e in unmerged if count_markers(work.repository.worktree, e.path)]
    if left:
        raise errors.ConflictMarkers(lane=work.name, count=len(left), details={"files": left[:FILES_SHOWN]})


async def is_tracked(work: Work, path: bytes) -> bool:
    """Whether the index has ``path`` or something below it."""
    result = await work.git.read(
        "ls-files", "-z", "--error-unmatch", "--", path, check=False, limit=4096, truncate=True
    )
    return result.code == 0


async def _add(work: Work, paths: list[bytes], *, force: bool) -> None:
    options = ["--force"] if force else []
    listed = b"\0".join(paths)
    await work.git.run(
        "add",
        "--all",
        *options,
        "--pathspec-from-file=-",
        "--pathspec-file-nul",
        stdin=listed,
        timeout=ADD_TIMEOUT,
    )


async def _add_error(work: Work, problem: GitError, paths: list[bytes]) -> Exception:
    """Which of the paths git did not know or ignores; the problem itself when it is another."""
    if "did not match any" in problem.stderr:
        for path in paths:
            if not _exists(work, path) and not await is_tracked(work, path):
                return errors.PathUnmatched(path=show_path(path), lane=work.name)
    if "ignored by one of your" in problem.stderr:
        for path in paths:
            # check-ignore refuses to take pathspecs literally; in front of ./ nothing is magic.
            ignored = await work.git.run(
                "check-ignore", "--quiet", "--", b"./" + path, check=False, read_only=True, literal=False
            )
            if ignored.code == 0:
                return errors.PathIgnored(path=show_path(path))
    return problem


def _exists(work: Work, path: bytes) -> bool:
    return os.path.lexists(os.path.join(os.fsencode(work.repository.worktree), path))  # noqa: PTH118


def _below(entries: Sequence[Entry], paths: Sequence[bytes]) -> list[Entry]:
    """Those of ``entries`` that are one of ``paths`` or lie below one, or contain one."""
    if b"." in paths:
        return list(entries)

    def touches(path: bytes) -> bool:
        plain = path.rstrip(b"/")
        return any(
            plain == wanted or plain.startswith(wanted + b"/") or wanted.startswith(plain + b"/")
            for wanted in paths
        )

    return [entry for entry in entries if touches(entry.path) or (entry.old_path and touches(entry.old_path))]


async def _snapshot(work: Work) -> Status:
    return await read_status(work.git, untracked="all", renames=False)


async def _outcome(work: Work, before: Status) -> GitStage:
    after = await _snapshot(work)
    old = {entry.path: _staged_state(entry) for entry in before.entries}
    new = {entry.path: _staged_state(entry) for entry in after.entries}
    changed = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
    shown = {entry.path: entry for entry in after.entries}
    items = [views.file_status(shown.get(path) or Entry(path, "tracked")) for path in changed[:FILES_SHOWN]]
    return GitStage(
        lane=work.name,
        lane_id=work.id,
        items=items,
        total=len(changed),
        next=None,
        counts=views.counts(after),
        warnings=_warnings(work, after),
    )


def _staged_state(entry: Entry) -> tuple[str, str | None] | None:
    """What the index holds for a path, in comparison with HEAD; ``None`` for one that is not staged."""
    if entry.kind == "unmerged":
        return ("U", None)
    if entry.kind != "tracked" or entry.index == ".":
        return None
    return (entry.index, entry.blob)


def _warnings(work: Work, status: Status) -> list[str]:
    marked = [e for e in status.staged if e.index == "M" and count_markers(work.repository.worktree, e.path)]
    return [f"{show_path(entry.path)} is staged with conflict markers in it" for entry in marked[:10]]
