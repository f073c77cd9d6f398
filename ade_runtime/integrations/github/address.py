"""From the address of a git remote to a repository at GitHub, and where its programming interface is."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

PUBLIC = "github.com"
_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>[A-Za-z0-9.-]+):(?P<path>(?!/?/)[^\s]+)")
_NAME = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9_.-]{1,100}")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository at a GitHub host. ``host`` is lower case; ``owner`` and ``name`` are as the remote spells them."""

    host: str
    owner: str
    name: str

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    @property
    def key(self) -> str:
        """One spelling of ``owner/name``: GitHub tells letters' case apart nowhere."""
        return self.full_name.lower()

    @property
    def reference(self) -> str:
        """How links name it: with its host unless that is github.com."""
        return self.full_name if self.host == PUBLIC else f"{self.host}/{self.full_name}"


def read_remote(url: str, *, anywhere: bool = False) -> Repository | None:
    """The repository that a remote's URL names, ``None`` for what can be no repository at GitHub.

    With ``anywhere`` a path on this machine is one, too, by its last two parts: for an interface whose address was configured.
    """
    host, path = _split(url)
    if host is None and not anywhere:
        return None
    parts = [part for part in path.strip("/").removesuffix(".git").split("/") if part]
    if len(parts) < 2 or (host is not None and len(parts) != 2):
        return None
    owner, name = parts[-2:]
    if not _NAME.fullmatch(owner) or not _NAME.fullmatch(name):
        return None
    return Repository(_usual(host or PUBLIC), owner, name)


def interface_of(host: str) -> str:
    """Address of the REST interface of a host: GitHub's own, of an Enterprise Cloud with data residency, or of a server."""
    if host == PUBLIC:
        return "https://api.github.com"
    return f"https://api.{host}" if host.endswith(".ghe.com") else f"https://{host}/api/v3"


def problem_of_interface(url: str) -> str | None:
    """Why a configured address may not be given a token, ``None`` when it may."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return "it is no URL"
    if not host or parts.scheme not in ("http", "https"):
        return "it is no http or https URL"
    if parts.username or parts.password or parts.query or parts.fragment:
        return "it holds more than a host, a port and a path"
    if parts.scheme == "http" and not _is_loopback(host):
        return "http is for this machine only; write https"
    return None


def host_of(url: str) -> str:
    """The host of an address, as it may be shown."""
    return urlsplit(url).netloc


def is_local(url: str) -> bool:
    """Whether an address is this machine's own."""
    return _is_loopback(urlsplit(url).hostname or "")


def _split(url: str) -> tuple[str | None, str]:
    if "://" in url:
        try:
            parts = urlsplit(url)
            host = parts.hostname
        except ValueError:
            return None, ""
        if parts.scheme == "file":
            return None, parts.path
        usable = (
            parts.scheme in ("https", "http", "ssh", "git") and host is not None and _HOST.fullmatch(host)
        )
        return (host, parts.path) if usable else (None, "")
    found = _SCP.fullmatch(url)
    return (found["host"], found["path"]) if found else (None, url)


def _usual(host: str) -> str:
    """ssh.github.com is github.com on another port, and www a name for people."""
    host = host.lower()
    return PUBLIC if host in ("ssh.github.com", "www.github.com") else host


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
