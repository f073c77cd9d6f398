"""Searching a checkout: git lists the files, ripgrep leaves out those without a match where it is installed, a worker answers.

The worker reads every file through the checkout's root, and its answer alone counts; what ripgrep says only spares it work. So
the answers are the same with and without, and ripgrep's own way of opening files can show nothing of the outside.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ade_runtime.integrations.git.process import execute
from ade_runtime.integrations.git.text import show_path
from ade_runtime.workspace.descent import Descent
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.pattern import Pattern
from ade_runtime.workspace.search_worker import LARGEST, MOST_MATCHES
from ade_runtime.workspace.threads import in_thread

RIPGREP = "rg"
RIPGREP_SECONDS = 15.0
_BATCH = 256 * 1024
"""Bytes of paths in one command; a system takes eight times as many."""
_FEW = 50
"""Files that the worker is as quick with alone."""
_COMMAND = (sys.executable, "-I", "-m", "ade_runtime.workspace.search_worker")
_OUTPUT = 64 * 1024 * 1024
_OPTIONS = (
    "--files-with-matches", "--null", "--no-config", "--no-messages", "--no-mmap", "--text", "--no-ignore", "--hidden",
    "--color=never", "--regexp",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    path: str
    line: int
    column: int
    length: int
    text: str
    before: list[str]
    after: list[str]


@dataclass(frozen=True, slots=True)
class Found:
    """``total`` counts up to ten thousand; ``more`` tells that matches follow the last one given."""

    matches: list[Match]
    total: int
    more: bool
    files: int
    notes: list[str]
    complete: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    pattern: Pattern
    context: int = 0
    limit: int = 100
    after: tuple[bytes, int] | None = None


def ripgrep() -> str | None:
    """The installed ripgrep, from the runtime's own PATH: a caller's may hold anything."""
    return shutil.which(RIPGREP)


async def search(root: Root, paths: Sequence[bytes], wanted: Wanted, program: str | None) -> Found:
    """Search ``paths``, which are sorted; ``program`` is ripgrep, ``None`` to go without."""
    plain = await in_thread(lambda: _plain_files(root, paths))
    left = plain
    if program is not None and len(plain) > _FEW:
        left = await _with_matches(program, root.path, plain, wanted.pattern)
    lines, code = await _work(root, left, wanted)
    return _found(lines, code, len(plain))


def _plain_files(root: Root, paths: Sequence[bytes]) -> list[bytes]:
    """What can be searched at all. Ripgrep would wait at a pipe and follow a link."""
    with Descent(root.fd) as descent:
        found = ((path, descent.status(path)) for path in paths)
        return [p for p, s in found if s is not None and stat.S_ISREG(s.st_mode) and s.st_size <= LARGEST]


async def _with_matches(program: str, cwd: Path, paths: Sequence[bytes], pattern: Pattern) -> list[bytes]:
    """Those of ``paths`` in which ripgrep finds something, and those about which it could not tell."""
    kept: list[bytes] = []
    deadline = asyncio.get_running_loop().time() + RIPGREP_SECONDS
    for batch in _batches(paths):
        left = deadline - asyncio.get_running_loop().time()
        found = await _ask(program, cwd, batch, pattern, left) if left > 0 else None
        kept += batch if found is None else [path for path in batch if path in found]
    return kept


async def _ask(
    program: str, cwd: Path, batch: Sequence[bytes], pattern: Pattern, seconds: float
) -> set[bytes] | None:
    argv: list[str | bytes] = [program, *_OPTIONS, pattern.rust, "--"]
    argv += [b"./" + path for path in batch]
    try:
        async with asyncio.timeout(seconds):
            output = await execute(
                argv, cwd=cwd, env=_environment(), stdin=None, limit=2 * _BATCH, error_limit=4096
            )
    except (TimeoutError, OSError):
        return None
    if output.code not in (0, 1):
        return None
    return {path.removeprefix(b"./") for path in output.stdout.split(b"\0") if path}


def _batches(paths: Sequence[bytes]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for path in paths:
        if size + len(path) > _BATCH:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 16
    if batch:
        yield batch


async def _work(root: Root, paths: Sequence[bytes], wanted: Wanted) -> tuple[list[Any], int]:
    """What the worker wrote, and its exit code."""
    status = os.fstat(root.fd)
    job = {
        "root": str(root.path),
        "identity": (status.st_dev, status.st_ino),
        "python": wanted.pattern.python,
        "ignore_case": wanted.pattern.ignore_case,
        "literal": wanted.pattern.literal,
        "context": wanted.context,
        "after": None if wanted.after is None else (wanted.after[0].hex(), wanted.after[1]),
        "limit": wanted.limit,
    }
    output = await execute(
        _COMMAND,
        cwd=Path("/"),
        env=_environment(),
        stdin=json.dumps(job).encode() + b"\n" + b"\0".join(paths),
        limit=_OUTPUT,
        error_limit=4096,
    )
    whole, _, _ = output.stdout.rpartition(b"\n")
    return [json.loads(line) for line in whole.splitlines()], output.code


def _environment() -> Mapping[str, str]:
    kept = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "VIRTUAL_ENV")
    return {name: os.environ[name] for name in kept if name in os.environ}


def _found(lines: list[Any], code: int, files: int) -> Found:
    end = lines.pop() if lines and "done" in lines[-1] else None
    matches = [
        Match(path=show_path(bytes.fromhex(file["path"])), **one) for file in lines for one in file["matches"]
    ]
    if end is None:
        slow = "It was stopped in a file that takes too long; a simpler pattern helps."
        notes = [slow if code == -signal.SIGALRM else "The search ended early; try again, or search less."]
        return Found(matches, len(matches), more=False, files=files, notes=notes, complete=False)
    notes = []
    if end["stopped"] == "matches":
        notes.append(
            f"It was stopped at {MOST_MATCHES} lines; search for something rarer, or in fewer paths."
        )
    elif end["stopped"]:
        notes.append("It was stopped after some time; search in fewer paths.")
    return Found(
        matches=matches,
        total=end["matches"],
        more=end["more"],
        files=files,
        notes=notes,
        complete=end["stopped"] is None,
    )
