"""From what somebody typed to a full-text expression that is always well-formed.

Words must all occur; ``"several words"`` stand together; ``auth*`` is the beginning of a word. Nothing else means
anything: operators, brackets and quotes of the full-text engine are only ever text here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_TERMS = 24
_TOKEN = re.compile(r'"([^"]*)"?|([^\s"]+)')
_HASH = re.compile(r"[0-9a-fA-F]{7,40}")
_CJK = "[\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_ONE = re.compile(f"({_CJK})")
_BETWEEN = re.compile(f"({_CJK}[\x02\x03]?) +(?=[\x02\x03]?{_CJK})")


@dataclass(frozen=True, slots=True)
class Term:
    """Text to find; ``prefix`` says that its last word may go on."""

    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """Terms that all must occur."""

    terms: tuple[Term, ...]

    def expression(self, *, prefixes: bool = False) -> str:
        """The full-text expression; with ``prefixes`` every word may go on."""
        return " AND ".join(_quoted(term, prefixes) for term in self.terms)


def read(text: str) -> Query:
    """The query of a text; one without words has no terms."""
    terms = []
    for phrase, word in _TOKEN.findall(text):
        given = phrase or word
        if not any(char.isalnum() for char in given):
            continue
        prefix = not phrase and (given.endswith("*") or bool(_HASH.fullmatch(given)))
        terms.append(Term(given.strip("*") if not phrase else given, prefix))
    return Query(tuple(dict.fromkeys(terms))[:MOST_TERMS])


def segmented(text: str) -> str:
    """Text as it is indexed: scripts without blanks between words get one round each character."""
    text = unicodedata.normalize("NFC", text).replace("\0", " ")
    return text if text.isascii() else _ONE.sub(r" \1 ", text)


def joined(text: str) -> str:
    """What :func:`segmented` made, as it is shown; marks round neighbouring characters become one pair."""
    if text.isascii():
        return text
    return _BETWEEN.sub(r"\1", text).replace("\x03\x02", "").strip()


def _quoted(term: Term, prefixes: bool) -> str:
    text = segmented(term.text).replace('"', " ")
    return f'"{text}"*' if term.prefix or prefixes else f'"{text}"'
