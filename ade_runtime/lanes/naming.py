"""From a lane's name to a branch and a folder that git and every file system accept.

Branches are ``ade/<slug>`` with a slug of one path component, so that two lanes can never stand in each
other's way as ``a`` and ``a/b`` would. Rules of :manpage:`git-check-ref-format(1)` are kept by construction,
not by asking git.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Container, Iterator

PREFIX = "ade/"
PRIMARY = "primary"
MAX_SLUG_BYTES = 60
"""Short enough for a ref file with ``.lock`` behind it (255 bytes) and for deep paths on Windows (260
characters)."""

_BIDI = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JOINERS = frozenset("\u200c\u200d\ufe0e\ufe0f")
_RESERVED_FOLDERS = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{device}{digit}" for device in ("com", "lpt") for digit in "0123456789\u00b9\u00b2\u00b3"]
)
_LATIN_SHAPES = frozenset("асеорхуіјѕһԛԝӏАВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ")
"""Cyrillic and Greek letters drawn like Latin ones."""
_LOOK_ALIKE_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "FULLWIDTH", "MATHEMATICAL")


class BadNameError(ValueError):
    """A name no lane can have; the text is the reason, written to follow a colon."""


def clean_name(raw: str) -> str:
    """The name as it is stored and shown: NFC, single spaces. Raises :class:`BadNameError` for what cannot be
    shown or typed."""
    for character in raw:
        if character == "\x00":
            raise BadNameError("it holds a NUL character")
        if character in _BIDI:
            raise BadNameError(f"it holds the invisible direction mark U+{ord(character):04X}")
        if unicodedata.category(character) in ("Cc", "Cs") and character not in "\t\n\r":
            raise BadNameError(f"it holds the control character U+{ord(character):04X}")
        if unicodedata.category(character) == "Cf" and character not in _JOINERS and not _is_tag(character):
            raise BadNameError(f"it holds the invisible character U+{ord(character):04X}")
    name = " ".join(unicodedata.normalize("NFC", raw).split())
    if not name:
        raise BadNameError("it is blank")
    if name.startswith("-"):
        raise BadNameError("it begins with a dash, which git reads as an option")
    if not name.strip("."):
        raise BadNameError("it is made of dots only")
    return name


def name_key(name: str) -> str:
    """What two names that look the same have in common: case, width and Unicode form do not tell lanes
    apart."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    visible = "".join(c for c in folded if c not in _JOINERS and not _is_tag(c))
    return " ".join(unicodedata.normalize("NFKC", visible).split())


def name_ascii(name: str) -> str | None:
    """The name with letters that can be mistaken for others written as escapes, or ``None`` when there is
    none.

    A letter can be mistaken when the name mixes scripts that share letter shapes, or consists of such shapes
    only.
    """
    if name.isascii():
        return None
    scripts = {script for c in name if (script := _script(c)) in _LOOK_ALIKE_SCRIPTS}
    foreign = scripts - {"LATIN"}
    if not foreign:
        return None
    if "LATIN" not in scripts and not all(c in _LATIN_SHAPES for c in name if c.isalpha()):
        return None
    return "".join(c if c.isascii() else c.encode("unicode_escape").decode("ascii") for c in name)


def slug_of(name: str) -> str:
    """One path component made of the name's letters and digits; never empty, never more than 60 bytes of
    UTF-8."""
    kept = "".join(_slug_character(c) for c in unicodedata.normalize("NFC", name).lower())
    slug = _tidy(kept)
    if not any(c.isalnum() for c in slug):
        slug = _tidy("-".join(_spoken(name))) or f"lane-{_digest(name)}"
    if len(slug.encode()) > MAX_SLUG_BYTES:
        slug = f"{_tidy(_cut(slug, MAX_SLUG_BYTES - 9))}-{_digest(name)}"
    return slug


def folder_of(slug: str) -> str:
    """The slug as a folder name that Windows can hold as well: no device names, nothing it would cut off."""
    stem = slug.split(".", 1)[0]
    return f"lane-{slug}" if stem in _RESERVED_FOLDERS else slug


def unique(wanted: str, taken: Container[str]) -> str:
    """``wanted``, or ``wanted-2``, ``wanted-3``, … : the first whose :func:`name_key` is not taken."""
    for candidate in _candidates(wanted):
        if name_key(candidate) not in taken:
            return candidate
    raise AssertionError("an endless sequence ended")


def _candidates(wanted: str) -> Iterator[str]:
    yield wanted
    number = 2
    while True:
        yield f"{wanted}-{number}"
        number += 1


def _slug_character(character: str) -> str:
    if character in "._":
        return character
    return character if unicodedata.category(character)[0] in "LNM" else "-"


def _tidy(text: str) -> str:
    """Single dashes and dots, none of them at an end or beside each other, and no ``.lock`` at the end."""
    out: list[str] = []
    for character in text:
        if character in "-." and (not out or out[-1] in "-."):
            continue
        out.append(character)
    slug = unicodedata.normalize("NFC", "".join(out).strip("-."))
    while slug.endswith(".lock"):
        slug = slug[: -len(".lock")] + "-lock"
    return _without_leading_marks(slug)


def _without_leading_marks(slug: str) -> str:
    """A combining mark with no letter before it would stick to the slash of the ref."""
    while slug and unicodedata.category(slug[0]).startswith("M"):
        slug = slug[1:].lstrip("-.")
    return slug


def _spoken(name: str) -> Iterator[str]:
    """Names of up to three symbols, so that an emoji becomes a word that can be typed."""
    count = 0
    for character in name:
        if unicodedata.category(character) in ("So", "Sm", "Sc", "Sk") and count < 3:
            words = unicodedata.name(character, "").lower().split()
            if words:
                count += 1
                yield "-".join(words[:3])


def _cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def _digest(name: str) -> str:
    return hashlib.sha256(name_key(name).encode()).hexdigest()[:8]


def _script(character: str) -> str:
    if not unicodedata.category(character).startswith("L"):
        return ""
    return unicodedata.name(character, "").split(" ", 1)[0]


def _is_tag(character: str) -> bool:
    """Tag characters end the sequences of some flag emoji."""
    return 0xE0020 <= ord(character) <= 0xE007F
