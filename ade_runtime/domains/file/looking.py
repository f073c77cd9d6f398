"""file.tree, file.read, file.blame: what is there and what it holds."""

from __future__ import annotations

import base64
import stat
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.file import (
    FileBlameInput,
    FileBlameOutput,
    FileReadInput,
    FileTreeInput,
    FileTreeOutput,
)
from ade_generated.models.types import BlameLine, FileEntry, FileText
from ade_runtime.domains.file.base import FileActions, Files, within_budget
from ade_runtime.integrations.git.failures import GitError
from ade_runtime.integrations.git.text import show_path
from ade_runtime.workspace.blame import Origin, blame
from ade_runtime.workspace.listing import ignored_of
from ade_runtime.workspace.names import Names, names_of, text_of
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.problems import PathRefused
from ade_runtime.workspace.ranges import WHOLE, Part, bytes_part, lines_part
from ade_runtime.workspace.reading import read_all
from ade_runtime.workspace.text import Style, style_of
from ade_runtime.workspace.tree import MOST_SEEN, Entry, Lister

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call

LINE_SHOWN = 1000
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "link"}


class LookActions(FileActions):
    async def tree(self, call: Call, args: FileTreeInput) -> FileTreeOutput:
        after = _names_after(args.cursor)
        async with self._looking(call, args.lane) as files:
            hidden = _nothing if args.ignored else await ignored_of(files.work.git)
            lister = Lister(args.depth, args.limit, after, hidden)
            listing = await files.run(lambda root: lister.of(root, args.path))
            items = within_budget([_entry(entry) for entry in listing.items], _size_of_entry)
            more = listing.more or len(items) < len(listing.items)
            cut = f"It was cut after {MOST_SEEN} names; list a folder in it, or less deep."
            return FileTreeOutput(
                lane=files.work.name,
                lane_id=files.work.id,
                path=text_of(names_of(args.path)),
                items=items,
                total=listing.total,
                next=items[-1].path if more and items else None,
                notes=[cut] if listing.cut else [],
            )

    async def read(self, call: Call, args: FileReadInput) -> FileText:
        def work(root: Root) -> tuple[Part, str, int]:
            with root.file(args.path) as (fd, place):
                assert place.status is not None
                if args.offset is not None:
                    part = bytes_part(fd, args.path, args.offset, args.max_bytes)
                else:
                    part = lines_part(fd, args.path, args.start_line or 1, args.lines, args.max_bytes)
                return part, place.text, place.status.st_mode

        async with self._looking(call, args.lane) as files:
            part, path, mode = await files.run(work)
            return _file_text(files, args, part, path, mode)

    async def blame(self, call: Call, args: FileBlameInput) -> FileBlameOutput:
        start = int(args.cursor) if args.cursor is not None else args.start_line
        async with self._looking(call, args.lane) as files:
            names, data = await files.run(lambda root: _whole(root, args.path))
            style = style_of(data)
            if style.binary or style.encoding.startswith("utf-16"):
                raise errors.FileNotText(lane=files.work.name, path=args.path)
            lines = data.split(b"\n")
            if not lines[-1]:
                lines.pop()
            count = min(args.limit, len(lines) - start + 1)
            origins = await _blamed(files, args, names, data, start, count) if count > 0 else []
            shown = [_blame_line(origin, lines, style) for origin in origins]
            items = within_budget(shown, lambda line: len(line.text) + len(line.original_path) + 300)
            last = start + len(items) - 1
            return FileBlameOutput(
                lane=files.work.name,
                lane_id=files.work.id,
                path=text_of(names),
                items=items,
                total=len(lines),
                next=str(last + 1) if items and last < len(lines) else None,
            )


def _names_after(cursor: str | None) -> Names | None:
    if cursor is None:
        return None
    try:
        return names_of(cursor)
    except PathRefused:
        raise errors.InvalidCursor(cursor=cursor) from None


def _nothing(names: Names) -> bool:
    return False


def _entry(entry: Entry) -> FileEntry:
    kind = _KINDS.get(stat.S_IFMT(entry.mode), "other")
    return FileEntry(
        path=entry.path,
        tree=entry.tree,
        kind=kind,  # type: ignore[arg-type]
        depth=entry.depth,
        size=entry.size if kind == "file" else None,
        entries=entry.entries,
        executable=kind == "file" and bool(entry.mode & stat.S_IXUSR),
        target=entry.target,
        modified_at=entry.modified_at,
    )


def _size_of_entry(entry: FileEntry) -> int:
    return len(entry.path) + len(entry.tree) + len(entry.target or "") + 200


def _file_text(files: Files, args: FileReadInput, part: Part, path: str, mode: int) -> FileText:
    style = part.style
    as_bytes = args.as_ == "base64"
    text = "" if as_bytes else part.text
    return FileText(
        lane=files.work.name,
        lane_id=files.work.id,
        path=path,
        text=text,
        base64=base64.b64encode(part.data).decode() if as_bytes else None,
        encoding=style.encoding,
        exact=as_bytes or not (style.guessed or "\ufffd" in text),
        newline=style.newline,
        final_newline=style.final_newline,
        size=part.size,
        hash=part.hash,
        executable=bool(mode & stat.S_IXUSR),
        start_line=part.start_line,
        end_line=part.end_line,
        total_lines=part.total_lines,
        offset=part.offset,
        end_offset=part.end,
        truncated=part.truncated,
        notes=_notes(part, as_bytes),
    )


def _notes(part: Part, as_bytes: bool) -> list[str]:
    notes = []
    if part.style.binary and not as_bytes:
        notes.append("It is binary; read its bytes with as base64.")
    if part.style.guessed:
        notes.append("It is no UTF-8; its encoding is a guess.")
    if part.truncated and part.end_line is not None and not part.style.binary:
        cut = not part.text.endswith(("\n", "\r"))
        where = f"offset {part.end}" if cut else f"start_line {part.end_line + 1}"
        notes.append(f"There is more; go on with {where}.")
    elif part.truncated:
        notes.append(f"There is more; go on with offset {part.end}.")
    return notes


def _whole(root: Root, path: str) -> tuple[Names, bytes]:
    with root.file(path) as (fd, place):
        return place.names, read_all(fd, WHOLE, path)


async def _blamed(
    files: Files, args: FileBlameInput, names: Names, data: bytes, start: int, count: int
) -> list[Origin]:
    try:
        return await blame(
            files.work.git, b"/".join(names), data, start, count, ignore_whitespace=args.ignore_whitespace
        )
    except GitError as problem:
        if "no such path" in problem.stderr:
            raise errors.FileNotTracked(lane=files.work.name, path=show_path(b"/".join(names))) from None
        if "no such ref" in problem.stderr:
            raise errors.NoCommits(lane=files.work.name) from None
        raise


def _blame_line(origin: Origin, lines: list[bytes], style: Style) -> BlameLine:
    raw = lines[origin.line - 1].removeprefix(style.mark if origin.line == 1 else b"").removesuffix(b"\r")
    return BlameLine(
        line=origin.line,
        text=raw.decode(style.codec, "replace")[:LINE_SHOWN],
        commit=origin.commit,
        author=origin.author,
        time=origin.time,
        summary=origin.summary,
        original_line=origin.original_line,
        original_path=origin.original_path,
    )
