"""Projects: each method finds the project, has the work done in :mod:`ade_runtime.projects`, and shows the
outcome."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import project as models
from ade_generated.models.types import Project as ProjectModel
from ade_generated.models.types import ProjectDetail
from ade_runtime.lanes.failures import translated as _git
from ade_runtime.paging import cut
from ade_runtime.projects.add import absolute, add_project, existing_folder
from ade_runtime.projects.detail import detail_document, project_document

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services


class ProjectHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._projects = services.projects

    async def add(self, call: Call, args: models.ProjectAddInput) -> ProjectDetail:
        with _git():
            project = await add_project(self._projects, absolute(args.path, call.caller.cwd), args.name)
        return await self._detail(call, project)

    async def list(self, call: Call, args: models.ProjectListInput) -> models.ProjectListOutput:
        projects = await self._projects.all()
        counts = await self._projects.lane_counts()
        page, rest = cut(projects, args.cursor, args.limit, key=lambda project: project.id)
        items = [project_document(project, counts.get(project.id, 0)) for project in page]
        document = {"items": items, "total": len(projects), "next": rest}
        return models.ProjectListOutput.model_validate(document)

    async def show(self, call: Call, args: models.ProjectShowInput) -> ProjectDetail:
        return await self._detail(call, await self._projects.meant(call, args.project))

    async def remove(self, call: Call, args: models.ProjectRemoveInput) -> models.ProjectRemoveOutput:
        project = await self._projects.meant(call, args.project)
        call.subject = project.id
        lanes = await self._services.lanes.store.all(project)
        if lanes and not args.forget_lanes:
            names = [lane.name for lane in lanes][:100]
            raise errors.ProjectHasLanes(project=project.name, count=len(lanes), details={"lanes": names})
        await self._projects.forget(project)
        return models.ProjectRemoveOutput(
            id=project.id,
            root=str(project.root),
            forgotten_lanes=[str(lane.path) for lane in lanes],
            next=f"`ade project add {project.root}` registers it again",
        )

    async def touch(self, call: Call, args: models.ProjectTouchInput) -> ProjectModel:
        project = await self._projects.touch(await self._projects.meant(call, args.project))
        counts = await self._projects.lane_counts()
        return ProjectModel.model_validate(project_document(project, counts.get(project.id, 0)))

    async def create(self, call: Call, args: models.ProjectCreateInput) -> ProjectDetail:
        from ade_runtime.lanes.refs import checked_branch_name
        from ade_runtime.projects.create import create_repository

        branch = checked_branch_name(args.branch)
        path = absolute(args.path, call.caller.cwd)
        with _git():
            root = await create_repository(path, branch, args.readme or f"# {path.name}\n", call.caller.env)
            project = await add_project(self._projects, root, None)
        return await self._detail(call, project)

    async def clone(self, call: Call, args: models.ProjectCloneInput) -> ProjectDetail:
        from ade_runtime.lanes.refs import checked_branch_name
        from ade_runtime.projects.address import read_address
        from ade_runtime.projects.create import clone_repository

        address = read_address(args.url, call.caller.cwd)
        branch = checked_branch_name(args.branch) if args.branch is not None else None
        path = absolute(args.path or address.folder, call.caller.cwd)
        with _git():
            root = await clone_repository(
                address, path, branch=branch, depth=args.depth, progress=call.progress, caller=call.caller.env
            )
            project = await add_project(self._projects, root, None)
        return await self._detail(call, project)

    async def browse_directories(
        self, call: Call, args: models.ProjectBrowseDirectoriesInput
    ) -> models.ProjectBrowseDirectoriesOutput:
        from ade_runtime.projects.browse import folders_in

        folder = existing_folder(absolute(args.path or "~", call.caller.cwd))
        ids = {project.root: project.id for project in await self._projects.all()}
        found = await asyncio.to_thread(folders_in, folder, hidden=args.hidden)
        items = [
            {
                "name": one.name,
                "path": str(one.path),
                "is_repository": one.is_repository,
                "project": ids.get(one.path),
            }
            for one in found[: args.limit]
        ]
        document = {
            "path": str(folder),
            "parent": str(folder.parent) if folder != Path(folder.anchor) else None,
            "items": items,
            "total": len(found),
            "next": None,
        }
        return models.ProjectBrowseDirectoriesOutput.model_validate(document)

    async def work_summary(
        self, call: Call, args: models.ProjectWorkSummaryInput
    ) -> models.ProjectWorkSummaryOutput:
        from ade_runtime.projects.summary import work_document

        project = await self._projects.meant(call, args.project)
        with _git():
            work = await work_document(self._services.lanes, project, args.commits)
        counts = await self._projects.lane_counts()
        shown = project_document(project, counts.get(project.id, 0))
        return models.ProjectWorkSummaryOutput.model_validate({"project": shown, **work})

    async def _detail(self, call: Call, project: Project) -> ProjectDetail:
        call.subject = project.id
        counts = await self._projects.lane_counts()
        return ProjectDetail.model_validate(await detail_document(project, counts.get(project.id, 0)))
