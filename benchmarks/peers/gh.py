"""GitHub's command line, from the PATH or unpacked from the distribution's package without installing it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".peers" / "gh"


def find_gh() -> Path | None:
    """``None`` where it is neither installed nor to be had."""
    installed = shutil.which("gh")
    if installed:
        return Path(installed)
    program = FOLDER / "usr" / "bin" / "gh"
    if not program.exists() and shutil.which("apt-get") and shutil.which("dpkg-deb"):
        fetch()
    return program if program.exists() else None


def fetch() -> None:
    """Download Debian's package into ``.peers`` and unpack it there; failing is no error, gh is then not
    compared."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "gh"], cwd=FOLDER, capture_output=True)
    for package in FOLDER.glob("gh_*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, FOLDER], capture_output=True)
        package.unlink()
