"""What every check is given and what it gives back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from ade_runtime.machine import login_shell, loop
from ade_runtime.machine.login_shell import ShellAnswer, ShellSilentError
from ade_runtime.machine.paths import Paths
from ade_runtime.machine.tools.detect import Detection, detect

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Row:
    """One finding: what was looked at, how it is, what was seen, and what to do where it is not ok.

    ``fix`` does that step where it is safe: nothing of the user's is lost or becomes less private by it. It may raise
    ``OSError``.
    """

    check: str
    state: State
    found: str
    next: str = ""
    fix: Callable[[], None] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Place:
    """The machine as the caller sees it. Nothing here changes it, and no secret's value leaves it."""

    environ: Mapping[str, str]
    paths: Paths

    @classmethod
    def here(cls) -> Place:
        environ = dict(os.environ)
        return cls(environ, Paths.from_environment(environ))

    @property
    def home(self) -> Path:
        """The user's home folder."""
        return Path(self.environ.get("HOME") or Path.home())

    @cached_property
    def cwd(self) -> Path | None:
        """The working folder, ``None`` where it is gone."""
        try:
            return Path.cwd()
        except OSError:
            return None

    @cached_property
    def agents(self) -> Detection:
        """The agent programs on this machine."""
        return loop.run(detect(self.environ))

    @cached_property
    def shell(self) -> ShellAnswer | str:
        """What the user's login shell says, or why it could not be asked."""
        shell = login_shell.user_shell(self.environ)
        if shell is None:
            return "no login shell is known"
        try:
            return loop.run(login_shell.ask(shell, self.environ))
        except ShellSilentError as silent:
            return str(silent)


Check = Callable[[Place], Iterator[Row]]
