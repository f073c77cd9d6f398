"""The environment that git runs in: what points it at another repository is removed, what makes it wait is
switched off."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

_KEPT = frozenset(
    [
        "GIT_AUTHOR_DATE",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_NAME",
        "GIT_COMMITTER_DATE",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSH_VARIANT",
        "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH",
    ]
)
"""Variables that tell who the user is and where settings and keys are. Every other ``GIT_*`` (``GIT_DIR``,
``GIT_INDEX_FILE``, ``GIT_CONFIG_COUNT``, …) is dropped: a runtime started from a hook must not carry its
caller's repository into someone else's."""

_DROPPED = frozenset(["LANGUAGE", "LC_ALL", "LC_MESSAGES", "SSH_ASKPASS", "EDITOR", "VISUAL", "PAGER"])
_LOCALE = "C.UTF-8" if sys.platform == "linux" else "C"
"""Git's messages are parsed, so they must be English; hooks still see UTF-8 where the system has such a
locale."""

_FIXED = {
    "LC_ALL": _LOCALE,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": ":",
    "GIT_SEQUENCE_EDITOR": ":",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_PAGER": "cat",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
}

_READING = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}


def environment(
    directory: Path,
    *,
    read_only: bool,
    base: Mapping[str, str] | None = None,
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Environment for git in ``directory``. With its parent as ceiling, git looks for a repository there
    and no higher."""
    inherited = os.environ if base is None else base
    out = {
        name: value
        for name, value in inherited.items()
        if name not in _DROPPED and (not name.startswith("GIT_") or name in _KEPT)
    }
    out.update(_FIXED)
    out["GIT_CEILING_DIRECTORIES"] = str(directory.parent)
    if read_only:
        out.update(_READING)
    if extra:
        out.update(extra)
    return out
