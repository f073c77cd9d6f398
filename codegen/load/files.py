"""Finds the spec files and says which schema each has to follow."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codegen.diagnostics import Sink
from codegen.ir import Span
from codegen.wording import did_you_mean, quote

SINGLE = (
    "completions",
    "environment",
    "errors",
    "external_tools",
    "fixtures",
    "methods",
    "providers",
    "rate_limits",
    "roles",
    "run_planning",
    "run_policy",
    "text_layouts",
    "toolsets",
)
"""Files directly in ``specs/``; the schema has the name of the file."""
FOLDERS = {"domains": "domain", "types": "types"}
"""Folders of ``specs/`` with many files of one kind, and its schema."""
PROSE = {"guidance": "guidance", "skills": "skill"}
"""Folders of Markdown files, and the kind of each."""


@dataclass(frozen=True, slots=True)
class SpecFile:
    """One file: ``name`` relative to the project root, ``kind`` the schema's name, ``guidance`` or ``skill``."""

    name: str
    kind: str
    data: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def find(root: Path, sink: Sink) -> list[SpecFile]:
    """All spec files in the order of their names; what does not belong there is a diagnostic."""
    specs = root / "specs"
    found: list[SpecFile] = []
    for path, kind in _candidates(specs, sink, root):
        name = path.relative_to(root).as_posix()
        try:
            found.append(SpecFile(name, kind, path.read_bytes()))
        except OSError as error:
            why = error.strerror or "unknown reason"
            sink.add(
                Span(name, 1, 1),
                "unreadable-file",
                f"the file cannot be read: {why}",
                "make it a readable file",
            )
    return sorted(found, key=lambda file: file.name)


def _candidates(specs: Path, sink: Sink, root: Path) -> Iterator[tuple[Path, str]]:
    if not specs.is_dir():
        sink.add(
            Span("specs", 1, 1), "unreadable-file", "there is no folder specs", "run from the project root"
        )
        return
    for path in _visible(specs):
        name = path.relative_to(root).as_posix()
        if path.name in FOLDERS and path.is_dir():
            yield from _folder(path, FOLDERS[path.name], sink, root)
        elif path.name in PROSE and path.is_dir():
            yield from ((prose, PROSE[path.name]) for prose in sorted(path.glob("*.md")))
        elif path.suffix == ".yaml" and path.stem in SINGLE:
            yield path, path.stem
        elif path.suffix in (".yaml", ".yml", ".json"):
            known = [f"{stem}.yaml" for stem in SINGLE]
            message = f"no spec file is called {quote(path.name)}{did_you_mean(path.name, known)}"
            sink.add(
                Span(name, 1, 1), "unknown-file", message, "domains go to specs/domains, types to specs/types"
            )


def _folder(folder: Path, kind: str, sink: Sink, root: Path) -> Iterator[tuple[Path, str]]:
    for path in _visible(folder):
        if path.suffix == ".yaml":
            yield path, kind
        elif path.is_dir() or path.suffix in (".yml", ".json"):
            name = path.relative_to(root).as_posix()
            message = f"{quote(path.name)} would not be read: {folder.name} holds .yaml files only"
            sink.add(Span(name, 1, 1), "unknown-file", message, "rename it to end in .yaml")


def _visible(folder: Path) -> list[Path]:
    """What stands in a folder but for what editors hide there while a file is open."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
