"""What parsing a command line can come to.

Exactly one of these is returned by :func:`ade_runtime.cli.parse.parse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ade_runtime.contracts import AdeError, Exit, JsonObject

OutputMode = Literal["auto", "json", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalOptions:
    """Options every command takes, wherever they stand on the line.

    ``output`` is ``auto`` when neither --json nor --text (nor --jq, which implies JSON) was given: text on a
    terminal, JSON otherwise. ``timeout`` is in seconds. ``None`` always means "not given".
    """

    output: OutputMode = "auto"
    jq: str | None = None
    project: str | None = None
    role: str | None = None
    socket: str | None = None
    headless: bool = False
    timeout: float | None = None
    no_color: bool = False
    quiet: bool = False
    request_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A call to make: ``arguments`` holds only what the line gave, keyed by wire field name.

    With ``dry_run`` the call is validated and shown, not made.
    """

    action_id: str
    arguments: JsonObject
    options: GlobalOptions
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpText:
    """Text for standard output with exit code 0: help, or the skeleton of an input."""

    text: str
    options: GlobalOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCommand:
    """A command of the program itself (``serve``, ``doctor``, ``version`` …), performed by the calling
    process.

    ``name`` is its words joined by a blank, as in :data:`ade_runtime.cli.local_commands.LOCAL_COMMANDS`, or
    ``version`` for ``--version``; ``args`` is everything after them, untouched.
    """

    name: str
    args: tuple[str, ...]
    options: GlobalOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsText:
    """The line refers to text that only the caller's own process may read.

    Each of ``sources`` is ``-`` for standard input or an absolute path. Read them as UTF-8 and parse the same
    line again with ``texts={source: text}``.
    """

    sources: tuple[str, ...]
    options: GlobalOptions


class UsageProblem(AdeError):
    """A line that cannot be read: code ``invalid_arguments``, exit code 2.

    Returned by ``parse``, never raised from it.

    ``options`` are those that could be told, so that the problem is shown in the mode the caller asked for.
    """

    code: ClassVar[str] = "invalid_arguments"
    rpc: ClassVar[int] = -32602
    exit: ClassVar[Exit] = Exit.USAGE

    def __init__(self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, hint=hint, details=details)
        self.options = GlobalOptions()


Outcome = Invocation | HelpText | LocalCommand | NeedsText | UsageProblem


@dataclass(slots=True)
class LineState:
    """What the levels of one line collect while they are read, outermost first."""

    width: int
    cwd: str
    texts: Mapping[str, str]
    given: JsonObject = field(default_factory=dict)
    help: bool = False
    version: bool = False
