"""The text of differences, bounded, and what was left out of it."""

from __future__ import annotations

import base64
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.diff import DiffFileOutput, DiffPatchOutput
from ade_generated.models.types import DiffHunk
from ade_runtime.comparisons.show import exact_text, file_change
from ade_runtime.integrations.git.diff import Change, Patch, list_changes, read_patch, sections
from ade_runtime.integrations.git.hunks import by_file, read_hunks, section_path
from ade_runtime.integrations.git.text import show_path

if TYPE_CHECKING:
    from ade_generated.models.diff import DiffFileInput, DiffPatchInput
    from ade_runtime.comparisons.view import View

MOST_BYTES = 1024 * 1024
OMITTED_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Part:
    """Whole files of a patch: ``data`` and the paths in it. ``whole`` is false when not even the first one
    fitted."""

    data: bytes
    paths: frozenset[bytes]
    whole: bool


async def one_file(view: View, args: DiffFileInput) -> DiffFileOutput:
    """The answer of diff.file for the one path of the view; raises ``file_not_found``."""
    path = view.paths[0]
    change = await _find(view, path)
    if change is None:
        return _unchanged(view, path)
    names = [change.path] if change.old_path is None else [change.old_path, change.path]
    counted = {c.path: c for c in await list_changes(view.repository, view.comparison, names)}
    patch = await _legible(view, names, context=args.context, limit=args.max_bytes)
    text, exact = exact_text(patch.data)
    notes = list(view.notes)
    if patch.truncated:
        notes.append(
            f"The text was cut after {len(patch.data)} bytes; raise max_bytes (at most {MOST_BYTES})."
        )
    if change.submodule:
        notes.append("A submodule: only the commit it is at is compared, not the files in it.")
    return DiffFileOutput(
        sides=view.sides,
        change=file_change(counted.get(change.path, change)),
        text=text,
        hunks=_hunks(patch.data),
        truncated=patch.truncated,
        exact=exact,
        notes=notes,
    )


async def whole_patch(view: View, args: DiffPatchInput) -> DiffPatchOutput:
    """The answer of diff.patch for the paths of the view."""
    changes = await list_changes(view.repository, view.comparison, view.paths)
    patch = await _legible(
        view,
        view.paths,
        context=args.context,
        limit=args.max_bytes,
        binary=args.binary,
        any_bytes=args.encoding != "utf-8",
    )
    part = whole_files(patch)
    inside = [change for change in changes if change.path in part.paths] if part.whole else []
    omitted = [change for change in changes if change.path not in part.paths] if patch.truncated else []
    text, exact = (
        (base64.b64encode(part.data).decode(), True) if args.encoding == "base64" else exact_text(part.data)
    )
    without = [change for change in inside if change.binary and not args.binary]
    unmerged = [change for change in changes if change.status == "unmerged"]
    return DiffPatchOutput(
        sides=view.sides,
        patch=text,
        encoding=args.encoding,
        files=len(inside),
        total=len(changes),
        applicable=bool(inside) and exact and not without and not unmerged,
        truncated=patch.truncated,
        omitted=[show_path(change.path) for change in omitted[:OMITTED_SHOWN]],
        notes=[*view.notes, *_patch_notes(patch, inside, changes, without, unmerged, exact)],
    )


def whole_files(patch: Patch) -> Part:
    """The files that are in a patch to their end."""
    starts = sections(patch.data)
    names = [section_path(part) for part in by_file(patch.data, starts)]
    if not patch.truncated:
        return Part(patch.data, frozenset(names), whole=True)
    kept = len(starts) - 1
    while kept > 0 and names[kept - 1] == names[kept]:
        kept -= 1
    if kept <= 0:
        return Part(patch.data, frozenset(), whole=False)
    return Part(patch.data[: starts[kept]], frozenset(names[:kept]), whole=True)


async def _legible(
    view: View, paths: list[bytes], *, context: int, limit: int, binary: bool = False, any_bytes: bool = False
) -> Patch:
    """The patch with names as they are or, where that is no UTF-8, with names in git's quotes."""
    patch = await read_patch(
        view.repository, view.comparison, paths, context=context, binary=binary, limit=limit
    )
    if any_bytes or exact_text(patch.data)[1]:
        return patch
    return await read_patch(
        view.repository, view.comparison, paths, context=context, binary=binary, limit=limit, quote_paths=True
    )


async def _find(view: View, path: bytes) -> Change | None:
    """The change at ``path``, or the one of a file that was there before it was renamed; ``None`` for an
    unchanged file."""
    changes = await list_changes(view.repository, view.comparison, counts=False)
    for change in changes:
        if change.path == path:
            return change
    for change in changes:
        if change.old_path == path:
            return change
    if not await _exists(view, path):
        raise errors.FileNotFound(lane=view.record.name, path=show_path(path))
    return None


async def _exists(view: View, path: bytes) -> bool:
    comparison, git = view.comparison, view.repository.git
    if comparison.worktree and _is_file(os.fsencode(view.repository.worktree) + b"/" + path):
        return True
    if comparison.cached or not comparison.revisions:
        listed = await git.run("ls-files", "-z", "--", path, env=comparison.env, read_only=True)
        if path in listed.records():
            return True
    for revision in comparison.revisions:
        kind = await git.read("cat-file", "-t", revision.encode() + b":" + path, check=False)
        if kind.text in ("blob", "commit"):
            return True
    return False


def _is_file(path: bytes) -> bool:
    try:
        return not stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _unchanged(view: View, path: bytes) -> DiffFileOutput:
    same = Change(
        path=path, old_path=None, status="unchanged", old_mode=None, new_mode=None, additions=0, deletions=0
    )
    return DiffFileOutput(
        sides=view.sides,
        change=file_change(same),
        text="",
        hunks=[],
        truncated=False,
        exact=True,
        notes=view.notes,
    )


def _hunks(patch: bytes) -> list[DiffHunk]:
    return [
        DiffHunk(
            old_start=hunk.old_start,
            old_lines=hunk.old_lines,
            new_start=hunk.new_start,
            new_lines=hunk.new_lines,
            heading=exact_text(hunk.heading)[0],
            text_line=hunk.line,
        )
        for hunk in read_hunks(patch)
    ]


def _patch_notes(
    patch: Patch,
    inside: list[Change],
    changes: list[Change],
    without: list[Change],
    unmerged: list[Change],
    exact: bool,
) -> list[str]:
    notes = []
    if patch.truncated:
        cut = f"Cut after {len(inside)} of {len(changes)} files" if inside else "Cut inside of the first file"
        notes.append(f"{cut}; raise max_bytes (at most {MOST_BYTES}) or name paths.")
    if without:
        notes.append(f"Contents of {len(without)} binary files are left out; ask with binary for them.")
    if unmerged:
        notes.append(
            f"{len(unmerged)} files wait for a conflict to be resolved; they are shown against one side."
        )
    if not exact:
        notes.append("Bytes that are not UTF-8 were replaced; ask with encoding base64 for all of them.")
    return notes
