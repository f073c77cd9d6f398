"""From a link to its target: whatever is not exactly one target is refused, with the place where it is wrong."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ade_runtime.deeplinks.problem import (
    LONGEST,
    SCHEME,
    DeeplinkProblem,
    path_problem,
    range_problem,
    text_problem,
)

if TYPE_CHECKING:
    from ade_runtime.deeplinks.mint import Target

_NEVER = re.compile(r"[\x00-\x20\x7f-\x9f<>\"{}|\\^`\u2028\u2029]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_RANGE = re.compile(r"L([0-9]+)(?:C([0-9]+))?(?:-L([0-9]+)(?:C([0-9]+))?)?")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Piece:
    """A decoded part of a link and where it began."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Kind:
    """How the parts of one kind are read: ``path`` makes fields of the segments, ``query`` are the names that may be asked
    for, ``fragment`` tells whether lines may follow.
    """

    path: Callable[[list[Piece]], dict[str, Any]]
    query: tuple[str, ...] = ()
    fragment: bool = False


def parse(link: str) -> Target:
    """The target of a link. Accepts any spelling that RFC 3986 calls equivalent; raises :class:`DeeplinkProblem`."""
    _check_characters(link)
    body, _, _ = link.partition("#")
    head, _, _ = body.partition("?")
    name, _, _ = head[len(SCHEME) :].partition("/")
    kind = KINDS.get(name.lower())
    if kind is None:
        close = difflib.get_close_matches(name.lower()[:40], KINDS, n=1)
        advice = f"did you mean {close[0]}?" if close else f"the kinds are {', '.join(KINDS)}"
        raise DeeplinkProblem(
            "kind", f"there is no kind {name[:40] or 'without a name'}; {advice}", len(SCHEME)
        )
    fields = {"kind": name.lower()} | kind.path(_segments(head, len(SCHEME) + len(name)))
    fields |= dict.fromkeys(kind.query) | _query(link, len(head), len(body), name.lower(), kind.query)
    if kind.fragment:
        fields |= _lines(link, len(body))
    elif len(body) < len(link):
        raise DeeplinkProblem("fragment", f"a link to a {name.lower()} has none", len(body))
    return _validated(fields, len(SCHEME))


def _check_characters(link: str) -> None:
    if len(link) > LONGEST:
        raise DeeplinkProblem("length", f"it has {len(link)} characters, and {LONGEST} is the most", LONGEST)
    if found := _NEVER.search(link):
        char = found[0]
        shown = f"U+{ord(char):04X}" if not char.isprintable() or char == " " else char
        raise DeeplinkProblem(
            "text", f"{shown} must be escaped, as %{char.encode().hex().upper()[:2]}", found.start()
        )
    if link[: len(SCHEME)].lower() != SCHEME:
        scheme = _SCHEME.match(link)
        problem = (
            f"the scheme is {scheme[1][:40]}, not ade"
            if scheme and scheme[1].lower() != "ade"
            else "it does not begin with ade://"
        )
        raise DeeplinkProblem("scheme", problem, 0)


def _segments(head: str, start: int) -> list[Piece]:
    """The decoded segments of the path, which begins at ``start`` with its slash."""
    if start == len(head):
        return []
    pieces, at = [], start + 1
    for raw in head[at:].split("/"):
        pieces.append(_decoded(raw, at, "path"))
        at += len(raw) + 1
    return pieces


