"""Where a token comes from, and for which host each may be used.

A token is only ever given to the host it is for, by the rules of GitHub's own command line: GH_TOKEN and GITHUB_TOKEN are
for github.com and its subdomains, GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN for a server; that must be the one GH_HOST
names, since the address of a remote is anybody's to write.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from ade_runtime.integrations.github.address import PUBLIC

TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")
SERVER_TOKENS = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
HOST = "GH_HOST"
SECRET = "GITHUB_TOKEN"
"""Name of the secret that holds a token of github.com; a server's has the host's name behind it."""
_PATIENCE = 5.0
_TOKEN = re.compile(r"[\x21-\x7e]{1,1000}")


@dataclass(frozen=True, slots=True)
class Token:
    """``source`` says where it was found, in words that may be shown; the value is never among what is printed."""

    value: str = field(repr=False)
    source: str

    @property
    def fingerprint(self) -> str:
        """Tells tokens apart without giving them away."""
        return hashlib.sha256(b"ade-github-token\0" + self.value.encode()).hexdigest()[:24]


def secret_of(host: str) -> str:
    """Name of the secret with the token of a host: GITHUB_TOKEN, or GITHUB_TOKEN_GIT_EXAMPLE_ORG for git.example.org."""
    if host == PUBLIC:
        return SECRET
    return f"{SECRET}_{re.sub('[^A-Z0-9]', '_', host.upper())}"


def from_environment(environ: Mapping[str, str], host: str, *, configured: bool = False) -> Token | None:
    """The token that variables hold for a host; ``configured`` says that the interface's address was set by the owner."""
    public = host == PUBLIC or host.endswith((".ghe.com", ".github.com")) or configured
    if not public and environ.get(HOST, "").lower() != host:
        return None
    for name in TOKENS if public else SERVER_TOKENS:
        value = environ.get(name, "").strip()
        if value and _TOKEN.fullmatch(value):
            return Token(value, name)
    return None


async def from_gh(environ: Mapping[str, str], host: str) -> Token | None:
    """The token of GitHub's own command line, where it is installed and signed in; the token comes over a pipe."""
    program = shutil.which("gh", path=environ.get("PATH", ""))
    if program is None:
        return None
    kept = {name: value for name, value in environ.items() if name not in TOKENS + SERVER_TOKENS}
    asking = await asyncio.create_subprocess_exec(
        *(program, "auth", "token", "--hostname", host),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"HOME": os.path.expanduser("~"), **kept},  # noqa: ASYNC240, PTH111 - looks at variables only
        start_new_session=True,
    )
    try:
        out, _ = await asyncio.wait_for(asking.communicate(), _PATIENCE)
    except TimeoutError:
        return None
    finally:
        if asking.returncode is None:
            os.killpg(asking.pid, signal.SIGKILL)
            await asking.wait()
    value = out.decode("ascii", "replace").strip()
    return Token(value, "gh auth token") if asking.returncode == 0 and _TOKEN.fullmatch(value) else None
