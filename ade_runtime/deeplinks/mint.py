"""From a target to its link."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from ade_runtime.deeplinks.problem import (
    LONGEST,
    SCHEME,
    DeeplinkProblem,
    path_problem,
    range_problem,
    text_problem,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ade_generated.models.types import (
        DeeplinkCommit,
        DeeplinkFile,
        DeeplinkIssue,
        DeeplinkLane,
        DeeplinkPr,
        DeeplinkRun,
        DeeplinkSession,
    )

    Target = (
        DeeplinkCommit
        | DeeplinkFile
        | DeeplinkIssue
        | DeeplinkLane
        | DeeplinkPr
        | DeeplinkRun
        | DeeplinkSession
    )


def mint(target: Target) -> str:
    """The canonical link: lower-case scheme and kind, every character but ``A-Z a-z 0-9 - . _ ~`` escaped, queries in the
    order of their names. Raises :class:`DeeplinkProblem`.
    """
    match target.kind:
        case "lane":
            link = _link("lane", {"lane": target.lane}, {"project": target.project})
        case "session":
            link = _link("session", {"session": target.session})
        case "run":
            link = _link("run", {"run": target.run})
        case "file":
            link = _file(target)
        case "commit":
            link = _link("commit", {"commit": target.commit}, {"project": target.project})
        case "pr":
            link = _segments("pr", "repository", [*target.repository.split("/"), str(target.number)])
        case "issue":
            link = _segments("issue", "issue", target.issue.replace("#", "/").split("/"))
    if len(link) > LONGEST:
        raise DeeplinkProblem(
            "target", f"its link would have {len(link)} characters, and {LONGEST} is the most"
        )
    return link


def _file(target: DeeplinkFile) -> str:
    if problem := path_problem(target.path):
        raise DeeplinkProblem("target.path", problem)
    wrong = range_problem(target.line, target.column, target.end_line, target.end_column)
    if wrong is not None:
        raise DeeplinkProblem(f"target.{wrong[0]}", wrong[1])
    query = {"commit": target.commit, "lane": target.lane, "project": target.project}
    link = _segments("file", "path", target.path.split("/")) + _query(query)
    return link + _fragment(target)


def _fragment(target: DeeplinkFile) -> str:
    if target.line is None:
        return ""
    start = f"#L{target.line}" + (f"C{target.column}" if target.column else "")
    if target.end_line is None:
        return start
    return f"{start}-L{target.end_line}" + (f"C{target.end_column}" if target.end_column else "")


def _link(kind: str, path: Mapping[str, str], query: Mapping[str, str | None] | None = None) -> str:
    [(name, value)] = path.items()
    return _segments(kind, name, [value]) + _query(query or {})


def _segments(kind: str, field: str, values: Iterable[str]) -> str:
    return SCHEME + "/".join([kind, *(_escaped(field, value) for value in values)])


def _query(values: Mapping[str, str | None]) -> str:
    pairs = [f"{name}={_escaped(name, value)}" for name, value in sorted(values.items()) if value is not None]
    return "?" + "&".join(pairs) if pairs else ""


def _escaped(field: str, value: str) -> str:
    if problem := text_problem(value):
        raise DeeplinkProblem(f"target.{field}", problem)
    return quote(value, safe="")
