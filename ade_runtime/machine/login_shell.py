"""Asking the user's own shell: which PATH its terminals get and what an alias stands for.

The environment of an app or of an agent says nothing about that. The shell is started as a terminal starts it, with
none of the caller's variables beyond who and where the user is, without a terminal or input, for a bounded time and output.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.integrations.git.process import execute

ANSWER_SECONDS = 5.0
OUTPUT_LIMIT = 1024 * 1024
STANDARD_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
KNOWN_SHELLS = ("bash", "zsh", "fish")
_KEPT = ("HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "ZDOTDIR")

_POSIX = """\
printf '%s\\0' {mark} "$PATH" "{config}" "{functions}"
for name in {names}; do
  alias "$name" 2>/dev/null
  printf '\\0'
done
printf '%s\\0' {mark}
"""
_FISH = """\
printf '%s\\0' {mark} (string join : $PATH) "$__fish_config_dir" ""
for name in {names}
  functions $name 2>/dev/null
  printf '\\0'
end
printf '%s\\0' {mark}
"""


@dataclass(frozen=True, slots=True)
class ShellAnswer:
    """What the shell said: folders of its PATH, the folder of its rc file (``None`` for the home folder), folders of its
    completion functions (zsh only) and the text that each alias stands for.
    """

    path: tuple[Path, ...]
    config: Path | None
    functions: tuple[Path, ...]
    aliases: Mapping[str, str]


class ShellSilentError(Exception):
    """The shell did not answer; the text says why, fit to follow "because"."""


def user_shell(environ: Mapping[str, str]) -> Path | None:
    """The user's shell: ``SHELL``, else the password database's; ``None`` where there is no such program."""
    named = environ.get("SHELL") or ""
    if not named:
        try:
            named = pwd.getpwuid(os.getuid()).pw_shell
        except KeyError:
            return None
    shell = Path(named)
    return shell if shell.is_absolute() and shell.is_file() and os.access(shell, os.X_OK) else None


async def ask(
    shell: Path, environ: Mapping[str, str], aliases: Sequence[str] = (), *, login: bool = True
) -> ShellAnswer:
    """Start ``shell`` interactively (and as a login shell) and read its answer; raises :class:`ShellSilentError`.

    ``aliases`` are names of letters, digits and ``._-``.
    """
    kind = shell.name
    if kind not in KNOWN_SHELLS:
        raise ShellSilentError(f"{kind} is none of {', '.join(KNOWN_SHELLS)}")
    mark = f"ade-{secrets.token_hex(16)}"
    script = (_FISH if kind == "fish" else _POSIX).format(
        mark=mark,
        config="${ZDOTDIR:-$HOME}" if kind == "zsh" else "",
        functions="${(j.:.)fpath}" if kind == "zsh" else "",
        names=" ".join(map(shlex.quote, aliases)),
    )
    argv = [str(shell), *(["-l"] if login else []), "-i", "-c", script]
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            output = await execute(
                argv,
                cwd=Path("/"),
                env=_environment(shell, environ),
                stdin=None,
                limit=OUTPUT_LIMIT,
                error_limit=OUTPUT_LIMIT,
            )
    except TimeoutError:
        raise ShellSilentError(f"{shell} did not answer within {ANSWER_SECONDS:g} s") from None
    except OSError as problem:
        raise ShellSilentError(f"{shell} cannot be started: {problem.strerror}") from None
    return _read(output.stdout, mark, kind, aliases, shell)


def _read(data: bytes, mark: str, kind: str, aliases: Sequence[str], shell: Path) -> ShellAnswer:
    """What stands between the two marks; startup files may print whatever they like around them."""
    _, opened, rest = data.partition(mark.encode() + b"\0")
    body, closed, _ = rest.partition(mark.encode() + b"\0")
    parts = os.fsdecode(body).split("\0")
    if not opened or not closed or len(parts) < 4:
        raise ShellSilentError(f"{shell} ended before it answered")
    path, config, functions, told = parts[0], parts[1], parts[2], parts[3:]
    found = {name: _alias(text, name, kind) for name, text in zip(aliases, told, strict=False)}
    return ShellAnswer(
        _folders(path),
        Path(config) if config.startswith("/") else None,
        _folders(functions),
        {name: text for name, text in found.items() if text},
    )


def _folders(path: str) -> tuple[Path, ...]:
    return tuple(Path(folder) for folder in path.split(":") if folder.startswith("/"))


def _alias(told: str, name: str, kind: str) -> str | None:
    """The text behind an alias, as the shell lists it: ``alias ll='ls -l'``, or in fish a function described so."""
    lines = told.splitlines() if kind == "fish" else [told]
    for line in lines:
        try:
            words = shlex.split(line)
        except ValueError:
            continue
        for word in words:
            for lead in (f"{name}=", f"alias {name}=", f"alias {name} "):
                if word.startswith(lead):
                    return word.removeprefix(lead)
    return None


def _environment(shell: Path, environ: Mapping[str, str]) -> dict[str, str]:
    kept = {
        name: value for name, value in environ.items() if name in _KEPT or name.startswith(("LC_", "XDG_"))
    }
    return kept | {
        "SHELL": str(shell),
        "PATH": STANDARD_PATH,
        "TERM": "dumb",
        "DISABLE_AUTO_UPDATE": "true",  # oh-my-zsh would ask, and wait for an answer
    }
