"""What an agent in a terminal is told: how ADE is used, where it is, and its task.

It lies in a file that only the user can read, in the folder of the agent's terminal, and goes with it. The command line, which
every user of the machine can read, only names that file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.guidance import guidance
from ade_runtime.lanes.directive import directive

if TYPE_CHECKING:
    from ade_runtime.lanes.records import LaneRecord

NAME = "brief/brief.md"
"""Where the brief is in the folder of its terminal."""

BEGIN = "Do the task that stands at the end of your system prompt."
"""What stands on the command line where the program puts the brief into its model's system prompt."""

TITLE_LENGTH = 80


def brief(lane: LaneRecord, prompt: str, context: Path | None) -> bytes:
    """The whole text."""
    parts = [guidance("inline_preamble"), guidance("scheduled_work"), directive(lane)]
    if context is not None:
        parts.append(f"Read this file before you begin: {context}")
    parts.append(f"Your task:\n\n{prompt}\n")
    return "\n\n".join(parts).encode("utf-8", "replace")


def pointer(path: Path) -> str:
    """What stands there where the model has to read the brief itself."""
    return f"Read the whole of {path} first: it says where you are and what your task is. Then do that task."


def context_file(lane: LaneRecord, named: str | None) -> Path | None:
    """A file of the lane that the agent is to read first; raises ``context_not_in_lane``. Only its name is handed on, so that
    nobody reads a file through an agent that the agent itself may not read."""
    if named is None:
        return None
    root = Path(os.path.realpath(lane.path))
    found = Path(os.path.realpath(root / named))
    if not found.is_relative_to(root) or not found.is_file():
        raise errors.ContextNotInLane(file=named, lane=lane.name)
    return found


def title_of(prompt: str) -> str:
    """The beginning of a task, on one line."""
    line = " ".join(prompt.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1] + "…"
