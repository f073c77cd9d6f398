"""Three thousand actions, and the whole project generated in two checkouts that differ in all that must not matter."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.codegen.many import generate, look

pytestmark = [pytest.mark.stress, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
MADE = ("ade_generated", "docs/reference")


def test_three_thousand_actions_take_less_than_a_gibibyte_and_load_when_used(tmp_path: Path) -> None:
    assert generate(tmp_path, 3000).memory < 1024
    counts, before, parsing, reading = look(tmp_path, "d42.act7")
    assert counts == "3000 3000"
    assert not any(name.startswith(("ade_generated.models", "ade_generated.cli.d")) for name in before)
    assert parsing == {"ade_generated.cli.d42"}
    assert {name for name in reading if name.startswith("ade_generated.models.d")} == {
        "ade_generated.models.d42"
    }


def checkout(target: Path, *, backwards: bool) -> Path:
    """A copy of what generating needs, its files made in one order or the other."""
    tracked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "-c", "-o", "--exclude-standard", "codegen", "ade_runtime", "specs", *MADE],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in sorted({*filter(None, tracked.split("\0")), "pyproject.toml"}, reverse=backwards):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    (target / "ade_generated/MANIFEST.json").unlink()
    return target


BACKWARDS = """
import contextlib, os
listdir, scandir = os.listdir, os.scandir
os.listdir = lambda *folder: sorted(listdir(*folder), reverse=True)
def listed(*folder):
    with scandir(*folder) as found:
        return contextlib.nullcontext(iter(sorted(found, key=lambda entry: entry.name, reverse=True)))
os.scandir = listed
"""
"""Every folder is read from its last name to its first; another file system may do so."""


def made(root: Path, umask: int, before: str = "", **environment: str) -> dict[str, str]:
    """Generate everything anew; the digest of each file."""
    code = f"{before}\nimport os, sys; os.umask({umask}); from codegen.__main__ import main; sys.exit(main(['gen']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in MADE
        for path in (root / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }


def test_two_checkouts_are_the_same_to_the_byte(tmp_path: Path) -> None:
    one = checkout(tmp_path / "a", backwards=False)
    two = checkout(tmp_path / "an other folder" / "é" / "deeper", backwards=True)
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    first = made(one, 0o022, TZ="UTC", PYTHONHASHSEED="1", **ascii_only)
    second = made(two, 0o077, BACKWARDS, LC_ALL="C.UTF-8", TZ="Pacific/Kiritimati", PYTHONHASHSEED="4242")
    assert len(first) > 200
    assert first == second
