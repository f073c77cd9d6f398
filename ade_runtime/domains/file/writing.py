"""file.write, file.create, file.mkdir, file.rename."""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import stat
from functools import partial
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.file import (
    FileCreateInput,
    FileMkdirInput,
    FileMkdirOutput,
    FileRenameInput,
    FileRenameOutput,
    FileWriteInput,
)
from ade_generated.models.types import FileWritten
from ade_runtime.domains.file.base import FileActions, Files
from ade_runtime.workspace.moving import move
from ade_runtime.workspace.names import names_of, text_of
from ade_runtime.workspace.opening import Place, Root, open_file
from ade_runtime.workspace.problems import Exists, Failed, Missing, PathRefused, WrongKind
from ade_runtime.workspace.ranges import WHOLE
from ade_runtime.workspace.reading import read_all
from ade_runtime.workspace.text import Style, encode, fitted, hash_of, style_of, with_ends
from ade_runtime.workspace.writing import create, replace

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}


class WriteActions(FileActions):
    async def write(self, call: Call, args: FileWriteInput) -> FileWritten:
        given = _bytes(call, args)
        earlier = self._claimed(call, FileWritten)

        def work(root: Root, *, write: bool) -> FileWritten:
            if args.parents:
                make_parents(root, args.path)
            with root.place(args.path, follow=True) as place:
                return _write(files, args, place, given, write=write)

        async with self._changing(call, args.lane) as files:
            if earlier is not None and await files.run(lambda root: _holds(root, args.path, earlier.hash)):
                return earlier
            if call.receipt is not None:
                await self._claim(call, await files.run(partial(work, write=False)))
            return await files.run(partial(work, write=True))

    async def create(self, call: Call, args: FileCreateInput) -> FileWritten:
        data = args.content.encode()
        earlier = self._claimed(call, FileWritten)

        def work(root: Root, *, write: bool) -> FileWritten:
            if args.parents:
                make_parents(root, args.path)
            with root.place(args.path, follow=False) as place:
                if place.status is not None:
                    raise Exists(args.path)
                if write:
                    create(place, data, args.path, executable=args.executable)
                return _written(files, place, data, None, [])

        async with self._changing(call, args.lane) as files:
            if earlier is not None and await files.run(lambda root: _holds(root, args.path, earlier.hash)):
                return earlier
            if call.receipt is not None:
                await self._claim(call, await files.run(partial(work, write=False)))
            return await files.run(partial(work, write=True))

    async def mkdir(self, call: Call, args: FileMkdirInput) -> FileMkdirOutput:
        def work(root: Root) -> tuple[str, bool]:
            if args.parents:
                make_parents(root, args.path)
            with root.place(args.path, follow=False) as place:
                return place.text, _make_folder(place, args.path, content=args.parents)

        def look(root: Root) -> tuple[str, bool]:
            with root.place(args.path, follow=False) as place:
                return place.text, place.status is not None and stat.S_ISDIR(place.status.st_mode)

        earlier = self._claimed(call, FileMkdirOutput)
        async with self._changing(call, args.lane) as files:
            told = partial(FileMkdirOutput, lane=files.work.name, lane_id=files.work.id)
            if call.receipt is not None:
                try:
                    path, there = await files.run(look)
                except errors.FileMissing:
                    path, there = args.path, False  # a folder above is not there yet either
                if earlier is not None and there:
                    return earlier
                if not there:
                    await self._claim(call, told(path=path, created=True))
            path, created = await files.run(work)
            return told(path=path, created=created)

    async def rename(self, call: Call, args: FileRenameInput) -> FileRenameOutput:
        def work(root: Root, *, write: bool) -> tuple[FileRenameOutput, int]:
            if args.parents:
                make_parents(root, args.to)
            with root.place(args.path, follow=False) as source, root.place(args.to, follow=False) as target:
                if not source.names or not target.names:
                    raise PathRefused(args.path if not source.names else args.to, "it is the lane itself")
                if source.status is None:
                    raise Missing(args.path)
                _refuse_special(source, args.path)
                if target.status is not None:
                    raise Exists(args.to)
                if write:
                    move(source, target, args.path, args.to)
                told = FileRenameOutput(
                    lane=files.work.name,
                    lane_id=files.work.id,
                    path=target.text,
                    old_path=source.text,
                    kind=_KINDS[stat.S_IFMT(source.status.st_mode)],  # type: ignore[arg-type]
                )
                return told, source.status.st_ino

        def moved(root: Root) -> bool:
            with root.place(args.path, follow=False) as source, root.place(args.to, follow=False) as target:
                there = target.status is not None and target.status.st_ino == call.earlier["inode"]
                return there and source.status is None

        earlier = self._claimed(call, FileRenameOutput)
        async with self._changing(call, args.lane) as files:
            if earlier is not None and await files.run(moved):
                return earlier
            if call.receipt is not None:
                told, inode = await files.run(partial(work, write=False))
                await self._claim(call, told, inode=inode)
            return (await files.run(partial(work, write=True)))[0]


