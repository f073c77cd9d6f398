"""Telling a failed hook from a failed git.

Git reports a failing pre-commit hook with nothing but exit code 1. Its own event trace names each hook with
its exit code, so commands that run hooks write it to a file for as long as they run.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ade_runtime.machine.temporary import temporary_folder

TRACE_LIMIT = 4 * 1024 * 1024
_RECEIVING = frozenset(
    ["pre-receive", "update", "proc-receive", "post-receive", "post-update", "push-to-checkout"]
)
"""Hooks of the side that is pushed to; where that is a folder of this machine, they show in our trace."""


@dataclass(frozen=True, slots=True)
class Failure:
    name: str
    code: int


class Trace:
    """``environment`` makes git write its events to ``path``; without a path nothing is traced."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.environment = {} if path is None else {"GIT_TRACE2_EVENT": str(path)}

    def failures(self) -> list[Failure]:
        """Hooks of the traced command (not of git commands that it ran) that ended with another code than
        0."""
        if self._path is None or not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TRACE_LIMIT))
            lines = file.read(TRACE_LIMIT).splitlines()
        return _failed(event for line in lines if (event := _event(line)) is not None)


@contextlib.contextmanager
def trace(wanted: bool) -> Iterator[Trace]:
    if not wanted:
        yield Trace(None)
        return
    with temporary_folder("git") as folder:
        yield Trace(folder / "trace")


def late(failures: list[Failure]) -> list[str]:
    """Warnings for hooks that run once the work is done, which git itself does not undo."""
    return [f"hook {f.name} ended with {f.code}" for f in failures if f.name.startswith("post-")]


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def _failed(events: Iterator[dict[str, Any]]) -> list[Failure]:
    names: dict[tuple[str, int], str] = {}
    out: list[Failure] = []
    for event in events:
        key = (str(event.get("sid")), int(event.get("child_id", -1)))
        if event.get("event") == "child_start" and event.get("child_class") == "hook":
            if event.get("hook_name") not in _RECEIVING:
                names[key] = str(event.get("hook_name"))
        elif event.get("event") == "child_exit" and key in names and event.get("code") != 0:
            out.append(Failure(names[key], int(event.get("code", -1))))
    return out
