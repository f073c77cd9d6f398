"""The configurations of projects, for every domain that runs what they name.

    loaded = await services.config.load(project)
    suite = loaded.config.tests.suites["unit"]
    await services.config.require_trust(project, loaded, "tests.suites.unit")

What is run must come from the same ``loaded`` that was trusted: the file may be another a moment later.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models.types import ProjectConfig
from ade_runtime.config import trust
from ade_runtime.config.commands import Command, commands_of, trust_hash
from ade_runtime.config.document import FAULTS_SHOWN, Document, parse
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.problems import Missing, WorkspaceProblem, WrongKind, words
from ade_runtime.workspace.reading import read_all
from ade_runtime.workspace.threads import in_thread
from ade_runtime.workspace.writing import replace

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services

FOLDER = ".ade"
FILE = ".ade/config.yaml"
LIMIT = 256 * 1024


@dataclass(frozen=True, slots=True)
class Loaded:
    """A valid configuration. ``hash`` covers the parts that name commands, which are ``commands``."""

    path: Path
    exists: bool
    text: str
    config: ProjectConfig
    commands: tuple[Command, ...]
    hash: str


class ConfigService:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def check(self, project: Project, content: str | None = None) -> Document:
        """The file, or ``content`` in its place, with all its faults."""
        data = content.encode("utf-8", "surrogatepass") if content is not None else await self._data(project)
        return parse(data or b"")

    async def load(self, project: Project) -> Loaded:
        """The project's configuration, empty where there is no file; raises ``config_invalid`` and
        ``config_unreadable``."""
        data = await self._data(project)
        document = parse(data or b"")
        if document.config is None:
            raise invalid(document)
        return loaded(project, document, exists=data is not None)

    async def is_trusted(self, project: Project, config: Loaded) -> bool:
        """Whether every command in it may run; true where there is none."""
        if not config.commands:
            return True
        return await trust.is_trusted(self._services.database, project.id, config.hash)

    async def require_trust(self, project: Project, config: Loaded, name: str) -> None:
        """Raise ``config_untrusted`` unless the command called ``name`` (``processes.web``) may run."""
        if await self.is_trusted(project, config):
            return
        argv = next((command.argv for command in config.commands if command.name == name), ())
        raise errors.ConfigUntrusted(
            name=name,
            command=shlex.join(argv),
            hash=config.hash,
            details={"name": name, "command": list(argv), "hash": config.hash, "file": str(config.path)},
        )

    async def grant(self, project: Project, hash_: str, identity: Identity) -> Loaded:
        """Trust the commands the file names now; raises ``config_changed`` unless ``hash_`` is theirs."""
        config = await self.load(project)
        if config.hash != hash_:
            raise errors.ConfigChanged(file=FILE, hash=hash_, current=config.hash)
        now = self._services.clock.now()
        await trust.grant(self._services.database, project.id, hash_, identity.key, now)
        return config

    async def withdraw(self, project: Project) -> None:
        """Trust none of the project's commands, of no version of the file."""
        await trust.withdraw(self._services.database, project.id)

    async def write(self, project: Project, text: str) -> None:
        """Put the file in place in one step; raises ``config_unreadable`` where that cannot be."""
        await in_thread(lambda: _write(project, text.encode()))

    async def _data(self, project: Project) -> bytes | None:
        return await in_thread(lambda: _read(project))


def loaded(project: Project, document: Document, *, exists: bool) -> Loaded:
    """What a valid document says."""
    assert document.config is not None
    return Loaded(
        path=project.root / FILE,
        exists=exists,
        text=document.text,
        config=document.config,
        commands=tuple(commands_of(document.config)),
        hash=trust_hash(document.config),
    )


def invalid(document: Document) -> errors.ConfigInvalid:
    """The first fault in words, all of them in the details."""
    first = document.faults[0]
    more = len(document.faults) - 1
    problem = f"{line(first.line, first.column, first.path, first.message)}; {first.fix}"
    if more:
        problem += f" (and {more} more)"
    listed = [
        {"line": f.line, "column": f.column, "path": f.path, "message": f.message, "fix": f.fix}
        for f in document.faults[:FAULTS_SHOWN]
    ]
    return errors.ConfigInvalid(file=FILE, problem=problem, details={"problems": listed})


def line(number: int, column: int, path: str, message: str) -> str:
    """``.ade/config.yaml:3:5: processes.web.comand: …`` without the file, as editors' problem lists show it."""
    return f"{number}:{column}: {path + ': ' if path else ''}{message}"


def _read(project: Project) -> bytes | None:
    if not project.exists:
        raise errors.ProjectMissing(project=project.name, path=str(project.root))
    try:
        with Root(project.root) as root, root.file(FILE) as (fd, _):
            return read_all(fd, LIMIT, FILE)
    except Missing:
        return None
    except WorkspaceProblem as problem:
        raise _unreadable(problem) from None


def _write(project: Project, data: bytes) -> None:
    try:
        with Root(project.root) as root:
            with contextlib.suppress(FileExistsError):
                os.mkdir(FOLDER, dir_fd=root.fd)
            with root.place(FILE, follow=True) as place:
                if place.kind not in ("nothing", "a file"):
                    raise WrongKind(FILE, place.kind, "a file")
                replace(place, data, FILE)
    except WorkspaceProblem as problem:
        raise _unreadable(problem) from None
    except OSError as problem:
        raise errors.ConfigUnreadable(file=FILE, reason=problem.strerror or "unknown reason") from None


def _unreadable(problem: WorkspaceProblem) -> errors.ConfigUnreadable:
    return errors.ConfigUnreadable(file=FILE, reason=words(problem))
