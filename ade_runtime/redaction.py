"""Secrets that slip into text which is kept or passed on: notes, logs. Each becomes ``[redacted:<kind>]``.

Known forms are found by their marks. Other values are taken for secrets only where a name says so (``api_key = …``) or
where a setting of capital letters has a value as random as a key: a bare hash, id or path is left alone, however long.
A text is read in time linear in its length.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

MARK = "[redacted:"

_KNOWN: tuple[tuple[str, str], ...] = (
    (
        "private_key",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,60}-----|\Z)",
    ),
    ("anthropic_key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("openai_key", r"\bsk-[A-Za-z0-9_-]{20,400}"),
    ("github_token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})"),
    ("gitlab_token", r"\bgl(?:pat|ptt|rt|dt|soat)-[A-Za-z0-9_-]{16,}"),
    ("slack_token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Za-z0-9-]{10,}"),
    ("slack_webhook", r"\bhooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{16,}"),
    ("aws_key_id", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}\b"),
    ("google_key", r"\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,}"),
    ("stripe_key", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9]{16,}"),
    ("npm_token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("pypi_token", r"\bpypi-AgE[A-Za-z0-9_-]{30,}"),
    ("linear_key", r"\blin_(?:api|oauth)_[A-Za-z0-9]{20,}"),
    ("session_token", r"\badest_[A-Za-z0-9_-]{20,}"),
    ("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
)  # fmt: skip
"""Kind and form of what is recognised by itself, the more special first."""

_FORMS = [(kind, re.compile(form)) for kind, form in _KNOWN]
_URL = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>]{0,200}):([^\s/@\"'<>]{1,500})@")
_USER = re.compile(
    r"(\s(?:-[A-Za-z]{0,8}[uU]\s{0,3}|--(?:proxy-)?user[=\s]\s{0,3})[\"']?[^\s:\"']{0,100}:)([^\s\"']{1,500})"
)
"""How curl is given a user and a password; other programs mean other things by ``-u``."""
_CURL = re.compile(r"\bcurl\b")
_BEARER = re.compile(r"\b((?:Bearer|Basic|Token)\s+)([A-Za-z0-9._~+/=-]{16,})", re.IGNORECASE)
_NAMED = re.compile(
    r"((?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key"
    r"|signing[_-]?key|encryption[_-]?key|credentials?)"
    r"(?:[_-]?[A-Za-z0-9]{1,12})?[\"']?\s{0,3}(?::=|=>|[=:])\s{0,3})"
    r"(?:\"([^\"\n]{6,500})\"|'([^'\n]{6,500})'|([^\s\"'`,;(){}\[\]<>]{6,4000}+)(?!\())",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"(?<![A-Za-z0-9_])([A-Z][A-Z0-9_]{2,60}\s?=\s?[\"']?)([A-Za-z0-9+/_=.~-]{20,500})(?![A-Za-z0-9])"
)
_HEX = re.compile(r"[0-9A-Fa-f]+")
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_CODE = re.compile(
    r"[A-Za-z_$][A-Za-z0-9_]*(?:[.:]{1,2}[A-Za-z_$][A-Za-z0-9_]*)+|\$\{?[A-Za-z_][A-Za-z0-9_.]*\}?"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|v?[0-9]+(?:\.[0-9]+)+"
)
"""Names of code, of variables and of versions."""
_LEAST_NAMED = 2.5
_LONGEST_COMMAND = 2000
_LEAST_BARE = 3.9


def redact(text: str) -> str:
    """The text without its secrets. Redacting twice changes nothing."""
    return redacted(text)[0]


def redacted(text: str) -> tuple[str, int]:
    """The text without its secrets, and how many were taken out."""
    count = 0

    def with_mark(kind: str, group: int, judge: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
        def replace(found: re.Match[str]) -> str:
            nonlocal count
            value = found[group]
            if MARK in value or not judge(value):
                return found[0]
            count += 1
            start, end = found.start(group) - found.start(), found.end(group) - found.start()
            return f"{found[0][:start]}{MARK}{kind}]{found[0][end:]}"

        return replace

    for kind, form in _FORMS:
        text = form.sub(with_mark(kind, 0, _is_mixed if kind == "openai_key" else _always), text)
    text = _URL.sub(with_mark("url_password", 2, _always), text)
    text = _BEARER.sub(with_mark("credential", 2, _is_random), text)

    def of_curl(found: re.Match[str]) -> str:
        start = max(found.string.rfind("\n", 0, found.start()) + 1, found.start() - _LONGEST_COMMAND)
        is_curl = _CURL.search(found.string, start, found.start() + 1) is not None
        return with_mark("password", 2, _always)(found) if is_curl else found[0]

    text = _USER.sub(of_curl, text)

    def named(found: re.Match[str]) -> str:
        group = next(number for number in (2, 3, 4) if found[number] is not None)
        return with_mark("value", group, _is_bare_value if group == 4 else _is_value)(found)

    text = _NAMED.sub(named, text)
    text = _SETTING.sub(with_mark("value", 2, _is_key), text)
    return text, count


def entropy(text: str) -> float:
    """Bits a character, by how often each occurs."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts) if text else 0.0


def _always(_value: str) -> bool:
    return True


def _is_mixed(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isupper, value))


def _is_random(value: str) -> bool:
    return entropy(value) >= _LEAST_NAMED and any(char.isdigit() for char in value)


def _is_value(value: str) -> bool:
    """Whether what stands behind a telling name is a value: not code that fetches it, a word, a place or a blank."""
    if _CODE.fullmatch(value) or value.isalpha() or not any(map(str.isalpha, value)):
        return False
    if "://" in value or value.startswith(("/", "./", "~/")):
        return False
    return _kinds(value) >= 2 and entropy(value) >= _LEAST_NAMED


def _is_bare_value(value: str) -> bool:
    """The same without quotes round it, where code and prose are likelier."""
    return _is_value(value) and (any(map(str.isdigit, value)) or _kinds(value) > 2)


def _kinds(value: str) -> int:
    """How many kinds of characters there are: small letters, capitals, digits, others."""
    kinds = sum(any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit))
    return kinds + any(not char.isalnum() for char in value)


def _is_key(value: str) -> bool:
    """Whether a setting's value can only be random: a hash, an id and a path are not taken for a key."""
    if _HEX.fullmatch(value) or _UUID.fullmatch(value) or _CODE.fullmatch(value) or value.count("/") > 2:
        return False
    mixed = all(any(test(char) for char in value) for test in (str.islower, str.isupper, str.isdigit))
    return mixed and entropy(value) >= _LEAST_BARE
