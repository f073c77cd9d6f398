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
    from collections.abc import Callable

    from sqlalchemy import Connection

    from ade_runtime.pipeline.call import Call
    from ade_runtime.projects.create import Begun
    from ade_runtime.projects.registry import Project
    from ade_runtime.services import Services


ENDS = {"terminal": "ade terminals close", "process": "ade processes stop", "test": "ade tests stop"}
"""How what runs in a holder is ended, by its kind."""


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
        await self._check_idle(project)
        await self._projects.forget(project)
        await self._services.search.forget(project.id)
        await self._services.vault.sweep()
        return models.ProjectRemoveOutput(
            id=project.id,
            root=str(project.root),
            forgotten_lanes=[str(lane.path) for lane in lanes],
            next=f"`ade project add {project.root}` registers it again",
        )

    async def _check_idle(self, project: Project) -> None:
        """Raise ``project_in_use`` where something runs in it: nobody would find that again to end it."""
        holders = self._services.holders
        records = await holders.all(project=project.id, ended=False)
        seen = await holders.see(records)
        runs = [one for one in records if seen[one.id].live or seen[one.id].leftovers]
        if runs:
            raise errors.ProjectInUse(
                project=project.name,
                count=len(runs),
                what=", ".join(f"{one.id} ({one.label[:60]}) in lane {one.lane_name}" for one in runs[:3]),
                steps=", ".join(f"`{ENDS[one.kind]} {one.id}`" for one in runs[:3]),
                details={"running": [one.id for one in runs[:100]]},
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
            if not _is_there(call, path):
                readme = args.readme or f"# {path.name}\n"
                await create_repository(path, branch, readme, call.caller.env, self._claiming(call))
            return await self._registered(call, path)

    async def clone(self, call: Call, args: models.ProjectCloneInput) -> ProjectDetail:
        from ade_runtime.lanes.refs import checked_branch_name
        from ade_runtime.projects.address import read_address
        from ade_runtime.projects.create import clone_repository

        address = read_address(args.url, call.caller.cwd)
        branch = checked_branch_name(args.branch) if args.branch is not None else None
        path = absolute(args.path or address.folder, call.caller.cwd)
        with _git():
            if not _is_there(call, path):
                await clone_repository(
                    address,
                    path,
                    branch=branch,
                    depth=args.depth,
                    progress=call.progress,
                    caller=call.caller.env,
                    begun=self._claiming(call),
                )
            return await self._registered(call, path)

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

    def _claiming(self, call: Call) -> Begun:
        """Claims the folder that will be the repository: it keeps its identity when it is moved to its place."""

        async def begun(draft: Path) -> None:
            if call.receipt is not None:
                status = draft.stat()  # noqa: ASYNC240 - a folder made a moment ago
                claim = {"device": status.st_dev, "inode": status.st_ino}
                await self._services.database.write(lambda db: call.claim(db, claim))

        return begun

    async def _registered(self, call: Call, path: Path) -> ProjectDetail:
        """Register the new repository, in one transaction with the call's answer."""
        answers: dict[str, ProjectDetail] = {}

        async def answer(project: Project) -> Callable[[Connection], None]:
            output = answers[project.id] = await self._detail(call, project)
            return lambda db: call.seal(db, output)

        project = await add_project(self._projects, path, None, answer)
        return answers.get(project.id) or await self._detail(call, project)

    async def _detail(self, call: Call, project: Project) -> ProjectDetail:
        call.subject = project.id
        counts = await self._projects.lane_counts()
        return ProjectDetail.model_validate(await detail_document(project, counts.get(project.id, 0)))


def _is_there(call: Call, path: Path) -> bool:
    """Whether an attempt at this call that was killed had put the repository in its place."""
    if not call.earlier:
        return False
    try:
        status = path.stat()
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == (call.earlier["device"], call.earlier["inode"])
