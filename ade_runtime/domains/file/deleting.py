"""file.delete: what is deleted is kept first, and exactly that is deleted."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.file import FileDeleteInput, FileDeleteOutput
from ade_runtime.domains.file.base import FileActions, Files
from ade_runtime.domains.git import views
from ade_runtime.workspace.doomed import Doomed, Unkeepable, look, take, take_all
from ade_runtime.workspace.keeping import keep, restore_command
from ade_runtime.workspace.names import text_of
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.problems import Changed, Failed, Missing, WrongKind
from ade_runtime.workspace.reading import read_all
from ade_runtime.workspace.text import hash_of

if TYPE_CHECKING:
    from ade_runtime.integrations.git.snapshot import Kept
    from ade_runtime.pipeline.call import Call

_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}
_HASHED = 1024 * 1024 * 1024


class DeleteActions(FileActions):
    async def delete(self, call: Call, args: FileDeleteInput) -> FileDeleteOutput:
        earlier = self._claimed(call, FileDeleteOutput)
        async with self._changing(call, args.lane) as files:
            if earlier is not None and await files.run(lambda root: _is_gone(root, args.path)):
                return earlier
            doomed = await files.run(lambda root: _look(files, root, args))
            kept = None
            if not args.permanent:
                message = f"Deleted in lane {files.work.name}: {text_of(doomed.top.names)}"
                kept = await keep(files.work.git, doomed.things, message, self._services.clock.now())
            told = _deleted(files, doomed, kept)
            await self._claim(call, told)
            await files.run(lambda root: _take(root, args, doomed, kept))
            return told


def _is_gone(root: Root, path: str) -> bool:
    try:
        with root.place(path, follow=False) as place:
            return place.status is None
    except Missing:
        return True


def _look(files: Files, root: Root, args: FileDeleteInput) -> Doomed:
    lane = files.work.name
    try:
        doomed = look(root, args.path, recursive=args.recursive, keep=not args.permanent)
    except Unkeepable as problem:
        raise errors.DeletionUnkeepable(lane=lane, path=problem.path, reason=problem.reason) from None
    if args.if_match is not None:
        current = _hash(root, args, doomed)
        if current != args.if_match:
            raise errors.FileChanged(lane=lane, path=text_of(doomed.top.names), current=current)
    return doomed


def _hash(root: Root, args: FileDeleteInput, doomed: Doomed) -> str:
    if not stat.S_ISREG(doomed.top.mode):
        raise WrongKind(args.path, "no file", "a file, which alone has a hash")
    if doomed.things:
        return hash_of(doomed.things[0].data)
    with root.file(args.path) as (fd, _):
        return hash_of(read_all(fd, _HASHED, args.path))


def _take(root: Root, args: FileDeleteInput, doomed: Doomed, kept: Kept | None) -> None:
    try:
        if args.permanent:
            take_all(root, args.path, doomed.top)
        else:
            take(root, doomed)
    except Changed as problem:
        where = "" if kept is None else f"; what is gone already is kept as {kept.ref}"
        raise Failed(problem.path, f"it changed while it was deleted, and stays{where}") from None


def _deleted(files: Files, doomed: Doomed, kept: Kept | None) -> FileDeleteOutput:
    recovery = None
    if kept is not None:
        recovery = views.recovery(kept, restore_command(kept, b"/".join(doomed.top.names)))
    return FileDeleteOutput(
        lane=files.work.name,
        lane_id=files.work.id,
        path=text_of(doomed.top.names),
        kind=_KINDS.get(stat.S_IFMT(doomed.top.mode), "other"),  # type: ignore[arg-type]
        files=doomed.files,
        folders=doomed.folders,
        size=doomed.size,
        recovery=recovery,
    )
