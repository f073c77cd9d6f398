"""Actions about the agent programs of others on this machine."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated.models import tools as models
from ade_generated.models.types import ExternalTool, ExternalTools
from ade_runtime.machine.tools.detect import Detected, Detection, detect
from ade_runtime.pipeline.surroundings import environment_of

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

KEPT_FOR = timedelta(seconds=30)
KEPT_ENVIRONMENTS = 8


@dataclass(frozen=True, slots=True)
class _Look:
    detection: Detection
    at: datetime


class ToolsHandlers:
    """What was found is kept by what it depends on: the caller's PATH, home and shell."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._looks: OrderedDict[tuple[str, ...], _Look] = OrderedDict()
        self._looking = asyncio.Lock()

    async def detect(self, call: Call, args: models.ToolsDetectInput) -> ExternalTools:
        asked = self._services.clock.now()
        async with self._looking:  # who comes meanwhile gets what this look finds
            look, cached = await self._look(
                environment_of(call.identity, call.caller), asked, refresh=args.refresh
            )
        names: set[str] = set(args.names or look.detection.tools)
        return ExternalTools(
            items=[_item(look.detection.tools[name]) for name in sorted(names)],
            total=len(names),
            next=None,
            checked_at=look.at,
            cached=cached,
            login_shell_problem=look.detection.shell_problem,
        )

    async def _look(
        self, environ: Mapping[str, str], asked: datetime, *, refresh: bool
    ) -> tuple[_Look, bool]:
        """The look for this environment and whether it was there before the call; ``refresh`` wants one begun after it."""
        key = tuple(environ.get(name, "") for name in ("PATH", "HOME", "SHELL", "XDG_CONFIG_HOME"))
        kept = self._looks.get(key)
        oldest = asked if refresh else asked - KEPT_FOR
        if kept is not None and oldest <= kept.at <= self._services.clock.now():
            return kept, kept.at < asked
        at = self._services.clock.now()
        look = _Look(await detect(environ), at)
        self._looks[key] = look
        self._looks.move_to_end(key)
        while len(self._looks) > KEPT_ENVIRONMENTS:
            self._looks.popitem(last=False)
        return look, False


def _item(found: Detected) -> ExternalTool:
    first = found.candidates[0] if found.candidates else None
    return ExternalTool(
        name=found.tool.name,
        title=found.tool.title,
        found=first is not None,
        path=None if first is None else _text(first.path),
        version=found.version.version,
        found_by=None if first is None else first.found_by,
        problem=found.version.problem,
        other_paths=[_text(candidate.path) for candidate in found.candidates[1:]],
    )


def _text(path: Path) -> str:
    """A path as JSON can hold it: bytes that are no UTF-8 are shown as the replacement mark."""
    return os.fsencode(path).decode("utf-8", "replace")
