"""Programs and homes made for tests: real files, run as real processes."""

from __future__ import annotations

from pathlib import Path

STANDARD = "/usr/local/bin:/usr/bin:/bin"


def program(path: Path, body: str, interpreter: str = "/bin/sh") -> Path:
    """An executable script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{interpreter}\n{body}\n")
    path.chmod(0o755)
    return path


def says(path: Path, text: str) -> Path:
    """A program that prints ``text`` when asked for its version and fails when asked for anything else."""
    return program(path, f'[ "$*" = "--version" ] || exit 9\nprintf "%b\\n" "{text}"')


def environ(home: Path, *folders: Path, shell: str = "") -> dict[str, str]:
    """A user's environment with these folders in front of PATH; without a shell unless one is named."""
    home.mkdir(parents=True, exist_ok=True)
    path = ":".join([*map(str, folders), STANDARD])
    return {"HOME": str(home), "PATH": path, "SHELL": shell or "/nonexistent/shell"}
