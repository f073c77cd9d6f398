"""Actions about the runtime itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import runtime as models
from ade_generated.models.types import RuntimeInfo
from ade_runtime.machine.facts import PROTOCOL, build_hash, package_version
from ade_runtime.pipeline.execute import to_json

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class RuntimeHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._told: dict[str | None, tuple[RuntimeInfo, bytes]] = {}

    async def info(self, call: Call, args: models.RuntimeInfoInput) -> RuntimeInfo:
        root = await self._project_root(call)
        found = self._told.get(root)
        if found is None:  # nothing in it changes while the process lives
            info = self._info(root)
            found = self._told[root] = info, to_json(info)
        info, call.wire = found
        return info

    async def health(self, call: Call, args: models.RuntimeHealthInput) -> models.RuntimeHealthOutput:
        from sqlalchemy import literal, select

        await self._services.database.read(lambda connection: connection.execute(select(literal(1))).scalar())
        return models.RuntimeHealthOutput(status="ok")

    def _info(self, project_root: str | None) -> RuntimeInfo:
        services = self._services
        return RuntimeInfo(
            version=package_version(),
            build_hash=build_hash(),
            protocol=PROTOCOL,
            pid=os.getpid(),
            home=str(services.paths.home),
            socket=str(services.paths.socket) if services.settings.listening else None,
            default_role=services.settings.ceiling,
            project_root=project_root,
            started_at=services.started_at,
        )

    async def _project_root(self, call: Call) -> str | None:
        caller = call.caller
        if (
            not (caller.project or caller.cwd or caller.project_root)
            or not self._services.paths.database.exists()
        ):
            return None
        try:
            project = await self._services.projects.resolve(caller)
        except (errors.ProjectNotFound, errors.StorageFailed, errors.StorageCorrupt, errors.StorageTooNew):
            return None
        return None if project is None else str(project.root)
