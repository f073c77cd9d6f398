"""Files by a few letters of their path.

The letters have to stand in the path in their order. Of the ways to find them the tightest that ends first counts, and is worth
more where letters follow each other and where they begin a name or a word. The same files and query give the same order.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

LETTER = 16
FOLLOWING = 16
BEGINS_NAME = 20
BEGINS_WORD = 12
IN_NAME = 6
SAME_CASE = 2
WHOLE_NAME = 60
GAP = 1
MOST_GAP = 20
RECENT = 24
RECENT_FILES = 10
MOST_RANKED = 20_000
"""Files that fit and are looked at for when they changed."""


@dataclass(frozen=True, slots=True)
class Ranked:
    path: bytes
    score: int
    recent: bool


def candidates(paths: Sequence[bytes], query: str) -> list[tuple[bytes, int]]:
    """Paths that fit, with their score, in the order of the paths; blanks in the query stand for nothing. Where too many fit,
    those with the best scores."""
    letters = "".join(query.split())
    if not letters:
        return []
    wanted = letters.casefold()
    found = []
    for path in paths:
        text = path.decode("utf-8", "replace")
        folded = text.casefold()
        end = _first(folded, wanted, 0)
        if end is not None:
            found.append((path, _score(text, folded, letters, end)))
    if len(found) > MOST_RANKED:
        found = sorted(heapq.nlargest(MOST_RANKED, found, key=lambda one: (one[1], one[0])))
    return found


def ranked(found: Sequence[tuple[bytes, int]], changed: dict[bytes, int]) -> list[Ranked]:
    """The best first: by score, then the shorter path, then by name. ``changed`` says when files changed; the ten that changed
    last are worth more."""
    latest = set(heapq.nlargest(RECENT_FILES, changed, key=lambda path: (changed[path], path)))
    scored = [
        Ranked(path, score + (RECENT if path in latest else 0), path in latest) for path, score in found
    ]
    return sorted(scored, key=lambda one: (-one.score, len(one.path), one.path))


def _score(text: str, folded: str, letters: str, end: int) -> int:
    """The score of the better of two ways: the one that ends first, and the one within the name alone."""
    if len(folded) != len(
        text
    ):  # folding changed the length, so places in the one are not those in the other
        text = folded
    wanted = letters.casefold()
    name = folded.rfind("/") + 1
    best = _worth(text, letters, _tightest(folded, wanted, end), name)
    inside = _first(folded, wanted, name)
    if inside is not None:
        best = max(best, _worth(text, letters, _tightest(folded, wanted, inside), name))
    if folded[name:] == wanted or folded[name:].rpartition(".")[0] == wanted:
        best += WHOLE_NAME
    return best


def _first(folded: str, wanted: str, place: int) -> int | None:
    """Where the letters have all been met, from ``place`` on."""
    for letter in wanted:
        place = folded.find(letter, place) + 1
        if not place:
            return None
    return place


def _tightest(folded: str, wanted: str, end: int) -> list[int]:
    """The places of the letters, going back from ``end``."""
    places = []
    for letter in reversed(wanted):
        end = folded.rfind(letter, 0, end)
        places.append(end)
    return places[::-1]


def _worth(text: str, letters: str, places: Sequence[int], name: int) -> int:
    worth, before = 0, None
    for letter, place in zip(letters.ljust(len(places)), places, strict=False):
        worth += LETTER + (SAME_CASE if place < len(text) and text[place] == letter else 0)
        worth += IN_NAME if place >= name else 0
        if place == name or place == 0:
            worth += BEGINS_NAME
        elif _begins_word(text, place):
            worth += BEGINS_WORD
        if before is not None:
            gap = place - before - 1
            worth += FOLLOWING if gap == 0 else -min(gap * GAP, MOST_GAP)
        before = place
    return worth


def _begins_word(text: str, place: int) -> bool:
    before, here = text[place - 1], text[place]
    return not before.isalnum() or (before.islower() and here.isupper())