def _query(link: str, start: int, end: int, kind: str, known: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    if start == end:
        return found
    at = start + 1
    for pair in link[at:end].split("&"):
        raw_name, equals, raw_value = pair.partition("=")
        name = _decoded(raw_name, at, "query").text
        if name not in known:
            names = f"it may have {', '.join(known)}" if known else "it has none"
            raise DeeplinkProblem("query", f"a link to a {kind} has no part {name[:40]}; {names}", at)
        if not equals:
            raise DeeplinkProblem(f"query.{name}", "it has no value", at)
        if name in found:
            raise DeeplinkProblem(f"query.{name}", "it is there twice", at)
        found[name] = _decoded(raw_value, at + len(raw_name) + 1, f"query.{name}").text
        at += len(pair) + 1
    if "commit" in found:
        found["commit"] = found["commit"].lower()
    return found


def _decoded(raw: str, at: int, part: str) -> Piece:
    text = _unescaped(raw, at, part)
    if problem := text_problem(text):
        raise DeeplinkProblem(part, problem, at)
    return Piece(text, at)


def _unescaped(raw: str, at: int, part: str) -> str:
    data = bytearray()
    place = 0
    while place < len(raw):
        if raw[place] != "%":
            data += raw[place].encode("utf-8", "surrogatepass")
            place += 1
            continue
        digits = raw[place + 1 : place + 3]
        if not re.fullmatch(r"[0-9A-Fa-f]{2}", digits):
            raise DeeplinkProblem(part, "a % is not followed by two hexadecimal digits", at + place)
        data.append(int(digits, 16))
        place += 3
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DeeplinkProblem(part, "its escapes are not UTF-8", at) from None


def _lines(link: str, start: int) -> dict[str, int | None]:
    names = ("line", "column", "end_line", "end_column")
    if start == len(link):
        return dict.fromkeys(names)
    found = _RANGE.fullmatch(_unescaped(link[start + 1 :], start + 1, "fragment"))
    if found is None:
        raise DeeplinkProblem("fragment", "lines are written L3, L3C5, L3-L9 or L3C5-L9C2", start + 1)
    values: dict[str, int | None] = {}
    for name, digits in zip(names, found.groups(), strict=True):
        values[name] = None if digits is None else _number(digits, "fragment", start + 1)
    wrong = range_problem(*values.values())
    if wrong is not None:
        raise DeeplinkProblem("fragment", f"{wrong[0]}: {wrong[1]}", start + 1)
    return values


def _number(digits: str, part: str, at: int) -> int:
    if not _NUMBER.fullmatch(digits) or int(digits) > LARGEST:
        raise DeeplinkProblem(
            part, f"{digits[:20]} is no number from 1 to {LARGEST} without leading zeros", at
        )
    return int(digits)


def _one(field: str) -> Callable[[list[Piece]], dict[str, Any]]:
    def read(pieces: list[Piece]) -> dict[str, Any]:
        _count(pieces, (1,), field)
        return {field: pieces[0].text}

    return read


def _commit(pieces: list[Piece]) -> dict[str, Any]:
    return {"commit": _one("commit")(pieces)["commit"].lower()}


def _file(pieces: list[Piece]) -> dict[str, Any]:
    if not pieces:
        raise DeeplinkProblem("path", "the path of the file is missing", len(SCHEME) + len("file"))
    for piece in pieces:
        if "/" in piece.text:
            raise DeeplinkProblem("path", "a slash between folders is not escaped", piece.at)
    path = "/".join(piece.text for piece in pieces)
    if problem := path_problem(path):
        raise DeeplinkProblem("path", problem, pieces[0].at)
    return {"path": path}


def _pr(pieces: list[Piece]) -> dict[str, Any]:
    _count(pieces, (3, 4), "owner/name/number")
    *repository, number = pieces
    return {"repository": _repository(repository), "number": _number(number.text, "path", number.at)}


def _issue(pieces: list[Piece]) -> dict[str, Any]:
    _count(pieces, (1, 3, 4), "ENG-123 or owner/name/number")
    if len(pieces) == 1:
        return {"issue": pieces[0].text}
    *repository, number = pieces
    return {"issue": f"{_repository(repository)}#{_number(number.text, 'path', number.at)}"}


def _repository(pieces: list[Piece]) -> str:
    for piece in pieces:
        if "/" in piece.text or "#" in piece.text:
            raise DeeplinkProblem("path", f"{piece.text[:40]} is no part of a repository's name", piece.at)
    return "/".join(piece.text for piece in pieces)


def _count(pieces: list[Piece], wanted: tuple[int, ...], what: str) -> None:
    if len(pieces) not in wanted:
        at = pieces[max(wanted)].at if len(pieces) > max(wanted) else None
        problem = "there is more behind it" if at is not None else f"{what} is missing"
        raise DeeplinkProblem("path", problem, len(SCHEME) if at is None else at)


def _validated(fields: dict[str, Any], at: int) -> Target:
    """The model of the fields; what the schema of the type refuses is a problem like any other."""
    from ade_generated.models.types import Deeplink
    from ade_runtime.wire import WireError

    try:
        return Deeplink.from_wire({"link": "", "target": fields}).target
    except WireError as refusal:
        first = refusal.problems[0]
        raise DeeplinkProblem(first.path.removeprefix("target."), first.message, at) from None


KINDS: dict[str, Kind] = {
    "lane": Kind(_one("lane"), ("project",)),
    "session": Kind(_one("session")),
    "run": Kind(_one("run")),
    "file": Kind(_file, ("commit", "lane", "project"), fragment=True),
    "commit": Kind(_commit, ("project",)),
    "pr": Kind(_pr),
    "issue": Kind(_issue),
}
