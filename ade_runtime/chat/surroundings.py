"""What a chat's program is started with: its environment, and what it is told about where it is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.client.environment import CALLER_NAMES, runtime_environment
from ade_runtime.machine.skill_roots import VARIABLE as SKILLS_VARIABLE
from ade_runtime.machine.skill_roots import SkillRoot, as_variable, skill_roots
from ade_runtime.pipeline.identify import TOKEN_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.chat.records import ChatRecord
    from ade_runtime.contracts import ProviderEntry
    from ade_runtime.machine.paths import Paths

_OF_ONE_COMMAND = frozenset(["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE", "GPG_TTY", "TERM", "NO_COLOR"])


def usual_environment(given: Mapping[str, str]) -> dict[str, str]:
    """The variables any program gets: the caller's where there is one, else those of the runtime."""
    base = given or runtime_environment(dict(os.environ))
    return {
        name: value
        for name, value in base.items()
        if (name in CALLER_NAMES or name.startswith(("LC_", "XDG_"))) and name not in _OF_ONE_COMMAND
    }


def chat_skill_roots(folder: Path, home: Path) -> list[SkillRoot]:
    """Where a chat that works in ``folder`` has its skills from; folders that are named are those the runtime was told of."""
    return skill_roots(os.environ, folder, home)


def program_environment(
    entry: ProviderEntry,
    chat: ChatRecord,
    token: str,
    paths: Paths,
    *,
    root: str,
    folder: Path,
    given: Mapping[str, str],
) -> dict[str, str]:
    """The whole environment of a chat's program that works in ``folder``.

    Accounts come from the runtime's own environment, never from a caller's: who may talk to a chat may not choose whose account
    it uses or which server it speaks to."""
    found = usual_environment(given)
    found |= {name: os.environ[name] for name in entry.environment if name in os.environ}
    found |= {
        TOKEN_VARIABLE: token,
        "ADE_HOME": str(paths.home),
        "ADE_CHAT_SESSION_ID": chat.session,
        "ADE_DEFAULT_ROLE": chat.role,
        "ADE_PROJECT_ROOT": root,
        SKILLS_VARIABLE: as_variable(chat_skill_roots(folder, Path(found.get("HOME") or Path.home()))),
    }
    if chat.lane is not None:
        found["ADE_LANE_ID"] = chat.lane
    if "ADE_RPC_SOCKET_PATH" in os.environ:
        found["ADE_RPC_SOCKET_PATH"] = os.environ["ADE_RPC_SOCKET_PATH"]
    return found
