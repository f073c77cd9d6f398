"""ADE's tools for a chat's program that can be given them only as an MCP server: a lease, for as long as the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.chat.providers.base import Endpoint, ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.services import Services

CLIENT = "ade chats"
"""Whom such a lease is for: it tells them from those that somebody asked for."""

SECONDS = 7 * 24 * 3600
"""A program that has nothing to do ends long before; one that works on and on keeps its tools for so long."""


async def lend(services: Services, session: str, env: Mapping[str, str]) -> Endpoint:
    """A lease of the session, whose tools are run with ``env``.

    Raises:
        ProviderError: of kind ``refused``, where there is no endpoint to be had.
    """
    try:
        record = await services.sessions.find(session)
        lease, token = await services.mcp.grant(record, client=CLIENT, seconds=SECONDS, env=env)
    except (errors.EndpointUnavailable, errors.SessionEnded) as problem:
        raise ProviderError("refused", f"ADE's tools cannot be lent: {problem.message}") from problem

    async def withdraw() -> None:
        await services.mcp.revoke(lease.id)

    return Endpoint(
        url=lease.url, token=token, reached=lambda: services.mcp.serves(lease.id), withdraw=withdraw
    )


async def withdraw_left(services: Services) -> None:
    """End what an earlier runtime lent: the programs that had it ended with that runtime."""
    for lease in await services.mcp.all(session=None, live=True):
        if lease.client == CLIENT:
            await services.mcp.revoke(lease.id)
