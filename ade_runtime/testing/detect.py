"""Test suites told from the files in a lane's own folder. Nothing is run to find out, and little of a file is read."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READ_LIMIT = 1024 * 1024
NO_TEST = "no test specified"
_MAKE_TARGET = re.compile(r"^(?:[^\s:#=]+[ \t]+)*test(?:[ \t]+[^\s:#=]+)*[ \t]*::?(?!=)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """``why`` names the file that told of it."""

    name: str
    command: tuple[str, ...]
    why: str
    own_junit: bool = False


def detect(folder: Path) -> list[Found]:
    """Suites of a folder: pytest, npm, cargo, go, make."""
    found = (kind(folder) for kind in _KINDS)
    return [one for one in found if one is not None]


def _pytest(folder: Path) -> Found | None:
    why = None
    if _text(folder / "pytest.ini") is not None:
        why = "pytest.ini"
    elif "pytest" in _table(folder / "pyproject.toml", "tool"):
        why = "pyproject.toml"
    else:
        for name, section in (("tox.ini", "[pytest]"), ("setup.cfg", "[tool:pytest]")):
            if section in (_text(folder / name) or ""):
                why = name
    if why is None and _has_test_files(folder / "tests"):
        why = "tests/"
    if why is None:
        return None
    own = next((path for path in (".venv/bin/python", "venv/bin/python") if (folder / path).is_file()), None)
    command = (f"./{own}", "-m", "pytest") if own else ("python3", "-m", "pytest")
    return Found("pytest", command, why, own_junit=True)


def _npm(folder: Path) -> Found | None:
    try:
        document = json.loads(_text(folder / "package.json") or "null")
    except (ValueError, RecursionError):
        return None
    scripts = document.get("scripts") if isinstance(document, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(script, str) or not script.strip() or NO_TEST in script:
        return None
    for program, lock in (
        ("pnpm", "pnpm-lock.yaml"),
        ("yarn", "yarn.lock"),
        ("bun", "bun.lockb"),
        ("bun", "bun.lock"),
    ):
        if (folder / lock).is_file():
            return Found("npm", (program, "run", "test"), f"package.json and {lock}")
    return Found("npm", ("npm", "test", "--silent"), "package.json")


def _cargo(folder: Path) -> Found | None:
    manifest = _toml(folder / "Cargo.toml")
    if not manifest.keys() & {"package", "workspace"}:
        return None
    return Found("cargo", ("cargo", "test"), "Cargo.toml")


def _go(folder: Path) -> Found | None:
    text = _text(folder / "go.mod")
    return Found("go", ("go", "test", "./..."), "go.mod") if text is not None else None


def _make(folder: Path) -> Found | None:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        text = _text(folder / name)
        if text is not None:
            return Found("make", ("make", "test"), name) if _MAKE_TARGET.search(text) else None
    return None


def _has_test_files(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            for place, entry in enumerate(entries):
                if re.fullmatch(r"test_.*\.py|.*_test\.py|conftest\.py", entry.name):
                    return True
                if place > 10_000:
                    return False
    except OSError:
        return False
    return False


def _table(path: Path, name: str) -> dict[str, Any]:
    found = _toml(path).get(name)
    return found if isinstance(found, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path) or "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _text(path: Path) -> str | None:
    """The beginning of a regular file; ``None`` where there is none, whatever else is in its place."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return os.read(descriptor, READ_LIMIT).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(descriptor)


_KINDS: tuple[Callable[[Path], Found | None], ...] = (_pytest, _npm, _cargo, _go, _make)
