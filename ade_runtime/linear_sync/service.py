"""The connection of all projects to Linear: what listens, and the policy of each project."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.linear_sync import policy as policies
from ade_runtime.linear_sync.ingress import Ingress
from ade_runtime.linear_sync.policy import FlowPolicy
from ade_runtime.machine.beneath import NotBeneathError, read_beneath

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.linear_sync.polling import Polling
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The policy in the project's own folder; ``text`` is ``None`` where there is none."""

    path: Path
    text: str | None


class LinearSync:
    """Listens where a project has a webhook and asks where one wants that, for as long as this process lives."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.ingress = Ingress(services)
        self.polling: Polling | None = None
        services.expecting.append(lambda: self.ingress.port is not None)

    async def listen(self, port: int) -> int | None:
        """The port that deliveries come in at; ``None`` in a process that ends with its command."""
        if self._services.settings.one_command:
            return None
        return await self.ingress.listen(port)

    def attend(self) -> None:
        """Ask from now on for the projects that want it; again without effect."""
        if not self._services.settings.listening:
            return
        if self.polling is None:
            from ade_runtime.linear_sync.polling import Polling

            self.polling = Polling(self._services)
        self.polling.attend()

    async def close(self) -> None:
        """Take nothing any more, and ask for nothing."""
        if self.polling is not None:
            await self.polling.close()
        await self.ingress.close()

    # -- policies

    async def save(
        self, project: Project, text: str, *, expected: int | None, author: str, note: str | None
    ) -> int:
        """Put a policy in force and into the project's folder; gives its revision. Raises ``flow_policy_invalid`` and
        ``flow_policy_changed``."""
        from ade_runtime.linear_sync import store

        checked(text)
        now = self._services.clock.now()

        def write(db: Connection) -> int:
            latest = store.latest_policy(db, project.id)
            found = 0 if latest is None else int(latest["revision"])
            if expected is not None and expected != found:
                raise errors.FlowPolicyChanged(expected=expected, found=found)
            if latest is None or latest["text"] != text:
                found += 1
                store.save_policy(db, project.id, found, text, author, note, now)
            return found

        revision = await self._services.database.write(write)
        await asyncio.to_thread(_write, project.root / policies.FILE, text)
        return revision

    async def file(self, project: Project) -> PolicyFile:
        """The policy as it stands in the project's folder; raises ``flow_policy_unreadable``."""
        text = await asyncio.to_thread(_read, project.root)
        return PolicyFile(project.root / policies.FILE, text)

    async def revision(self, project: Project, revision: int) -> dict[str, Any]:
        """A policy that was in force; raises ``flow_policy_not_found``."""
        from ade_runtime.linear_sync import store

        found = await self._services.database.read(lambda db: store.policy_revision(db, project.id, revision))
        if found is None:
            raise errors.FlowPolicyNotFound(revision=revision)
        return found


def checked(text: str) -> FlowPolicy:
    """The policy of a text; raises ``flow_policy_invalid`` with every fault."""
    found, faults = policies.parse(text)
    if found is None:
        first = faults[0]
        problems = [
            {"line": one.line, "column": one.column, "path": one.path, "message": one.message}
            for one in faults
        ]
        where = f"line {first.line}, column {first.column}: {first.message}"
        raise errors.FlowPolicyInvalid(problem=where, details={"problems": problems})
    return found


def _read(root: Path) -> str | None:
    """The file's text; nothing but a regular file of the project is opened, so that none of it can be waited for."""
    path = root / policies.FILE
    try:
        return read_beneath(root, policies.FILE, policies.LARGEST + 1, links=False)[0].decode("utf-8")
    except NotBeneathError as problem:
        if problem.missing:
            return None
        raise errors.FlowPolicyUnreadable(path=str(path), reason=f"it {problem.reason}") from None
    except UnicodeDecodeError:
        raise errors.FlowPolicyUnreadable(path=str(path), reason="it is not UTF-8") from None
    except OSError as problem:
        raise errors.FlowPolicyUnreadable(
            path=str(path), reason=problem.strerror or "it cannot be read"
        ) from None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_name(f".{path.name}.new")
        temporary.unlink(missing_ok=True)
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    except OSError as problem:
        raise errors.FlowPolicyUnreadable(
            path=str(path), reason=problem.strerror or "it cannot be written"
        ) from None