def _holds(root: Root, path: str, wanted: str) -> bool:
    """Whether the file at ``path`` has this hash."""
    try:
        with root.file(path) as (fd, _):
            return hash_of(read_all(fd, WHOLE, path)) == wanted
    except Missing:
        return False


def make_parents(root: Root, text: str) -> None:
    """Make the folders above what ``text`` names, each below the one before it."""
    names = names_of(text)
    for depth in range(1, len(names)):
        path = text_of(names[:depth])
        with root.place(path, follow=True) as place:
            if place.status is None:
                _make_folder(place, path, content=True)


def _make_folder(place: Place, text: str, *, content: bool) -> bool:
    """Whether it is new; with ``content`` one that is there will do."""
    try:
        os.mkdir(place.name, dir_fd=place.folder)
    except FileExistsError:
        if not content:
            raise Exists(text) from None
        if place.status is not None and not stat.S_ISDIR(place.status.st_mode):
            raise WrongKind(text, place.kind, "a folder") from None
        return False
    except OSError as error:
        raise Failed(text, error.strerror or "unknown reason") from None
    return True


def _refuse_special(place: Place, text: str) -> None:
    """A folder that is another repository or worktree is not a file of this one; a pipe is nobody's to move."""
    assert place.status is not None
    if stat.S_IFMT(place.status.st_mode) not in _KINDS:
        raise WrongKind(text, place.kind, "a file or folder")
    if stat.S_ISDIR(place.status.st_mode):
        if place.names == (b".ade",):
            raise PathRefused(text, "ADE keeps its lanes in it")
        with contextlib.suppress(OSError):
            os.stat(place.name + b"/.git", dir_fd=place.folder, follow_symlinks=False)
            raise PathRefused(text, "it is a repository or worktree of its own")


def _bytes(call: Call, args: FileWriteInput) -> bytes | None:
    if args.base64 is None:
        return None
    try:
        return base64.b64decode(args.base64, validate=True)
    except binascii.Error:
        problem = "base64: is not whole; its length is a multiple of 4, with = at the end"
        raise errors.InvalidArguments(problem=problem, action=call.action.id) from None


def _write(
    files: Files, args: FileWriteInput, place: Place, given: bytes | None, *, write: bool
) -> FileWritten:
    """What writing comes to; without ``write`` it is only found out."""
    lane = files.work.name
    old = _old(place, args.path)
    if args.if_match is not None and (old is None or hash_of(old) != args.if_match):
        if old is None:
            raise Missing(args.path)
        raise errors.FileChanged(lane=lane, path=place.text, current=hash_of(old))
    notes: list[str] = []
    if given is None:
        given, notes = _encoded(lane, args, place, old)
    if write and given != old:
        replace(place, given, args.path)
    return _written(files, place, given, old, notes)


def _old(place: Place, text: str) -> bytes | None:
    """What the file holds, ``None`` for a new one."""
    if place.status is None:
        return None
    fd = open_file(place, text)
    try:
        return read_all(fd, WHOLE, text)
    finally:
        os.close(fd)


def _encoded(lane: str, args: FileWriteInput, place: Place, old: bytes | None) -> tuple[bytes, list[str]]:
    style = style_of(old) if old else Style("utf-8", "none", final_newline=False)
    text = args.content or ""
    notes: list[str] = []
    if args.newline == "keep" and old and not style.binary:
        text, notes = fitted(text, style)
    elif args.newline in ("lf", "crlf"):
        text = with_ends(text, args.newline)
    encoding = style.encoding if args.encoding == "keep" and not style.binary else args.encoding
    encoding = "utf-8" if encoding == "keep" else encoding
    try:
        return encode(text, encoding), notes
    except UnicodeEncodeError:
        raise errors.FileEncoding(lane=lane, path=place.text, encoding=encoding) from None


def _written(files: Files, place: Place, data: bytes, old: bytes | None, notes: list[str]) -> FileWritten:
    style = style_of(data)
    return FileWritten(
        lane=files.work.name,
        lane_id=files.work.id,
        path=place.text,
        created=old is None,
        changed=data != old,
        size=len(data),
        hash=hash_of(data),
        old_hash=None if old is None else hash_of(old),
        encoding=style.encoding,
        newline=style.newline,
        notes=notes,
    )
