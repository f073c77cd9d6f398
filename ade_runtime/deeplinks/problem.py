"""What can be wrong with a link or a target, and the rules that both directions share."""

from __future__ import annotations

import unicodedata

SCHEME = "ade://"
LONGEST = 8192
"""Characters of a link in its canonical spelling, which is ASCII."""


class DeeplinkProblem(ValueError):
    """``part`` names what is wrong (``kind``, ``path``, ``query.project``, ``target.line``). ``at`` is the place in the link,
    in characters from 0; ``None`` for a target, which has no places.
    """

    def __init__(self, part: str, problem: str, at: int | None = None) -> None:
        super().__init__(f"{part}: {problem}")
        self.part = part
        self.problem = problem
        self.at = at


def text_problem(value: str) -> str | None:
    """Why a text cannot be in a link at all, whatever it means there; ``None`` when it can.

    A dot segment would be resolved away by any program that follows RFC 3986, escaped or not.
    """
    if not value:
        return "it is empty"
    if value in (".", ".."):
        return f"{value} is no name"
    for char in value:
        if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp"):
            return f"it holds the control character U+{ord(char):04X}"
    return None


def path_problem(path: str) -> str | None:
    """Why a file's path is not one inside of a repository."""
    if path.startswith("/"):
        return "the path of a file is relative to its repository"
    return next((problem for part in path.split("/") if (problem := text_problem(part))), None)


def range_problem(
    line: int | None, column: int | None, end_line: int | None, end_column: int | None
) -> tuple[str, str] | None:
    """The field that makes lines and columns no range, and why."""
    if line is None:
        for name, value in (("column", column), ("end_line", end_line), ("end_column", end_column)):
            if value is not None:
                return name, "it needs a line to begin with"
        return None
    if end_line is None:
        return None if end_column is None else ("end_column", "it needs an end_line")
    if end_line < line:
        return "end_line", "it comes before line"
    if end_column is not None and column is None:
        return "end_column", "it needs a column to begin with"
    if end_line == line and column is not None and end_column is not None and end_column < column:
        return "end_column", "it comes before column"
    return None
