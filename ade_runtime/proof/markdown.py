"""The comment that shows proof: what a reader sees where it is posted, and nothing that its parts could make of it.

Captions and names are somebody's text. They are escaped so that they neither format nor link, mention nobody and close no
issue (a word joiner after ``@`` and ``#`` keeps GitHub from seeing a name or a number there).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ade_runtime.proof.kinds import IMAGES
from ade_runtime.proof.records import ProofRecord

SHOWN_TEXT = 4096
"""Bytes of a text that stand in the comment."""
LONGEST = 60_000
"""Characters of a comment; GitHub takes 65,536."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&$@:-])")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_JOINER = "\u2060"
_URL = re.compile(r"https://[^\s<>\"'`\\(){}|^\[\]]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece, where its content can be seen, and the beginning of its text."""

    record: ProofRecord
    url: str | None
    text: str | None


def url_problem(url: str) -> str | None:
    """Why an address cannot stand in a comment; ``None`` when it can."""
    if not url.lower().startswith("https://"):
        return "it does not begin with https://"
    return None if _URL.fullmatch(url) else "it holds a character that must be escaped"


def comment(title: str, shown: Sequence[Shown]) -> tuple[str, list[str]]:
    """The Markdown, and the ids of the pieces whose content is not in it. What does not fit any more is named, not shown."""
    parts, left = [f"### {_text(title)}\n"], []
    room = LONGEST - len(parts[0]) - 200 * len(shown)
    for one in shown:
        part, whole = _part(one)
        if len(part) > room:
            part, whole = _facts(one.record) + "\n", False
        if not whole:
            left.append(one.record.id)
        room -= len(part)
        parts.append(part)
    body = "\n".join(parts)
    return (body if len(body) <= LONGEST else body[: LONGEST - 1] + "…"), left


def _part(one: Shown) -> tuple[str, bool]:
    """One piece, and whether a reader sees its content there."""
    record = one.record
    facts = _facts(record)
    if one.url is not None:
        label = _text(record.caption or record.name)
        picture = "!" if record.kind in IMAGES else ""
        return f"{facts}\n\n{picture}[{label}]({one.url})\n", True
    if one.text is None:
        missing = f"_Its content is not in this comment; it is proof `{record.id}` of the sender's ADE._"
        return f"{facts}\n\n{missing}\n", False
    whole = len(one.text.encode()) >= record.size
    summary = "Its text" if whole else f"The first of {record.size} bytes"
    fence, language = _fence(one.text), "json" if record.kind == "json" else "text"
    text = _UNSEEN.sub("\ufffd", one.text.rstrip("\n"))
    block = f"{fence}{language}\n{text}\n{fence}"
    return f"{facts}\n\n<details><summary>{summary}</summary>\n\n{block}\n\n</details>\n", whole


def _facts(record: ProofRecord) -> str:
    size = f", {record.width}×{record.height}" if record.width and record.height else ""
    caption = f"**{_text(record.caption)}**<br>" if record.caption else ""
    name = _text(record.name)
    return f"{caption}File {name} ({record.kind}{size}, {_bytes(record.size)}), SHA-256 `{record.sha256}`"


def _text(value: str) -> str:
    """Somebody's text as inline Markdown that renders as just that text, on one line."""
    line = _UNSEEN.sub("", " ".join(value.split()))
    escaped = _SPECIAL.sub(r"\\\1", line)
    return re.sub(r"(\\[@#])", rf"\1{_JOINER}", escaped)


def _fence(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(3, longest + 1)


def _bytes(count: int) -> str:
    for size, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"
