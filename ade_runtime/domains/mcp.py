"""Actions about the MCP endpoint and its clients."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import mcp as models
from ade_generated.models.types import McpLease
from ade_runtime.machine.install.files import UnusableFileError
from ade_runtime.mcp_clients.clients import CLIENTS, TOKEN_NAME, snippet
from ade_runtime.mcp_clients.install import ForeignEntryError, Installer
from ade_runtime.mcp_clients.servers import file_of, server_of
from ade_runtime.mcp_endpoint.service import lease_state
from ade_runtime.paging import cut
from ade_runtime.pipeline.call import About
from ade_runtime.pipeline.surroundings import environment_of

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

    async def config(self, call: Call, args: models.McpConfigInput) -> models.McpConfigOutput:
        client = CLIENTS[args.client]
        if (args.write or args.undo) and call.identity.session is not None:
            reason = (
                "Only the owner's shell changes what a client starts; print it with neither write nor undo."
            )
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        environ = environment_of(call.identity, call.caller)
        folder = await self._folder(call) if args.place == "project" and args.file is None else None
        path = file_of(client, environ, args.file, folder, call.caller.cwd)
        lease = None if args.lease is None else await self._services.mcp.find(args.lease)
        server = server_of(client, environ, self._services.paths.home, args.place == "project", lease)
        entry = client.entry(server)
        if entry is None:
            problem = f"{client.title} would need the token of the lease in its file; let it start ade itself"
            raise errors.InvalidArguments(problem=problem, action=call.action.id)
        installer = Installer(self._services.paths.home, client, path)
        backup: str | None = None
        try:
            if args.write:
                state, backup = await asyncio.to_thread(installer.write, entry)
            else:
                state = await asyncio.to_thread(
                    installer.undo if args.undo else lambda: installer.state(entry)
                )
        except ForeignEntryError:
            raise errors.McpEntryExists(path=str(path)) from None
        except UnusableFileError as problem:
            raise errors.McpFileUnusable(path=str(path), reason=str(problem)) from None
        notes = list(client.notes)
        if lease is not None:
            notes.insert(0, f"The client takes the token of the lease from its environment, as {TOKEN_NAME}.")
            state_of_lease = (await self._told(lease)).state
            if state_of_lease != "live":
                reason = state_of_lease.replace("_", " ")
                notes.insert(0, f"The lease works no more ({reason}); `ade mcp lease` gives another one.")
        return models.McpConfigOutput(
            client=args.client,
            file=str(path),
            format=client.format,
            state=state,
            content=snippet(client, entry),
            backup=backup,
            notes=notes,
        )

    async def _folder(self, call: Call) -> Path:
        """The worktree that the caller stands in, else the project's own."""
        call.scope = await self._services.projects.meant(call, None)
        return (await self._services.lanes.resolve(call, None, write=False)).path

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
