"""Which files git tracks, would track, or ignores in a checkout: the one list that search and quick open go by."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable

from ade_runtime.integrations.git.paths import is_git_folder
from ade_runtime.integrations.git.runner import Git
from ade_runtime.workspace.names import Names, is_own

TIMEOUT = 30.0


async def files_of(git: Git, *, untracked: bool = True) -> list[bytes]:
    """Paths of the files git tracks and, with ``untracked``, of those it would; sorted by bytes, each once. What is listed need
    not be there any more, and need not be a plain file."""
    options = ["--others", "--exclude-standard"] if untracked else []
    result = await git.read("ls-files", "-z", "--cached", *options, timeout=TIMEOUT)
    return sorted({path for path in result.records() if not path.endswith(b"/") and _is_ours(path)})


async def ignored_of(git: Git) -> Callable[[Names], bool]:
    """Whether git ignores what names lead to; what is inside an ignored folder is not asked about."""
    result = await git.read(
        "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", timeout=TIMEOUT
    )
    ignored = {tuple(path.rstrip(b"/").split(b"/")) for path in result.records()}
    return ignored.__contains__


def below(paths: Iterable[bytes], folders: Iterable[Names]) -> list[bytes]:
    """Those of ``paths`` that are one of ``folders`` or lie in one."""
    wanted = [b"/".join(names) for names in folders]
    if b"" in wanted:
        return list(paths)
    leads = tuple(path + b"/" for path in wanted)
    exact = set(wanted)
    return [path for path in paths if path in exact or path.startswith(leads)]


class BadGlob(ValueError):
    """A pattern of names that is none; the message says why."""


def check_glob(glob: str) -> None:
    """Raises :class:`BadGlob` for a set of characters that has no end: it would be taken as it stands, and fit nothing."""
    rest = glob
    while (start := rest.find("[")) >= 0:
        inside = rest[start + 1 :].removeprefix("!")
        end = inside.find("]", 1)
        if end < 0:
            raise BadGlob("its [ has no ]; write [[] to find the character itself")
        rest = inside[end + 1 :]


def fitting(paths: Iterable[bytes], glob: str) -> list[bytes]:
    """Those of ``paths`` whose name fits ``glob``, or whose whole path does where it holds a ``/``."""
    expression = _expression(glob)
    if "/" in glob:
        return [path for path in paths if expression.fullmatch(path.decode("utf-8", "surrogateescape"))]
    return [
        path
        for path in paths
        if expression.fullmatch(path.rpartition(b"/")[2].decode("utf-8", "surrogateescape"))
    ]


def _expression(glob: str) -> re.Pattern[str]:
    """``*`` and ``?`` stay within a name; ``**/`` is any number of folders, none included."""
    parts = []
    for piece in re.split(r"(\*\*/|\*\*)", glob.lstrip("/")):
        if piece == "**/":
            parts.append("(?:.*/)?")
        elif piece == "**":
            parts.append(".*")
        else:
            parts += [_translated(bit) for bit in re.split(r"(\*|\?)", piece)]
    return re.compile("".join(parts), re.DOTALL)


def _translated(bit: str) -> str:
    if bit == "*":
        return "[^/]*"
    if bit == "?":
        return "[^/]"
    return fnmatch.translate(bit)[len("(?s:") : -len(r")\Z")] if bit else ""


def _is_ours(path: bytes) -> bool:
    """Whether a path that git names may be looked into: a hostile index can hold what git itself would not check out."""
    names = path.split(b"/")
    return not any(
        name in (b"", b".", b"..") or is_git_folder(name) or is_own(tuple(names[:depth]), name)
        for depth, name in enumerate(names)
    )
