"""Actions about the MCP endpoint and its clients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import mcp as models
from ade_generated.models.types import McpLease
from ade_runtime.mcp_endpoint.service import lease_state
from ade_runtime.paging import cut
from ade_runtime.pipeline.call import About

if TYPE_CHECKING:
    from ade_runtime.mcp_endpoint.leases import Lease
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services


class McpHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def lease(self, call: Call, args: models.McpLeaseInput) -> models.McpLeaseOutput:
        session = args.session or call.identity.session
        if session is None:
            raise errors.SessionRequired(action=call.action.id)
        record = await self._services.sessions.find(session)
        call.about = About(project=record.project, lane=record.lane, session=record.id)
        lease, token = await self._services.mcp.grant(
            record,
            client=args.client,
            shape=args.shape,
            tools=args.tools,
            seconds=args.expires_in,
            env=call.caller.env,
        )
        call.subject = lease.id
        return models.McpLeaseOutput(
            lease=await self._told(lease),
            token=token,
            next=f"Give the client the address and, as its bearer token, the token; `ade mcp revoke {lease.id}` ends it.",
        )

    async def revoke(self, call: Call, args: models.McpRevokeInput) -> McpLease:
        lease = await self._services.mcp.find(args.lease)
        if call.identity.session is not None:
            await self._services.pipeline.reach.check_session(call, lease.session)
        call.subject = lease.id
        call.about = About(session=lease.session)
        return await self._told(await self._services.mcp.revoke(lease.id))

    async def leases(self, call: Call, args: models.McpLeasesInput) -> models.McpLeasesOutput:
        if args.session is not None:
            await self._services.sessions.find(args.session)
        found = await self._services.mcp.all(session=args.session, live=not args.all)
        reached = [lease for lease in found if await self._reaches(call, lease)]
        page, following = cut(reached, args.cursor, args.limit, key=lambda lease: lease.id)
        items = [await self._told(lease) for lease in page]
        return models.McpLeasesOutput(items=items, total=len(reached), next=following)

    async def _reaches(self, call: Call, lease: Lease) -> bool:
        """Whether the lease is of a session that the caller may act for: nobody else needs to know of it."""
        if call.identity.session is None:
            return True
        subject = call.subject
        try:
            await self._services.pipeline.reach.check_session(call, lease.session)
        except errors.PolicyDenied:
            return False
        finally:
            call.subject = subject
        return True

    async def _told(self, lease: Lease) -> McpLease:
        session = await self._services.sessions.find(lease.session)
        return McpLease(
            id=lease.id,
            state=lease_state(lease, session, self._services.clock.now()),
            session=lease.session,
            client=lease.client,
            shape=lease.shape,
            tools=lease.tools,
            url=lease.url,
            created_at=lease.created_at,
            expires_at=lease.expires_at,
        )
