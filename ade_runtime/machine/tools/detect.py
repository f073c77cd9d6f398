"""Finding the agent programs of this machine: the one table of them, every place they may be in, and their versions."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ade_generated.external_tools import EXTERNAL_TOOLS, KNOWN_FOLDERS
from ade_runtime.contracts import ExternalTool
from ade_runtime.machine import login_shell
from ade_runtime.machine.login_shell import ShellAnswer, ShellSilentError
from ade_runtime.machine.tools.programs import (
    Candidate,
    distinct,
    expand,
    from_aliases,
    in_folders,
    path_folders,
)
from ade_runtime.machine.tools.versions import Version, read_version

AT_ONCE = 4
"""Programs asked for their version at the same time."""


@dataclass(frozen=True, slots=True)
class Detected:
    """One tool as it is here. Without candidates it is not installed; the first one is the one to use."""

    tool: ExternalTool
    candidates: tuple[Candidate, ...]
    version: Version


@dataclass(frozen=True, slots=True)
class Detection:
    """All tools by name. ``shell_problem`` says why the login shell, which knows more places, could not be asked."""

    tools: Mapping[str, Detected]
    shell_problem: str | None


@dataclass(slots=True)
class _Places:
    """Where to look. The login shell is asked only for tools that the caller's own PATH does not have."""

    environ: Mapping[str, str]
    shell: ShellAnswer | None = None
    problem: str | None = None
    home: Path = field(init=False)
    path: tuple[Path, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.home = Path(self.environ.get("HOME") or Path.home())
        self.path = path_folders(self.environ.get("PATH", ""))

    async def ask_shell(self, tools: Sequence[ExternalTool]) -> None:
        shell = login_shell.user_shell(self.environ)
        if shell is None:
            self.problem = "No login shell is known."
            return
        try:
            names = [program for tool in tools for program in tool.programs]
            self.shell = await login_shell.ask(shell, self.environ, names)
        except ShellSilentError as silent:
            self.problem = f"The login shell could not be asked: {silent}."

    def candidates(self, tool: ExternalTool) -> tuple[Candidate, ...]:
        found = list(in_folders(tool.programs, self.path, "path"))
        if self.shell is not None:
            found += in_folders(tool.programs, self.shell.path, "login_shell")
            found += from_aliases(tool.programs, self.shell.aliases, self.home, self.shell.path)
        folders = expand((*tool.known_folders, *KNOWN_FOLDERS), self.home)
        found += in_folders(tool.programs, folders, "known_folder")
        return tuple(distinct(found))

    @property
    def search_path(self) -> str:
        folders = (*self.path, *(self.shell.path if self.shell else ()))
        return ":".join(map(str, dict.fromkeys(folders))) or login_shell.STANDARD_PATH


async def detect(environ: Mapping[str, str], names: Collection[str] = ()) -> Detection:
    """Look for the tools called ``names``, or for all, as a user with ``environ`` has them."""
    tools = [tool for name, tool in EXTERNAL_TOOLS.items() if not names or name in names]
    places = _Places(environ)
    found = await asyncio.to_thread(_look, places, tools)
    missing = [tool for tool in tools if not any(one.found_by == "path" for one in found[tool.name])]
    if missing:
        await places.ask_shell(missing)
        found |= await asyncio.to_thread(_look, places, missing)
    gate = asyncio.Semaphore(AT_ONCE)
    detected = await asyncio.gather(*(_detected(tool, found[tool.name], places, gate) for tool in tools))
    return Detection({one.tool.name: one for one in detected}, places.problem)


def _look(places: _Places, tools: Sequence[ExternalTool]) -> dict[str, tuple[Candidate, ...]]:
    return {tool.name: places.candidates(tool) for tool in tools}


async def _detected(
    tool: ExternalTool, candidates: tuple[Candidate, ...], places: _Places, gate: asyncio.Semaphore
) -> Detected:
    if not candidates:
        return Detected(tool, (), Version(None, None))
    async with gate:
        version = await read_version(tool, candidates[0].path, places.environ, places.search_path)
    return Detected(tool, candidates, version)
