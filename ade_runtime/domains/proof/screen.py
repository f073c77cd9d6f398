"""Computer use: looking at the screen, recording it, and driving the programs on it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import proof as models
from ade_generated.models.types import DesktopWindow, ProofAdded, ScreenArea, ScreenPoint
from ade_runtime.desktop import gui, launch, look, recording, screenshot
from ade_runtime.desktop.program import DesktopError
from ade_runtime.domains.proof.base import Base, about_link
from ade_runtime.domains.proof.limits import capabilities_of
from ade_runtime.machine.temporary import temporary_folder
from ade_runtime.pipeline.surroundings import environment_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.desktop.look import Area, Window
    from ade_runtime.pipeline.call import Call
    from ade_runtime.proof.records import Source


class ScreenActions(Base):
    async def environment(
        self, call: Call, args: models.ProofEnvironmentInput
    ) -> models.ProofEnvironmentOutput:
        environ = _environ(call)
        try:
            seen = await look.look(environ)
        except DesktopError as problem:
            raise _failed(call, problem) from problem
        return models.ProofEnvironmentOutput(
            platform=sys.platform,
            display=environ.get("DISPLAY"),
            screens=[_area(area) for area in seen.screens],
            pointer=_point(seen.pointer),
            active_window=_window(seen.active),
            windows=[window for one in seen.windows if (window := _window(one))],
            capabilities=capabilities_of(call),
        )

    async def screenshot(self, call: Call, args: models.ProofScreenshotInput) -> ProofAdded:
        with temporary_folder("screen") as folder:
            file = folder / "screenshot.png"
            try:
                await screenshot.take(_environ(call), file, _wanted(args.area))
            except DesktopError as problem:
                raise _failed(call, problem) from problem
            return await self._keep(call, args, file, "screenshot")

    async def record(self, call: Call, args: models.ProofRecordInput) -> ProofAdded:
        with temporary_folder("screen") as folder:
            file = folder / "recording.mp4"
            call.progress(f"Recording {args.seconds:g} s of the screen.", None)
            try:
                await recording.record(_environ(call), file, args.seconds, args.fps, _wanted(args.area))
            except DesktopError as problem:
                raise _failed(call, problem) from problem
            return await self._keep(call, args, file, "recording")

    async def launch_app(self, call: Call, args: models.ProofLaunchAppInput) -> models.ProofLaunchAppOutput:
        lane = await self._lane(call, args.lane)
        self._services.lanes.repository(lane)
        try:
            started = await launch.launch(_environ(call), args.command, lane.path, args.wait)
        except DesktopError as problem:
            raise _failed(call, problem) from problem
        call.subject = lane.id
        return models.ProofLaunchAppOutput(
            pid=started.pid,
            running=started.exit_code is None,
            exit_code=started.exit_code,
            window=_window(started.window),
        )

    async def interact(self, call: Call, args: models.ProofInteractInput) -> models.ProofInteractOutput:
        environ = _environ(call)
        try:
            await gui.perform(environ, args.steps)
            seen = await look.pointer_and_window(environ)
        except DesktopError as problem:
            raise _failed(call, problem) from problem
        return models.ProofInteractOutput(
            done=len(args.steps), pointer=_point(seen.pointer), active_window=_window(seen.active)
        )

    async def _keep(
        self,
        call: Call,
        args: models.ProofScreenshotInput | models.ProofRecordInput,
        file: Path,
        source: Source,
    ) -> ProofAdded:
        about = about_link(args.about)
        lane = await self._lane(call, args.lane)
        draft, kind = await self._proofs.copy(file.parent, file.name, file.parent, None)
        record = self._record(call, lane, draft, kind, name=file.name, source=source)
        return await self._put_one(call, draft, replace(record, caption=args.caption, about=about))


def _environ(call: Call) -> Mapping[str, str]:
    return environment_of(call.identity, call.caller)


def _failed(call: Call, problem: DesktopError) -> errors.DesktopFailed:
    return errors.DesktopFailed(action=call.action.id, reason=problem.reason, details=problem.details)


def _wanted(area: ScreenArea | None) -> Area | None:
    return None if area is None else look.Area(area.left, area.top, area.width, area.height)


def _area(area: Area) -> ScreenArea:
    return ScreenArea(left=area.left, top=area.top, width=area.width, height=area.height)


def _point(point: tuple[int, int] | None) -> ScreenPoint | None:
    return None if point is None else ScreenPoint(x=point[0], y=point[1])


def _window(window: Window | None) -> DesktopWindow | None:
    if window is None:
        return None
    return DesktopWindow(id=window.id, title=window.title, area=_area(window.area))
