"""What a program says when asked for its version: run for a bounded time, read up to a bounded size."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.contracts import ExternalTool
from ade_runtime.integrations.git.process import execute

ANSWER_SECONDS = 8.0
OUTPUT_LIMIT = 64 * 1024
VERSION_LIMIT = 80
"""Most characters of a version."""

_KEPT = ("HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR")
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class Version:
    """Either is ``None``: the version, or why it is not known."""

    version: str | None
    problem: str | None


async def read_version(
    tool: ExternalTool, path: Path, environ: Mapping[str, str], search_path: str
) -> Version:
    """Run the version command of ``tool`` at ``path`` and nothing else.

    It runs in ``/`` so that it finds no project's files, with PATH ``search_path`` (its interpreter may be there) and without
    tokens or settings of the caller.
    """
    env = {
        name: value for name, value in environ.items() if name in _KEPT or name.startswith(("LC_", "XDG_"))
    }
    env |= {"PATH": search_path, "TERM": "dumb", "NO_COLOR": "1", **tool.version_environment}
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            output = await execute(
                [str(path), *tool.version_args],
                cwd=Path("/"),
                env=env,
                stdin=None,
                limit=OUTPUT_LIMIT,
                error_limit=OUTPUT_LIMIT,
            )
    except TimeoutError:
        return Version(None, f"It did not tell its version within {ANSWER_SECONDS:g} s.")
    except OSError as problem:
        return Version(None, f"It cannot be started: {problem.strerror or problem}.")
    if output.truncated:
        return Version(None, f"Asked for its version it printed more than {OUTPUT_LIMIT // 1024} KiB.")
    if output.code:
        ended = f"exit code {output.code}" if output.code > 0 else f"signal {-output.code}"
        return Version(None, f"Asked for its version it ended with {ended}.")
    for text in (output.stdout, output.stderr):
        version = find_version(text, tool.version_pattern)
        if version:
            return Version(version, None)
    return Version(None, f"It does not answer as {tool.title} does; it may be another program of that name.")


def find_version(output: bytes, pattern: str) -> str | None:
    """The version in the first line of ``output`` that has one; colours and other escapes are left out first."""
    text = _ANSI.sub("", output.decode("utf-8", "replace"))
    for line in text.splitlines():
        found = re.search(pattern, line.strip()[:1000])
        if found and found[1]:
            return found[1][:VERSION_LIMIT]
    return None
