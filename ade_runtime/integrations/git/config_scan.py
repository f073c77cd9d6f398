"""Settings of a repository's own configuration that make git run programs.

Such settings come with a folder that someone else prepared (a clone does not carry them). The user's own
and the system's configuration are not looked at: they are the user's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ade_runtime.integrations.git.runner import Git
from ade_runtime.integrations.git.text import redact, show_text

VALUE_LIMIT = 200

_KEYS = (
    (r"core\.fsmonitor", "status"),
    (r"core\.hookspath", "commit, checkout, push and others"),
    (r"core\.(sshcommand|gitproxy)", "fetch and push"),
    (r"core\.askpass|credential(\..*)?\.helper", "fetch and push"),
    (r"core\.(editor|pager)|sequence\.editor|pager\..*", "commands typed by hand"),
    (r"core\.alternaterefscommand", "fetch and push"),
    (r"diff\.external|diff\..*\.(command|textconv)", "diff and log"),
    (r"filter\..*\.(clean|smudge|process)", "status, diff, checkout and worktree add"),
    (r"merge\..*\.driver", "merge and rebase"),
    (r"gpg(\..*)?\.program|gpg\.ssh\.defaultkeycommand", "commit and tag"),
    (r"remote\..*\.(uploadpack|receivepack|vcs)", "fetch and push"),
    (r"submodule\..*\.update", "submodule update"),
    (r"(interactive\.difffilter|trailer\..*\.(command|cmd)|sendemail\..*|guitool\..*|browser\..*|man\..*)",
     "commands typed by hand"),
    (r"(difftool|mergetool)\..*\.cmd", "commands typed by hand"),
    (r"alias\..*", "commands typed by hand"),
)  # fmt: skip
_RULES = tuple((re.compile(pattern), when) for pattern, when in _KEYS)
_HARMLESS = {"core.fsmonitor": ("true", "false", "", "yes", "no", "on", "off", "1", "0")}


@dataclass(frozen=True, slots=True)
class Finding:
    """``key = value`` in the repository's configuration runs a program during ``when``. ``value`` is
    bounded and redacted."""

    key: str
    value: str
    when: str

    def __str__(self) -> str:
        return (
            f"the repository's own configuration runs a program during {self.when}: {self.key} = {self.value}"
        )


async def scan_config(git: Git) -> list[Finding]:
    """Findings in the repository's own and its worktree's configuration, files they include among them."""
    result = await git.read("config", "--list", "--show-scope", "-z", "--includes")
    tokens = result.stdout.split(b"\0")
    out = []
    for scope, entry in zip(tokens[::2], tokens[1::2], strict=False):
        if scope not in (b"local", b"worktree"):
            continue
        key, _, value = show_text(entry).partition("\n")
        when = runs_program(key, value)
        if when is not None:
            out.append(Finding(key, redact(value)[:VALUE_LIMIT], when))
    return out


def runs_program(key: str, value: str) -> str | None:
    """When git would run a program because of this setting, ``None`` when it would not. ``key`` is as git
    prints it."""
    lowered = key.lower()
    if value.strip().lower() in _HARMLESS.get(lowered, ()):
        return None
    if lowered.startswith("submodule.") and not value.startswith("!"):
        return None
    if lowered.startswith("alias.") and not value.startswith("!"):
        return None
    for pattern, when in _RULES:
        if pattern.fullmatch(lowered):
            return when
    return None
