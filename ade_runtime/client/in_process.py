"""Actions for a program that already runs in Python: the same pipeline as the socket, without one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from ade_runtime.client.environment import caller_environment
from ade_runtime.contracts import JsonObject
from ade_runtime.machine.paths import Paths
from ade_runtime.pipeline.call import Caller, Identity, Progress, no_progress
from ade_runtime.pipeline.identify import TOKEN_VARIABLE, Attempt, Origin
from ade_runtime.services import Services, Settings


class Runtime:
    """The services of one ADE_HOME in this process. Use as ``async with Runtime.open(home) as runtime``.

    It may run beside the machine runtime of the same ADE_HOME; both take turns at the database and at the repositories.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        self._origin = Origin.here()

    @classmethod
    def open(cls, home: Path, *, ceiling: str = "cto") -> Runtime:
        """Services for ``home``; nothing is read or written before the first call."""
        return cls(Services(Paths.of_home(home), Settings(ceiling=ceiling)))

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        project: str | Path | None = None,
        lane: str | None = None,
        cwd: str | Path | None = None,
        role: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        progress: Progress = no_progress,
        env: Mapping[str, str] | None = None,
    ) -> JsonObject:
        """Call an action by id or tool name and give its output document; raises :class:`AdeError`.

        ``project`` is an id, a name or a path; ``timeout`` is in seconds. ``env`` is what programs started on the caller's
        behalf get, by default the allow-listed part of this process's environment.
        """
        self.services.paths.make_folders()
        caller = Caller(
            transport="in_process",
            cwd=None if cwd is None else str(cwd),
            project=None if project is None else str(project),
            lane=lane,
            env=caller_environment(dict(os.environ)) if env is None else env,
        )
        output = await self.services.pipeline.call(
            name,
            dict(arguments or {}),
            identity=await self.identity(role, name),
            caller=caller,
            request_id=request_id,
            timeout=timeout,
            progress=progress,
        )
        document: JsonObject = orjson.loads(output)
        return document

    async def identity(self, role: str | None, action: str) -> Identity:
        """Who this process is: a session by its token or its ancestors, else the owner in a role up to the ceiling."""
        entry = self.services.pipeline.visibility.named(action)
        attempt = Attempt("in_process" if entry is None else entry.id, "in_process")
        token = os.environ.get(TOKEN_VARIABLE)
        return await self.services.identification.identify(self._origin, attempt, token=token, wanted=role)

    async def close(self) -> None:
        """Stop background operations and close the database."""
        await self.services.close()

    async def __aenter__(self) -> Runtime:
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _problem: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self.close()
