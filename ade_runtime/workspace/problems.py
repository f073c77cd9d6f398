"""What stands in the way of a path, as values that callers turn into their own errors."""

from __future__ import annotations

from dataclasses import dataclass

INTO_ITSELF = "a folder cannot be moved into itself"


@dataclass(slots=True)
class WorkspaceProblem(Exception):
    """``path`` is as callers write it."""

    path: str


@dataclass(slots=True)
class PathRefused(WorkspaceProblem):
    """The path may not be used at all: it leaves the checkout, or lies where nobody but git or ADE may work."""

    reason: str


@dataclass(slots=True)
class Missing(WorkspaceProblem):
    """Nothing is there, or a folder on the way is not."""


@dataclass(slots=True)
class Exists(WorkspaceProblem):
    """Something is there already."""


@dataclass(slots=True)
class WrongKind(WorkspaceProblem):
    """Something else is there: ``found`` instead of ``wanted``, as words such as ``a folder``."""

    found: str
    wanted: str


@dataclass(slots=True)
class NotEmpty(WorkspaceProblem):
    """The folder has something in it."""


@dataclass(slots=True)
class TooLarge(WorkspaceProblem):
    """The file has ``size`` bytes where ``limit`` are allowed."""

    size: int
    limit: int


@dataclass(slots=True)
class Changed(WorkspaceProblem):
    """Somebody changed it meanwhile."""


@dataclass(slots=True)
class Failed(WorkspaceProblem):
    """The system refused, for ``reason``."""

    reason: str


def words(problem: WorkspaceProblem) -> str:
    """The problem as the end of a sentence that begins with the path."""
    match problem:
        case PathRefused(reason=reason) | Failed(reason=reason):
            return reason
        case Missing():
            return "there is nothing"
        case Exists():
            return "something is there already"
        case WrongKind(found=found, wanted=wanted):
            return f"it is {found}, not {wanted}"
        case NotEmpty():
            return "it is not empty"
        case TooLarge(size=size, limit=limit):
            return f"it has {size} bytes, more than {limit}"
        case _:
            return "it changed meanwhile"
