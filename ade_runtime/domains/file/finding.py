"""file.search and file.quick_open: files by what they hold and by what they are called."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.file import (
    FileQuickOpenInput,
    FileQuickOpenOutput,
    FileQuickOpenOutputItemsItem,
    FileSearchInput,
    FileSearchOutput,
)
from ade_generated.models.types import FileMatch
from ade_runtime.domains.file.base import FileActions, within_budget
from ade_runtime.integrations.git.text import read_path, show_path
from ade_runtime.paging import cut
from ade_runtime.workspace.descent import Descent
from ade_runtime.workspace.listing import BadGlob, below, check_glob, files_of, fitting
from ade_runtime.workspace.names import names_of
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.pattern import BadPattern, Pattern, pattern_of
from ade_runtime.workspace.quick import Ranked, candidates, ranked
from ade_runtime.workspace.search import Match, Wanted, ripgrep, search

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

SEARCHES = 2
"""Searches at once; more wait."""


class FindActions(FileActions):
    _searching: asyncio.Semaphore | None = None

    async def search(self, call: Call, args: FileSearchInput) -> FileSearchOutput:
        after = _after(args.cursor)
        pattern = _pattern(args)
        _check_glob(args.glob)
        async with self._looking(call, args.lane) as files, self._turn():
            paths = await files_of(files.work.git, untracked=args.untracked)
            if args.paths:
                paths = below(paths, [names_of(path) for path in args.paths])
            if args.glob is not None:
                paths = fitting(paths, args.glob)
            wanted = Wanted(pattern, args.context, args.limit, after)
            found = await search(files.root, paths, wanted, ripgrep())
            items = within_budget([_match(match) for match in found.matches], _size_of_match)
            more = found.more or len(items) < len(found.matches)
            return FileSearchOutput(
                lane=files.work.name,
                lane_id=files.work.id,
                items=items,
                total=found.total,
                next=f"{items[-1].line}:{items[-1].path}" if more and items else None,
                complete=found.complete,
                files=found.files,
                notes=found.notes,
            )

    async def quick_open(self, call: Call, args: FileQuickOpenInput) -> FileQuickOpenOutput:
        async with self._looking(call, args.lane) as files:
            paths = await files_of(files.work.git)
            best = await files.run(lambda root: _best(root, paths, args.query))
            page, following = cut(best, args.cursor, args.limit, key=lambda one: show_path(one.path))
            return FileQuickOpenOutput(
                lane=files.work.name,
                lane_id=files.work.id,
                items=[
                    FileQuickOpenOutputItemsItem(path=show_path(one.path), score=one.score, recent=one.recent)
                    for one in page
                ],
                total=len(best),
                next=following,
            )

    def _turn(self) -> asyncio.Semaphore:
        if self._searching is None:
            self._searching = asyncio.Semaphore(SEARCHES)
        return self._searching


def _pattern(args: FileSearchInput) -> Pattern:
    try:
        return pattern_of(
            args.query, regex=args.regex, ignore_case=args.ignore_case, whole_word=args.whole_word
        )
    except BadPattern as problem:
        raise errors.SearchPatternInvalid(pattern=args.query, reason=str(problem)) from None


def _check_glob(glob: str | None) -> None:
    try:
        check_glob(glob or "")
    except BadGlob as problem:
        raise errors.InvalidGlob(glob=str(glob), reason=str(problem)) from None


def _after(cursor: str | None) -> tuple[bytes, int] | None:
    """The match that the last page ended with: its line, a colon, and its path."""
    if cursor is None:
        return None
    line, colon, path = cursor.partition(":")
    if not (colon and line.isascii() and line.isdecimal() and len(line) <= 10):
        raise errors.InvalidCursor(cursor=cursor)
    try:
        return read_path(path), int(line)
    except ValueError:
        raise errors.InvalidCursor(cursor=cursor) from None


def _best(root: Root, paths: Sequence[bytes], query: str) -> list[Ranked]:
    found = candidates(paths, query)
    changed = {}
    with Descent(root.fd) as descent:
        for path, _ in found:
            status = descent.status(path)
            if status is not None and not stat.S_ISDIR(status.st_mode):
                changed[path] = status.st_mtime_ns
    return ranked([one for one in found if one[0] in changed], changed)


def _match(match: Match) -> FileMatch:
    return FileMatch(
        path=match.path,
        line=match.line,
        column=match.column,
        length=match.length,
        text=match.text,
        before=match.before,
        after=match.after,
    )


def _size_of_match(match: FileMatch) -> int:
    return len(match.path) + len(match.text) + sum(map(len, match.before + match.after)) + 100
