"""Being signed in at Linear by OAuth: one grant for the machine, kept as a secret, begun in a browser and ended by revoking."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_runtime.integrations.linear import oauth
from ade_runtime.integrations.linear.account import GRANT, SIGNED_IN, Account, api_address, sign_in
from ade_runtime.integrations.linear.oauth import Attempt, Grant
from ade_runtime.integrations.linear.redirect import HOST, PATH, Listener
from ade_runtime.vault.names import MACHINE

if TYPE_CHECKING:
    from ade_runtime.services import Services
    from ade_runtime.vault.names import SecretName

PORT = 41765
"""Applications name the address that browsers come back to, so it is always the same where nobody wants another."""

PATIENCE = 600.0
"""Seconds that a person has to decide."""

EARLY = 300.0
"""Seconds before its end that a token is refreshed, since clocks differ and calls take time."""


class Pending:
    """A sign-in that waits for its person. ``done`` ends with the grant, or with why there is none."""

    def __init__(self, attempt: Attempt, listener: Listener) -> None:
        self.attempt = attempt
        self.listener = listener
        self.done: asyncio.Task[Grant] | None = None


class SigningIn:
    """The machine's grant. Only one process refreshes it at a time, and the others take what that one has stored."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._pending: Pending | None = None
        services.expecting.append(lambda: self._pending is not None and not _over(self._pending))

    # -- coming in

    async def begin(self, client_id: str, port: int | None) -> Pending:
        """The sign-in of that application that waits already, or a new one. Raises ``linear_sign_in_port_taken`` and
        ``linear_sign_in_failed``."""
        pending = self._pending
        if pending is not None and pending.attempt.client_id == client_id and not _over(pending):
            return pending
        if self._services.settings.one_command:
            raise errors.LinearSignInFailed(
                reason="a process that ends with its command cannot wait; use no --headless"
            )
        self._drop()
        state = Attempt(client_id, "")
        listener = Listener(state.state)
        actual = await listener.open(PORT if port is None else port)
        attempt = replace(state, redirect=f"http://{HOST}:{actual}{PATH}")
        self._pending = made = Pending(attempt, listener)
        made.done = asyncio.get_running_loop().create_task(self._come_in(made))
        made.done.add_done_callback(_noticed)
        return made

    def waiting(self) -> Pending | None:
        """The sign-in that was begun last and of whose end nobody was told yet."""
        return self._pending

    async def end_of(self, pending: Pending, seconds: float) -> Grant | None:
        """The grant, ``None`` where the person has not decided in time. Raises ``linear_sign_in_denied``,
        ``linear_sign_in_failed`` and ``linear_unavailable``."""
        assert pending.done is not None
        await asyncio.wait({pending.done}, timeout=seconds)
        if not pending.done.done():
            return None
        if self._pending is pending:
            self._pending = None
        return pending.done.result()

    async def _come_in(self, pending: Pending) -> Grant:
        try:
            try:
                async with asyncio.timeout(PATIENCE):
                    came = await pending.listener.answer()
            except TimeoutError:
                raise errors.LinearSignInFailed(reason="nobody came back from the browser in time") from None
            finally:
                pending.listener.close()
            if came.code is None:
                raise errors.LinearSignInDenied(reason=came.problem or "access_denied")
            grant = await oauth.exchanged(pending.attempt, came.code, self._now())
            grant = await self._named(grant)
            await self._keep(grant)
        except asyncio.CancelledError:
            raise errors.LinearSignInFailed(reason="another one was begun, or ADE ended") from None
        return grant

    async def _named(self, grant: Grant) -> Grant:
        """The grant with who gave it."""
        from ade_runtime.integrations.linear.client import LinearClient
        from ade_runtime.integrations.linear.documents import VIEWER

        client = LinearClient(Account(api_address(), grant.access_token, SIGNED_IN))
        try:
            viewer = (await client.read(VIEWER, {}))["viewer"]
        finally:
            await client.close()
        return replace(grant, user=str(viewer["displayName"]), email=str(viewer["email"]))

    # -- being in

    async def grant(self) -> Grant | None:
        """The grant as it is stored."""
        secret = await self._secret()
        return None if secret is None else Grant.from_json(await self._services.vault.value(secret))

    async def current(self) -> Grant | None:
        """A grant whose token is good for a while, refreshed where that is needed; ``None`` where nobody is signed in."""
        grant = await self.grant()
        if grant is None or grant.expires_at - self._now() > EARLY:
            return grant
        return await self._refreshed(grant.access_token)

    async def is_used(self) -> bool:
        """Whether calls are made with the grant: a key that is set goes first."""
        return (await sign_in(self._services)).source == SIGNED_IN

    async def renewed(self, account: Account) -> Account | None:
        """The account with another token, because Linear refused this one; ``None`` where it is no grant's."""
        if account.source != SIGNED_IN:
            return None
        grant = await self._refreshed(account.key)
        return None if grant is None else replace(account, key=grant.access_token)

    async def _refreshed(self, stale: str) -> Grant | None:
        """The grant with another token than ``stale``. Who comes second finds what the first has stored."""
        async with self._services.locks.secret(MACHINE, f"{GRANT}/refresh"):
            grant = await self.grant()
            if grant is None or grant.access_token != stale:
                return grant
            fresh = await oauth.refreshed(grant, self._now())
            await self._keep(fresh)
            return fresh

    # -- going out

    async def leave(self, *, force: bool) -> tuple[Grant, bool]:
        """The grant that there was, and whether Linear has revoked it. Raises ``linear_not_signed_in``, and unless forced
        ``linear_unavailable``: then one is still signed in, and may try again."""
        self._drop()
        async with self._services.locks.secret(MACHINE, f"{GRANT}/refresh"):
            secret = await self._secret()
            if secret is None:
                raise errors.LinearNotSignedIn()
            done = True
            try:
                grant = Grant.from_json(await self._services.vault.value(secret))
            except errors.LinearSignInOver:
                grant, done = Grant("", "", None, 0.0, ""), False
            try:
                await oauth.revoked(grant)
            except errors.LinearUnavailable:
                if not force:
                    raise
                done = False
            await self._services.vault.remove(secret)
        return grant, done

    async def close(self) -> None:
        """End a sign-in that waits."""
        pending = self._pending
        self._drop()
        if pending is not None and pending.done is not None:
            with contextlib.suppress(Exception):
                await pending.done

    # -- parts

    def _drop(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None and pending.done is not None:
            pending.listener.close()
            pending.done.cancel()

    async def _secret(self) -> SecretName | None:
        return await self._services.vault.find((MACHINE,), GRANT)

    async def _keep(self, grant: Grant) -> None:
        about = f"Signed in to Linear as {grant.user}"[:200]
        await self._services.vault.put(
            MACHINE, GRANT, grant.to_json(), author="owner", readers="cto", description=about
        )

    def _now(self) -> float:
        return self._services.clock.now().timestamp()


def _over(pending: Pending) -> bool:
    return pending.done is None or pending.done.done()


def _noticed(task: asyncio.Task[Grant]) -> None:
    """Nobody may ask how it ended."""
    if not task.cancelled():
        task.exception()
