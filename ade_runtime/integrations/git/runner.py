"""Running git in one directory: arguments as a list, bounded output, no prompt, no pager, no surprise
programs."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git import hooks
from ade_runtime.integrations.git.classify import classify
from ade_runtime.integrations.git.environment import environment
from ade_runtime.integrations.git.failures import (
    GitError,
    GitLocked,
    GitMissing,
    GitTimedOut,
    OutputTooLarge,
    WorktreeMissing,
)
from ade_runtime.integrations.git.process import Output, execute
from ade_runtime.integrations.git.text import redact, show_text

MEBIBYTE = 1024 * 1024
OUTPUT_LIMIT = 32 * MEBIBYTE
ERROR_LIMIT = 64 * 1024
COMPLAINT_LIMIT = 8 * 1024
TIMEOUT = 60.0
LOCK_PATIENCE = 2.5
"""Seconds to wait for another git to let go of a lock before saying so: with all that is around it, in 3 seconds."""
LOCK_PAUSE = 0.1

Argument = str | bytes | Path

_QUIET: tuple[str, ...] = tuple(
    part
    for setting in (
        "core.fsmonitor=false",
        f"core.hooksPath={os.devnull}",
        "core.quotePath=false",
        "gc.auto=0",
        "log.showSignature=false",
        "maintenance.auto=false",
        "safe.bareRepository=explicit",
        "status.submoduleSummary=false",
    )
    for part in ("-c", setting)
)
_DIFFING = frozenset(["diff", "log", "show", "diff-tree", "diff-index", "diff-files"])
_NO_PROGRAMS = ("--no-ext-diff", "--no-textconv")


@dataclass(slots=True)
class GitResult:
    """What git printed and its exit code. ``truncated`` tells that stdout was cut at the limit (only with
    ``truncate=True``); ``warnings`` holds failures that changed nothing about the outcome, such as that of
    a post-commit hook."""

    stdout: bytes
    stderr: bytes
    code: int
    truncated: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """stdout as text without trailing newlines."""
        return show_text(self.stdout).rstrip("\n")

    @property
    def lines(self) -> list[str]:
        return show_text(self.stdout).splitlines()

    def records(self) -> list[bytes]:
        """stdout split at NUL, without the empty end."""
        parts = self.stdout.split(b"\0")
        if parts and not parts[-1].strip(b"\n"):
            parts.pop()
        return parts


class Git:
    """Git in ``directory``. ``guard`` runs before each command and raises where the directory is not what
    it should be.

    ``read_only=True`` switches off every program that the repository's own configuration can name for a
    read (file system monitor, hooks, external diff, text conversion, signature checks) and optional locks;
    clean and smudge filters stay, since without them files of Git LFS look changed, and :mod:`.config_scan`
    reports them.
    """

    def __init__(
        self,
        directory: Path,
        *,
        guard: Callable[[], None] | None = None,
        env: Mapping[str, str] | None = None,
        program: str = "git",
    ) -> None:
        self.directory = directory
        self._guard = guard
        self._env = env
        self._program = program

    async def run(
        self,
        *args: Argument,
        check: bool = True,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        timeout: float = TIMEOUT,
        env: Mapping[str, str] | None = None,
        read_only: bool = False,
        plumbing: bool = False,
        limit: int = OUTPUT_LIMIT,
        truncate: bool = False,
        traced: bool = False,
        literal: bool = True,
        retry_locked: bool = True,
    ) -> GitResult:
        """Run ``git *args``; the first argument is the subcommand.

        With ``check`` an exit code outside ``ok`` is raised as the fitting :class:`GitError`. ``traced`` is
        for commands that run the user's hooks: a failing hook is then told from a failing git. A command
        that finds a lock is run again for :data:`LOCK_PATIENCE` seconds unless ``retry_locked`` is false,
        which suits commands that may have changed something before they met the lock.
        """
        argv = self._argv(args, quiet=read_only or plumbing, literal=literal and not traced)
        command = _text_of(args[0])
        deadline = asyncio.get_running_loop().time() + LOCK_PATIENCE
        while True:
            if self._guard is not None:
                self._guard()
            result, failure = await self._once(
                argv, command, stdin, timeout, env, read_only, limit, truncate, traced
            )
            if result.code in ok or failure is None:
                return result
            if not isinstance(failure, GitLocked):
                if check:
                    raise failure
                return result
            if not retry_locked or asyncio.get_running_loop().time() + LOCK_PAUSE > deadline:
                raise failure
            await asyncio.sleep(LOCK_PAUSE)

    async def read(
        self,
        *args: Argument,
        check: bool = True,
        ok: tuple[int, ...] = (0,),
        stdin: bytes | None = None,
        timeout: float = TIMEOUT,
        limit: int = OUTPUT_LIMIT,
        truncate: bool = False,
    ) -> GitResult:
        """:meth:`run` with ``read_only=True``."""
        return await self.run(
            *args,
            check=check,
            ok=ok,
            stdin=stdin,
            timeout=timeout,
            limit=limit,
            truncate=truncate,
            read_only=True,
        )

    def _argv(self, args: tuple[Argument, ...], *, quiet: bool, literal: bool) -> list[str | bytes]:
        plain: list[str | bytes] = [str(a) if isinstance(a, Path) else a for a in args]
        for argument in plain:
            if (b"\0" if isinstance(argument, bytes) else "\0") in argument:  # type: ignore[operator]
                raise ValueError("an argument holds a NUL")
        start: list[str | bytes] = [self._program, "--no-pager"]
        if literal:
            start.append("--literal-pathspecs")
        if quiet:
            start += _QUIET
            if plain[0] in _DIFFING:
                plain[1:1] = _NO_PROGRAMS
        return start + plain

    async def _once(
        self,
        argv: list[str | bytes],
        command: str,
        stdin: bytes | None,
        timeout: float,
        env: Mapping[str, str] | None,
        read_only: bool,
        limit: int,
        truncate: bool,
        traced: bool,
    ) -> tuple[GitResult, GitError | None]:
        with hooks.trace(traced) as trace:
            extra = {**(env or {}), **trace.environment}
            full = environment(self.directory, read_only=read_only, base=self._env, extra=extra)
            output = await self._execute(argv, command, full, stdin, timeout, limit)
            failed_hooks = trace.failures()
        if output.truncated and not truncate:
            raise OutputTooLarge(command=command, limit=limit)
        if output.truncated:
            return GitResult(output.stdout, output.stderr, 0, truncated=True), None
        result = GitResult(output.stdout, output.stderr, output.code)
        warnings = hooks.late(failed_hooks)
        result.warnings = tuple(warnings)
        if command in ("switch", "checkout") and warnings and len(warnings) == len(failed_hooks):
            result.code = 0  # post-checkout runs only once all is done, yet its exit code becomes git's
        if result.code == 0:
            return result, None
        return result, classify(command, output.code, _complaint(output), failed_hooks)

    async def _execute(
        self,
        argv: list[str | bytes],
        command: str,
        env: Mapping[str, str],
        stdin: bytes | None,
        timeout: float,
        limit: int,
    ) -> Output:
        try:
            async with asyncio.timeout(timeout):
                return await execute(
                    argv, cwd=self.directory, env=env, stdin=stdin, limit=limit, error_limit=ERROR_LIMIT
                )
        except TimeoutError:
            raise GitTimedOut(command=command, seconds=timeout) from None
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            if not self.directory.is_dir():
                raise WorktreeMissing(command=command, path=self.directory) from None
            raise GitMissing(command=command, stderr=f"{self._program}: {error.strerror}") from None
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise GitError(command=command, code=1, stderr="too many arguments for one command") from None
            raise


def _complaint(output: Output) -> str:
    """stderr and the end of stdout, where git tells of conflicts and of nothing to commit."""
    parts = [show_text(output.stderr).rstrip(), show_text(output.stdout[-COMPLAINT_LIMIT:]).strip()]
    return redact("\n".join(part for part in parts if part))


def _text_of(argument: Argument) -> str:
    return os.fsdecode(argument)
