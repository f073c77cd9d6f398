"""Requests to Linear: one at a time, bounded, repeated where that is safe, and told in ADE's errors when they fail.

A read is repeated when the connection breaks. A write is repeated only after a look whether it has landed: the caller of
:meth:`LinearClient.write` says how to look.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from ade_generated import errors
from ade_runtime.integrations.linear.failures import (
    Interrupted,
    RateLimited,
    Unreached,
    failure_of,
    wait_named_by,
)

if TYPE_CHECKING:
    import httpx

    from ade_runtime.contracts import JsonObject
    from ade_runtime.integrations.linear.account import Account

T = TypeVar("T")
TRIES = 3
PAUSE_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 5.0
"""What a limit may make a call wait; beyond it the call ends and says how long to wait."""

REQUEST_SECONDS = 20.0
CONNECT_SECONDS = 5.0
LARGEST_ANSWER = 8 * 2**20
log = logging.getLogger("ade.linear")


class LinearClient:
    """Speaks for one account. ``pause`` is the first wait before a second repetition, in seconds; the first comes at once, as a
    kept connection that the other side closed is what breaks most often. ``renew`` gives the account with another key
    once Linear has refused this one."""

    def __init__(
        self,
        account: Account,
        *,
        pause: float = PAUSE_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        renew: Callable[[Account], Awaitable[Account | None]] | None = None,
    ) -> None:
        self.account = account
        self._renew = renew
        self._pause = pause
        self._sleep = sleep
        self._http: httpx.AsyncClient | None = None

    async def read(self, document: str, variables: Mapping[str, Any]) -> JsonObject:
        """The ``data`` of a query. Raises ``linear_unavailable``, ``linear_rate_limited``, ``linear_refused`` and their
        like, and :class:`~.failures.EntityMissing` for what Linear does not have."""
        for attempt in range(1, TRIES + 1):
            try:
                return await self._once(document, variables)
            except Interrupted as problem:
                await self._before_next(problem, attempt)
        raise AssertionError("the last attempt raises")

    async def write(
        self,
        document: str,
        variables: Mapping[str, Any],
        *,
        landed: Callable[[], Awaitable[T | None]],
        answer: Callable[[JsonObject], T],
    ) -> T:
        """Make a change once. Where the answer is lost, ``landed`` says what the change has made; only where that is nothing
        (``None``) is it asked for again."""
        for attempt in range(1, TRIES + 1):
            try:
                return answer(await self._once(document, variables))
            except Unreached as problem:
                await self._before_next(problem, attempt)
            except Interrupted as problem:
                found = await landed()
                if found is not None:
                    return found
                await self._before_next(problem, attempt)
            except errors.LinearRefused:
                found = await landed() if attempt > 1 else None
                if found is None:
                    raise
                return found
        raise AssertionError("the last attempt raises")

    async def close(self) -> None:
        """Close the connections that are kept."""
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def _once(self, document: str, variables: Mapping[str, Any]) -> JsonObject:
        """One request, sent again only where it was refused as a stranger's and the account has another key."""
        try:
            return await self._patiently(document, variables)
        except errors.LinearKeyRefused:
            renewed = None if self._renew is None else await self._renew(self.account)
            if renewed is None:
                raise
            self.account = renewed
            return await self._patiently(document, variables)

    async def _patiently(self, document: str, variables: Mapping[str, Any]) -> JsonObject:
        """One request, sent again only after a short wait that Linear itself asks for."""
        for patient in (True, False):
            try:
                return await self._send(document, variables)
            except RateLimited as limit:
                if not patient or limit.seconds > LONGEST_WAIT_SECONDS:
                    raise errors.LinearRateLimited(
                        seconds=max(1, round(limit.seconds)), retry_after_ms=round(limit.seconds * 1000)
                    ) from None
                await self._sleep(limit.seconds)
        raise AssertionError("the second attempt raises")

    async def _send(self, document: str, variables: Mapping[str, Any]) -> JsonObject:
        import httpx

        body = orjson.dumps({"query": document, "variables": dict(variables)})
        account = self.account
        named = {"Authorization": account.authorization}
        try:
            async with self._opened().stream(
                "POST", account.address, content=body, headers=named
            ) as response:
                raw = await _bounded(response)
                status, headers = response.status_code, response.headers
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as problem:
            raise Unreached(_words(problem)) from None
        except httpx.HTTPError as problem:
            raise Interrupted(_words(problem)) from None
        now = time.time()
        return _judged(status, wait_named_by(headers, now), raw, hidden=account.key)

    async def _before_next(self, problem: Interrupted, attempt: int) -> None:
        if attempt == TRIES:
            raise errors.LinearUnavailable(reason=str(problem)) from None
        log.info("a request to Linear failed (%s) and is made again", problem)
        if attempt > 1:
            await self._sleep(self._pause * 2 ** (attempt - 2))

    def _opened(self) -> httpx.AsyncClient:
        if self._http is None:
            import httpx

            self._http = httpx.AsyncClient(
                headers={"Content-Type": "application/json", "User-Agent": "ade"},
                timeout=httpx.Timeout(REQUEST_SECONDS, connect=CONNECT_SECONDS),
                follow_redirects=False,
            )
        return self._http


def _judged(status: int, wait: float | None, raw: bytes, *, hidden: str) -> JsonObject:
    try:
        document = orjson.loads(raw)
    except orjson.JSONDecodeError:
        document = None
    if isinstance(document, dict) and status == 200 and not document.get("errors"):
        data = document.get("data")
        if isinstance(data, dict):
            return data
    raise failure_of(status, document, wait, hidden=hidden)


async def _bounded(response: httpx.Response) -> bytes:
    found = bytearray()
    async for piece in response.aiter_bytes():
        found += piece
        if len(found) > LARGEST_ANSWER:
            raise errors.LinearRefused(reason=f"the answer is larger than {LARGEST_ANSWER} bytes")
    return bytes(found)


def _words(problem: Exception) -> str:
    """What went wrong with a connection, without what was sent over it."""
    kinds = {
        "ConnectError": "it cannot be reached",
        "ConnectTimeout": "it does not answer",
        "ReadTimeout": "it did not answer in time",
        "RemoteProtocolError": "the connection was cut",
        "ReadError": "the connection was cut",
        "WriteError": "the connection was cut",
    }
    return kinds.get(type(problem).__name__, "the connection failed")
