"""Other builds of ADE: copies of the packages with a stamp and a protocol of their own, run by interpreters of their own."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]


def make_build(folder: Path, *, age: int = 0, protocol: int = 1) -> Path:
    """A build in ``folder`` whose code is ``age`` seconds older than this one's; gives its ``ade`` command."""
    for package in ("ade_runtime", "ade_generated"):
        # Without the compiled files: they are known by second and size, and a clone's files are all of one second.
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    build = folder / "ade_runtime" / "client" / "build.py"
    build.write_text(build.read_text().replace("PROTOCOL = 1\n", f"PROTOCOL = {protocol}\n"))
    changed = (
        max(file.stat().st_mtime_ns for file in (ROOT / "ade_runtime").rglob("*.py")) - age * 1_000_000_000
    )
    for file in (build, folder / "ade_generated" / "MANIFEST.json"):
        os.utime(file, ns=(changed, changed))
    return _command(folder)


def _command(folder: Path) -> Path:
    """An interpreter that finds the copied packages first, isolated as it is started for the runtime, too."""
    bin_folder = folder / "venv" / "bin"
    bin_folder.mkdir(parents=True)
    python = bin_folder / "python"
    python.symlink_to(Path(sys.executable).resolve())
    base = Path(sys.base_prefix) / "bin"
    (folder / "venv" / "pyvenv.cfg").write_text(f"home = {base}\n")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "venv" / "lib" / version / "site-packages"
    packages.mkdir(parents=True)
    installed = [path for path in sys.path if path.endswith("site-packages")] or [
        sysconfig.get_path("purelib")
    ]
    (packages / "build.pth").write_text("\n".join([str(folder), *installed]) + "\n")
    ade = bin_folder / "ade"
    ade.write_text(f"#!{python}\nfrom ade_runtime.client.main import main\n\nmain()\n")
    ade.chmod(0o755)
    return ade
