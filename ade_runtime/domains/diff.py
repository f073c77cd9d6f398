"""What a lane changed, file by file and line by line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ade_generated.models.diff import (
    DiffChangesInput,
    DiffChangesOutput,
    DiffFileInput,
    DiffFileOutput,
    DiffPatchInput,
    DiffPatchOutput,
    DiffStatsInput,
    DiffStatsOutput,
)
from ade_runtime.comparisons.cursors import cursor_after, path_of
from ade_runtime.comparisons.patches import one_file, whole_patch
from ade_runtime.comparisons.show import file_change
from ade_runtime.comparisons.view import open_view
from ade_runtime.integrations.git.diff import list_changes

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class DiffHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def changes(self, call: Call, args: DiffChangesInput) -> DiffChangesOutput:
        after = path_of(args.cursor)
        async with open_view(self._services, call, args, untracked=args.untracked, paths=args.paths) as view:
            found = await list_changes(view.repository, view.comparison, view.paths)
        rest = [change for change in found if change.path > after] if after else found
        page = rest[: args.limit]
        return DiffChangesOutput(
            sides=view.sides,
            items=[file_change(change) for change in page],
            total=len(found),
            additions=sum(change.additions or 0 for change in found),
            deletions=sum(change.deletions or 0 for change in found),
            next=cursor_after(page[-1].path) if len(rest) > len(page) else None,
            notes=view.notes,
        )

    async def file(self, call: Call, args: DiffFileInput) -> DiffFileOutput:
        async with open_view(self._services, call, args, untracked=True, paths=[args.path]) as view:
            return await one_file(view, args)

    async def patch(self, call: Call, args: DiffPatchInput) -> DiffPatchOutput:
        async with open_view(self._services, call, args, untracked=args.untracked, paths=args.paths) as view:
            return await whole_patch(view, args)

    async def stats(self, call: Call, args: DiffStatsInput) -> DiffStatsOutput:
        async with open_view(self._services, call, args, untracked=args.untracked, paths=args.paths) as view:
            found = await list_changes(view.repository, view.comparison, view.paths)
        count = Counter(change.status for change in found)
        return DiffStatsOutput(
            sides=view.sides,
            files=len(found),
            additions=sum(change.additions or 0 for change in found),
            deletions=sum(change.deletions or 0 for change in found),
            added=count["added"],
            modified=count["modified"] + count["type_changed"],
            deleted=count["deleted"],
            renamed=count["renamed"],
            unmerged=count["unmerged"],
            untracked=count["untracked"],
            binary=sum(change.binary for change in found),
            notes=view.notes,
        )
