"""Clients of other builds than the runtime's: who is served, who must update, and when the runtime makes room.

A client of older code is served while both speak one protocol. For a newer one the runtime makes room when nothing is under
way, and at once, finishing what is, when it does not speak the client's protocol. Newer is decided by the stamp alone, so that
of two builds always the same one wins.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.client.build import PROTOCOL, is_newer, stamp
from ade_runtime.contracts import JsonObject
from ade_runtime.machine.facts import package_version

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.server.server import Server

UPDATE = "Update this ade to the runtime's version, or end the runtime with `ade runtime stop` to go back on purpose."
REPLACE = "Run `ade runtime restart` outside of every session to put this version in its place."
SERVICE = "A service manager starts this runtime; run `ade service install` with this version to have it start this one."
log = logging.getLogger("ade.server")


class Builds:
    """Judges clients by the build and the protocol they bring along."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._stamp = stamp()

    def outdated(self, params: JsonObject) -> bool:
        """Whether the client should ask for this runtime's place (``runtime/replace``) before anything else.

        Raises ``incompatible_protocol`` for a client of an older protocol than the runtime's.
        """
        protocol = protocol_of(params)
        if protocol < PROTOCOL:
            raise incompatible(protocol)
        if protocol > PROTOCOL and not self._followed_by_newer():
            raise incompatible(protocol, SERVICE)
        return protocol > PROTOCOL or self.may_replace(params.get("build"))

    def may_replace(self, build: object) -> bool:
        """Whether a client runs newer code than this runtime and nothing keeps the runtime from being replaced."""
        return is_newer(build, self._stamp) and not self._server.busy() and self._followed_by_newer()

    def _followed_by_newer(self) -> bool:
        """Whether the next runtime would be of newer code: a service manager starts its own build, whoever asks."""
        return not self._server.managed or stamp() != self._stamp

    async def make_room(self, params: JsonObject, identity: Identity) -> bool:
        """Begin to end for a client of newer code; whether it was done.

        For the sake of another protocol calls in flight are finished first, and nobody is served meanwhile; only the owner may
        ask for that.
        """
        protocol = protocol_of(params)
        if protocol < PROTOCOL:
            raise incompatible(protocol)
        if protocol > PROTOCOL:
            if not self._followed_by_newer():
                raise incompatible(protocol, SERVICE)
            if identity.session is not None or identity.source != "owner":
                raise incompatible(protocol, REPLACE)
            log.info("a client speaks protocol %d; making room for a new runtime", protocol)
        elif not self.may_replace(params.get("build")):
            return False
        else:
            log.info("a client runs newer code; making room for a new runtime")
        self._server.stop(patient=True)
        return True


def protocol_of(params: JsonObject) -> int:
    """The protocol that a client says it speaks; this one where it says nothing."""
    told = params.get("protocol", PROTOCOL)
    if type(told) is not int or not 1 <= told <= 1000:
        raise errors.InvalidArguments(problem="protocol must be an integer from 1 to 1000", action="protocol")
    return told


def incompatible(protocol: int, advice: str = UPDATE) -> errors.IncompatibleProtocol:
    """The refusal of a client that speaks another protocol; ``advice`` is what the client can do."""
    peer = f"The runtime (version {package_version()}, pid {os.getpid()})"
    details = {"runtime": {"version": package_version(), "pid": os.getpid(), "protocol": PROTOCOL}}
    return errors.IncompatibleProtocol(
        peer=peer, theirs=PROTOCOL, mine=protocol, advice=advice, details=details
    )
