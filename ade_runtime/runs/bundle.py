"""The files of a run, in its lane: plan.md, which a person reads and may edit, under ``.ade/runs/<run>``."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ade_generated import errors
from ade_runtime.runs.plan_text import digest

PLAN = "plan.md"
NOTES = "notes.md"
"""What workers and validators add: beside the plan, whose bytes are what the user approved."""

LARGEST = 256 * 1024
"""Most bytes of a plan."""


def folder_of(lane: Path, run: str) -> Path:
    return lane / ".ade" / "runs" / run


def make(bundle: Path, title: str, goal: str) -> None:
    """The folder with a plan that has only its title and goal."""
    bundle.mkdir(parents=True, exist_ok=True)
    _replace(bundle / PLAN, f"# {title}\n\n## Goal\n\n{goal}\n".encode())


def read_plan(bundle: Path, name: str = PLAN) -> bytes:
    """The exact bytes of the plan, none where there is no file. Raises ``plan_unusable``: it is a link, too large, or cannot
    be read."""
    path = bundle / name
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return b""
    except OSError as problem:
        raise errors.PlanUnusable(path=str(path), reason=problem.strerror or "it cannot be read") from None
    if len(data) > LARGEST:
        raise errors.PlanUnusable(path=str(path), reason=f"it is larger than {LARGEST // 1024} KiB")
    return data


def plan_text(data: bytes, bundle: Path) -> str:
    """The plan as text; raises ``plan_unusable`` where it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise errors.PlanUnusable(path=str(bundle / PLAN), reason="it is not UTF-8") from None


def write_plan(bundle: Path, data: bytes, replaces: str | None) -> str:
    """Put a plan in the place of the one with this SHA-256 (``None`` for whichever) and give its own. Raises
    ``plan_changed`` where another one is there. A plan that is there already is written, by whoever repeats a call whose answer
    was lost. Two writers must not be here at once."""
    found, wanted = digest(read_plan(bundle)), digest(data)
    if found == wanted:
        return wanted
    if replaces is not None and replaces != found:
        raise errors.PlanChanged(sha256=found)
    if len(data) > LARGEST:
        raise errors.PlanUnusable(path=str(bundle / PLAN), reason=f"it is larger than {LARGEST // 1024} KiB")
    bundle.mkdir(parents=True, exist_ok=True)
    _replace(bundle / PLAN, data)
    return wanted


def add_note(bundle: Path, text: str) -> None:
    """Add to the notes. Two writers must not be here at once."""
    data = read_plan(bundle, NOTES) + text.encode()
    if len(data) > LARGEST:
        raise errors.PlanUnusable(path=str(bundle / NOTES), reason=f"it is larger than {LARGEST // 1024} KiB")
    bundle.mkdir(parents=True, exist_ok=True)
    _replace(bundle / NOTES, data)


def _replace(path: Path, data: bytes) -> None:
    descriptor, draft = tempfile.mkstemp(prefix=".plan.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(draft, 0o644)  # noqa: PTH101
        os.replace(draft, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)  # noqa: PTH108
        raise
