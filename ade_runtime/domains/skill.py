"""Actions about agent skills."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import skill as models
from ade_generated.models import types
from ade_runtime.machine.beneath import NotBeneathError
from ade_runtime.machine.place_file import PlaceError
from ade_runtime.machine.skill_roots import SkillRoot, as_variable, packaged, skill_files, skill_roots
from ade_runtime.paging import cut
from ade_runtime.pipeline.surroundings import environment_of
from ade_runtime.skills.catalog import Skill, find_skills
from ade_runtime.skills.copies import home_folder, install, uninstall
from ade_runtime.skills.show import files_of, read_part

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class SkillHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def roots(self, call: Call, args: models.SkillRootsInput) -> models.SkillRootsOutput:
        roots = await self._roots(call, args.lane)
        counts = await asyncio.to_thread(lambda: [len(skill_files(root.path)) for root in roots])
        items = [
            types.SkillRoot(path=_text(root.path), origin=root.origin, skills=count)
            for root, count in zip(roots, counts, strict=True)
        ]
        return models.SkillRootsOutput(items=items, total=len(items), next=None, variable=as_variable(roots))

    async def list(self, call: Call, args: models.SkillListInput) -> models.SkillListOutput:
        found = await asyncio.to_thread(find_skills, await self._roots(call, args.lane))
        if args.state is not None:
            found = [skill for skill in found if skill.state == args.state]
        page, following = cut(found, args.cursor, args.limit, key=lambda skill: _text(skill.file))
        return models.SkillListOutput(
            items=[_told(skill) for skill in page], total=len(found), next=following
        )

    async def show(self, call: Call, args: models.SkillShowInput) -> models.SkillShowOutput:
        roots = await self._roots(call, args.lane)
        skill = _meant(await asyncio.to_thread(find_skills, roots), args.name)
        try:
            part = await asyncio.to_thread(read_part, skill, roots, args.file, args.offset, args.max_bytes)
            files = await asyncio.to_thread(files_of, skill, roots)
        except NotBeneathError as problem:
            raise errors.SkillFileUnreadable(name=args.name, file=args.file, reason=problem.reason) from None
        return models.SkillShowOutput(
            skill=_told(skill),
            file=args.file,
            content=part.text,
            size=part.size,
            next_offset=part.following,
            files=files,
        )

    async def install(self, call: Call, args: models.SkillInstallInput) -> types.SkillCopies:
        root, folder = await self._copies(call, args)
        own = {file.parent.name: file for file in skill_files(packaged().path)}
        for name in args.names or ():
            if name not in own:
                raise errors.SkillNotFound(name=name)
        names = sorted(args.names or own)
        try:
            done, left = await asyncio.to_thread(install, {name: own[name] for name in names}, root, folder)
        except PlaceError as problem:
            raise errors.SkillCopyFailed(path=f"{root}/{folder}", reason=problem.reason) from None
        return types.SkillCopies(folder=_text(root / folder), done=done, left=left)

    async def uninstall(self, call: Call, args: models.SkillUninstallInput) -> types.SkillCopies:
        root, folder = await self._copies(call, args)
        try:
            done = await asyncio.to_thread(uninstall, root, folder)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise errors.SkillCopyFailed(path=f"{root}/{folder}", reason=reason) from None
        return types.SkillCopies(folder=_text(root / folder), done=done, left=[])

    async def _copies(
        self, call: Call, args: models.SkillInstallInput | models.SkillUninstallInput
    ) -> tuple[Path, str]:
        """The folder that nothing may be written outside of, and the one for skills below it."""
        folder = f".{args.reader}/skills"
        if args.place == "lane":
            call.scope = await self._services.projects.meant(call, args.project)
            lane = await self._services.lanes.resolve(call, args.lane, write=True)
            self._services.lanes.repository(lane)
            call.subject = lane.id
            return lane.path, folder
        if call.identity.session is not None:
            reason = "Only the owner's shell changes what is for all of your work."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        home = Path(environment_of(call.identity, call.caller).get("HOME") or Path.home())
        try:
            return await asyncio.to_thread(home_folder, home, folder), "."
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise errors.SkillCopyFailed(path=f"{home}/{folder}", reason=reason) from None

    async def _roots(self, call: Call, lane: str | None) -> Sequence[SkillRoot]:
        """The roots as an agent in that lane would see them, else as from where the caller is."""
        environ = environment_of(call.identity, call.caller)
        cwd = await self._folder(call, lane)
        home = Path(environ.get("HOME") or Path.home())
        return await asyncio.to_thread(skill_roots, environ, cwd, home)

    async def _folder(self, call: Call, lane: str | None) -> Path | None:
        if lane is not None:
            project = await self._services.projects.meant(call, None)
            return (await self._services.lanes.find(project, lane)).path
        return Path(call.caller.cwd) if call.caller.cwd else None


def _meant(found: list[Skill], name: str) -> Skill:
    """The skill that an agent gets by this name, else the nearest faulty one."""
    named = [skill for skill in found if skill.name == name]
    for skill in named:
        if skill.state == "ok":
            return skill
    if not named:
        raise errors.SkillNotFound(name=name)
    return named[0]


def _told(skill: Skill) -> types.Skill:
    return types.Skill(
        name=skill.name,
        state=skill.state,
        origin=skill.root.origin,
        description=skill.head.description,
        path=_text(skill.file),
        shadowed_by=None if skill.shadowed_by is None else _text(skill.shadowed_by),
        problems=[*skill.head.problems, *skill.head.remarks][:20],
    )


def _text(path: Path) -> str:
    """A path as JSON can hold it: bytes that are no UTF-8 are shown as the replacement mark."""
    return os.fsencode(path).decode("utf-8", "replace")
