"""git: whether it is there, new enough, and knows who commits."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

from ade_runtime.machine.doctor.rows import Place, Row

NEEDED = (2, 39)
ANSWER_SECONDS = 5.0
_IDENTITY = ("name", "email")


def check(place: Place) -> Iterator[Row]:
    program = shutil.which("git", path=place.environ.get("PATH"))
    if program is None:
        yield Row("git", "fail", "there is no git on PATH", "Install git 2.39 or later.")
        return
    told = _run(place, program, "--version")
    if told is None:
        yield Row("git", "fail", f"{program} does not answer", "Check what is installed there.")
        return
    words = told.split()
    version = words[2] if len(words) > 2 else "0"
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < NEEDED:
        yield Row("git", "fail", f"{version} at {program}", "Install git 2.39 or later.")
        return
    yield Row("git", "ok", f"{version} at {program}")
    yield _identity(place, program)


def _identity(place: Place, program: str) -> Row:
    """Without a name and an address every commit fails. Variables win over the configuration, as in git."""
    missing = [
        part
        for part in _IDENTITY
        if not place.environ.get(f"GIT_AUTHOR_{part.upper()}")
        and not _run(place, program, "config", "--get", f"user.{part}")
    ]
    if not missing:
        return Row("git identity", "ok", "name and address of commits are set")
    step = " and ".join(f'git config --global user.{part} "…"' for part in missing)
    return Row("git identity", "warn", f"user.{' and user.'.join(missing)} not set", step)


def _run(place: Place, program: str, *words: str) -> str | None:
    """What git prints, empty where it fails, ``None`` where it does not answer."""
    try:
        done = subprocess.run(
            [program, *words],
            cwd=place.cwd or "/",
            env=dict(place.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return None
    return done.stdout.strip() if done.returncode == 0 else ""
