"""The program of an agent: which it is, its command line and its environment."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.providers import PROVIDERS
from ade_runtime.agents.brief import BEGIN, pointer
from ade_runtime.holders.environment import command_environment
from ade_runtime.machine.skill_roots import VARIABLE as SKILLS_VARIABLE
from ade_runtime.machine.skill_roots import as_variable, skill_roots
from ade_runtime.pipeline.identify import TOKEN_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ade_runtime.contracts import ProviderEntry, ProviderTerminal
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.machine.paths import Paths
    from ade_runtime.pipeline.call import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an agent is started as. ``allowed_tools`` are names in the program's own words."""

    entry: ProviderEntry
    terminal: ProviderTerminal
    model: str | None
    permission_mode: str
    allowed_tools: tuple[str, ...]

    def settings(self) -> dict[str, object]:
        """What the record of its terminal keeps."""
        return {
            "provider": self.entry.name,
            "model": self.model,
            "permission_mode": self.permission_mode,
            "allowed_tools": list(self.allowed_tools),
        }


def wanted(provider: str, model: str | None, permission_mode: str, allowed: Sequence[str] | None) -> Wanted:
    """Raises ``unknown_provider``, ``no_terminal_program``, ``unsupported_mode`` and ``no_tool_list``."""
    in_terminals = ", ".join(name for name, entry in PROVIDERS.items() if entry.terminal is not None)
    entry = PROVIDERS.get(provider)
    if entry is None:
        raise errors.UnknownProvider(provider=provider, known=in_terminals)
    terminal = entry.terminal
    if terminal is None:
        raise errors.NoTerminalProgram(provider=provider, known=in_terminals)
    if permission_mode not in terminal.permission_modes:
        known = ", ".join(terminal.permission_modes)
        raise errors.UnsupportedMode(provider=provider, mode=permission_mode, known=known)
    if allowed and not terminal.allowed_tools:
        raise errors.NoToolList(provider=provider)
    return Wanted(
        entry=entry,
        terminal=terminal,
        model=model,
        permission_mode=permission_mode,
        allowed_tools=tuple(allowed or ()),
    )


async def find_program(entry: ProviderEntry, environ: Mapping[str, str]) -> Path:
    """The user's own program; raises ``agent_program_missing``."""
    from ade_runtime.machine.tools.detect import detect

    found = (await detect(environ, {entry.program})).tools[entry.program]
    if not found.candidates:
        raise errors.AgentProgramMissing(title=entry.title, step=entry.hint)
    return found.candidates[0].path


def command(agent: Wanted, program: Path, brief: Path) -> tuple[str, ...]:
    """The command line. Values stand behind ``=``: an option that takes several would else take what follows, too."""
    terminal = agent.terminal
    options = {
        terminal.model: agent.model,
        terminal.brief: str(brief),
        terminal.allowed_tools: ",".join(agent.allowed_tools),
    }
    return (
        str(program),
        *terminal.arguments,
        *terminal.permission_modes[agent.permission_mode],
        *(f"{option}={value}" for option, value in options.items() if option and value),
        "--",
        BEGIN if terminal.brief else pointer(brief),
    )


async def environment(
    call: Call, paths: Paths, lane: LaneRecord, agent: Wanted, program: Path, token: str
) -> dict[str, str]:
    """That of any command in a lane, the agent's account, and the token, which stands nowhere else.

    Accounts come from the runtime's own environment, as those of chats do: who starts an agent does not choose whose account it
    uses.
    """
    found = command_environment(call, paths, lane, None, terminal=True)
    found |= {name: os.environ[name] for name in agent.entry.environment if name in os.environ}
    found["PATH"] = _with_folder(found["PATH"], program.parent)
    roots = await asyncio.to_thread(
        skill_roots, call.caller.env or os.environ, lane.path, Path(found["HOME"])
    )
    found |= dict(agent.terminal.environment) | {
        TOKEN_VARIABLE: token,
        "ADE_DEFAULT_ROLE": "agent",
        SKILLS_VARIABLE: as_variable(roots),
    }
    if call.identity.run is not None:
        found["ADE_RUN_ID"] = call.identity.run
    own = Path(sys.executable).with_name("ade")
    if own.is_file():
        found["ADE_CLI_PATH"] = str(own)
    return found


def _with_folder(path: str, folder: Path) -> str:
    """A script's interpreter often lies beside it, where the login shell may find it and the caller does not."""
    return path if str(folder) in path.split(os.pathsep) else os.pathsep.join([path, str(folder)])
