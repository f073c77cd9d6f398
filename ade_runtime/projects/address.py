"""Addresses of repositories to clone: which are handed to git, and what of them may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from ade_generated import errors
from ade_runtime.integrations.git.text import redact

SCHEMES = ("https", "ssh", "git", "file")
_SCP = re.compile(
    r"(?P<user>[A-Za-z0-9_.][A-Za-z0-9_.-]*@)?(?P<host>[A-Za-z0-9_.][A-Za-z0-9_.-]*|\[[0-9a-fA-F:]+\]):(?P<path>[^:].*)"
)
_HELPER = '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$ADE_CLONE_USER" "$ADE_CLONE_PASSWORD"; }; f'


@dataclass(frozen=True, slots=True)
class Address:
    """``url`` is what git is given, without user and password; ``shown`` may be told to anyone."""

    url: str
    shown: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def folder(self) -> str:
        """The name git would give the folder."""
        tail = re.split(r"[/:]", self.url.rstrip("/").removesuffix("/.git"))[-1]
        return unquote(tail.removesuffix(".git")) or "repository"

    def credentials(self) -> dict[str, str]:
        """Environment that answers git's question for a password once. Neither a command line nor a file ever
        holds it."""
        if not self.password:
            return {}
        return {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "credential.helper",
            "GIT_CONFIG_VALUE_0": _HELPER,
            "ADE_CLONE_USER": self.user,
            "ADE_CLONE_PASSWORD": self.password,
        }


def read_address(text: str, cwd: str | None) -> Address:
    """The address in ``text``; raises ``invalid_url``. A folder is read from ``cwd``."""
    problem = _refusal(text)
    if problem is not None:
        raise errors.InvalidUrl(url=_printable(redact(text)), reason=problem)
    if "://" in text:
        return _from_url(text)
    if _is_local(text):
        folder = Path(cwd or Path.home()) / Path(text).expanduser()
        if not folder.is_dir():
            raise errors.InvalidUrl(url=text, reason="there is no such folder")
        return Address(str(folder), str(folder))
    return Address(text, text)


def _refusal(text: str) -> str | None:
    if not text.strip():
        return "it is blank"
    if text.startswith("-"):
        return "it begins with a dash, which git reads as an option"
    if not text.isprintable() or any(c.isspace() and c != " " for c in text):
        return "it holds a character that cannot be shown"
    if re.match(r"[A-Za-z0-9+.-]*::", text):
        return "it names a helper program to run"
    if "://" not in text:
        return None if _is_local(text) or _SCP.fullmatch(text) else "it is neither an address nor a folder"
    scheme = text.partition("://")[0].lower()
    if scheme not in SCHEMES:
        return f"{scheme} is not a way to reach a repository"
    return None


def _from_url(text: str) -> Address:
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError as problem:
        raise errors.InvalidUrl(url=_printable(redact(text)), reason=str(problem)) from None
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if host.startswith("-") or user.startswith("-"):
        raise errors.InvalidUrl(url=redact(text), reason="its host or user begins with a dash")
    if not host and parts.scheme != "file":
        raise errors.InvalidUrl(url=redact(text), reason="it names no host")
    if any(not character.isprintable() for character in user + password):
        raise errors.InvalidUrl(url=redact(text), reason="its user or password cannot be typed")
    if parts.scheme != "https":
        if password:
            raise errors.InvalidUrl(url=redact(text), reason="only https addresses may hold a password")
        return Address(text, redact(text))
    shown_host = f"[{host}]" if ":" in host else host
    where = f"{user}@" if user and not password else ""
    clean = urlunsplit((parts.scheme, where + shown_host + port, parts.path, parts.query, ""))
    return Address(clean, redact(clean), user, password)


def _is_local(text: str) -> bool:
    """A path: as for git, a colon before the first slash makes it an address."""
    return ":" not in text.split("/", 1)[0]


def _printable(text: str) -> str:
    return text if text.isprintable() else text.encode("unicode_escape", "backslashreplace").decode("ascii")
