"""What ``OLD`` and ``NEW`` of ``python -m codegen diff`` may be: a folder, a kept release, or a git revision."""

from __future__ import annotations

import io
import json
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from codegen.compat.surface import FORMAT, Surface, surface
from codegen.diagnostics import SpecErrors
from codegen.failure import GenerationError
from codegen.load import load_specs

RELEASED = Path("specs", "released")


def read_surface(root: Path, source: str) -> Surface:
    """The surface of a source, looked for in this order: ``released`` (the last release), a kept release by its version or
    file, a folder with ``specs/`` (or ``specs`` itself), a revision of the project's git.

    Raises :class:`codegen.failure.GenerationError` where it is none of them, and ``SpecErrors`` where its specs are faulty.
    """
    try:
        return _read(root, source)
    except SpecErrors as errors:
        errors.whose = source
        raise


def _read(root: Path, source: str) -> Surface:
    if source == "released":
        return read_kept(last_release(root))
    by_version = root / RELEASED / f"{source}.json"
    path = Path(source) if Path(source).is_absolute() else root / source
    if by_version.is_file() or (path.is_file() and path.suffix == ".json"):
        return read_kept(by_version if by_version.is_file() else path)
    if path.is_dir():
        return surface(load_specs(path.parent if path.name == "specs" else path))
    return _of_revision(root, source)


def last_release(root: Path) -> Path:
    """The file of the newest release that is kept."""
    from codegen.compat.versions import version

    found = [
        path for path in (root / RELEASED).glob("*.json") if version(path.stem) and path.stem[0].isdigit()
    ]
    if not found:
        raise GenerationError("no release is kept in specs/released; run `python -m codegen release VERSION`")
    return max(found, key=lambda path: version(path.stem))


def read_kept(path: Path) -> Surface:
    try:
        found: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        raise GenerationError(f"{path} cannot be read: {problem}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise GenerationError(f"{path} is no release of format {FORMAT}")
    return found


def _of_revision(root: Path, revision: str) -> Surface:
    """The specs of a revision, unpacked where nobody else looks."""
    line = [
        "git",
        "-C",
        str(root),
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        f"{revision}^{{commit}}",
    ]
    commit = subprocess.run(line, capture_output=True, text=True, check=False)
    if commit.returncode:
        raise GenerationError(f"{revision} is no folder, no release in specs/released and no revision of git")
    line = ["git", "-C", str(root), "archive", "--format=tar", commit.stdout.strip(), "specs"]
    packed = subprocess.run(line, capture_output=True, check=False)
    if packed.returncode:
        raise GenerationError(f"{revision} has no specs: {packed.stderr.decode(errors='replace').strip()}")
    with tempfile.TemporaryDirectory(prefix="ade-specs-") as folder:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        return surface(load_specs(Path(folder)))
