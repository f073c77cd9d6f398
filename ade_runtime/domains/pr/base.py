"""What the modules of this domain share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.pull import Pull
    from ade_runtime.pulls.service import Pulls
    from ade_runtime.services import Services


class PullActions:
    """Base of the modules of this domain."""

    def __init__(self, services: Services) -> None:
        self._services = services

    @property
    def _pulls(self) -> Pulls:
        return self._services.pulls

    async def _read(self, call: Call, number: int | None, lane: str | None) -> Pull:
        return _named(call, await self._pulls.find(call, number, lane))

    async def _write(self, call: Call, number: int | None, lane: str | None) -> Pull:
        return _named(call, await self._pulls.find(call, number, lane, write=True))


def _named(call: Call, pull: Pull) -> Pull:
    call.subject = f"{pull.place.repository.reference}#{pull.number}"
    return pull
