"""Merging two commits in memory with ``git merge-tree``, and reading what it says about conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ade_runtime.integrations.git.repository import Repository

TIMEOUT = 100.0

Kind = Literal[
    "content", "add_add", "modify_delete", "rename_delete", "rename_rename", "rename_add", "directory_file",
    "directory_rename", "submodule", "type_change", "binary", "other",
]  # fmt: skip
KINDS: dict[str, Kind] = {
    "CONFLICT (contents)": "content",
    "CONFLICT (binary)": "binary",
    "CONFLICT (file/directory)": "directory_file",
    "CONFLICT (distinct modes)": "type_change",
    "CONFLICT (modify/delete)": "modify_delete",
    "CONFLICT (rename/rename)": "rename_rename",
    "CONFLICT (rename involved in collision)": "rename_add",
    "CONFLICT (rename/delete)": "rename_delete",
}
_SUBMODULE = "CONFLICT (submodule"
_DIRECTORY = ("directory rename", "implicit dir rename", "file in way of directory")


class MalformedOutputError(ValueError):
    """Git printed something that is not what its manual promises."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One side of a path in conflict: 1 is the common ancestor, 2 the side merged into, 3 the side that is
    merged."""

    path: bytes
    number: int
    mode: str
    blob: str


@dataclass(frozen=True, slots=True)
class Message:
    """``kind`` is git's stable short text such as ``CONFLICT (contents)``; ``text`` a sentence for people."""

    paths: tuple[bytes, ...]
    kind: str
    text: str

    @property
    def conflict(self) -> bool:
        return self.kind.startswith("CONFLICT")


@dataclass(frozen=True, slots=True)
class ConflictEntry:
    """What is known about one path in conflict. ``stages`` are by number; a side without the file has
    none."""

    path: bytes
    kind: Kind
    text: str
    stages: Mapping[int, Stage]


@dataclass(frozen=True, slots=True)
class Merge:
    """``tree`` is the merged tree, with conflict marks in it unless ``clean``."""

    tree: str
    clean: bool
    entries: list[ConflictEntry]


async def merge_commits(repository: Repository, ours: str, theirs: str, env: Mapping[str, str]) -> Merge:
    """Merge commit ``theirs`` into commit ``ours``; objects go where ``env`` says."""
    result = await repository.git.run(
        "merge-tree",
        "--write-tree",
        "-z",
        "--messages",
        ours,
        theirs,
        ok=(0, 1),
        env=env,
        read_only=True,
        timeout=TIMEOUT,
    )
    return parse_merge(result.stdout, clean=result.code == 0)


def parse_merge(data: bytes, *, clean: bool) -> Merge:
    """Read ``git merge-tree --write-tree -z --messages``."""
    fields = iter(data.split(b"\0"))
    tree = next(fields).strip().decode("ascii", "replace")
    stages = [] if clean else list(_stages(fields))
    if clean:
        next(fields, None)
    messages = list(_messages(fields))
    return Merge(tree, clean, entries(stages, messages))


def entries(stages: list[Stage], messages: list[Message]) -> list[ConflictEntry]:
    """One entry a path: those with stages, and those that only a message names. Sorted by path."""
    sides: dict[bytes, dict[int, Stage]] = {}
    for stage in stages:
        sides.setdefault(stage.path, {})[stage.number] = stage
    said: dict[bytes, Message] = {}
    for message in messages:
        if not message.conflict:
            continue
        for path in message.paths:
            said.setdefault(path, message)
        if message.paths and not any(path in sides for path in message.paths):
            sides.setdefault(message.paths[0], {})
    return [_entry(path, sides[path], said.get(path)) for path in sorted(sides)]


def _entry(path: bytes, stages: Mapping[int, Stage], message: Message | None) -> ConflictEntry:
    if message is None:
        return ConflictEntry(path, "other", "", stages)
    return ConflictEntry(path, _kind(message.kind, stages), message.text, stages)


def _kind(kind: str, stages: Mapping[int, Stage]) -> Kind:
    if kind.startswith(_SUBMODULE):
        return "submodule"
    if any(word in kind for word in _DIRECTORY):
        return "directory_rename"
    found: Kind = KINDS.get(kind, "other")
    if found == "content" and 1 not in stages and {2, 3} <= stages.keys():
        return "add_add"
    return found


def _stages(fields: Iterator[bytes]) -> Iterator[Stage]:
    for field in fields:
        if not field:
            return
        head, tab, path = field.partition(b"\t")
        words = head.decode("ascii", "replace").split(" ")
        if not tab or len(words) != 3 or words[2] not in ("1", "2", "3"):
            raise MalformedOutputError(f"not an entry of a merge: {field[:200]!r}")
        yield Stage(path, int(words[2]), words[0], words[1])


def _messages(fields: Iterator[bytes]) -> Iterator[Message]:
    for field in fields:
        if not field.isdigit():
            return  # advice about submodules, which git prints without a count
        try:
            count = int(field)
            paths = tuple(next(fields) for _ in range(count))
            kind, text = next(fields), next(fields)
        except (ValueError, StopIteration, RuntimeError):
            raise MalformedOutputError(f"not a message of a merge: {field[:200]!r}") from None
        yield Message(paths, kind.decode("utf-8", "replace"), text.decode("utf-8", "replace").strip())
