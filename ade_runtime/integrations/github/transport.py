"""Connections to GitHub that outlive a request: githubkit makes a client for each task, and closes its transport with it."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

MOST_CONNECTIONS = 8
_IDLE = 30.0


class Shared(httpx.AsyncBaseTransport):
    """A pool of connections that only :meth:`end` closes."""

    def __init__(self) -> None:
        limits = httpx.Limits(max_connections=MOST_CONNECTIONS, keepalive_expiry=_IDLE)
        self._inner = httpx.AsyncHTTPTransport(limits=limits)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """A client that ends leaves the connections to the next one."""

    async def end(self) -> None:
        await self._inner.aclose()


def is_proxied(url: str) -> bool:
    """Whether the environment sends requests to an address through a proxy, which httpx then sees to by itself."""
    parts = urlsplit(url)
    return parts.scheme in getproxies() and not proxy_bypass(parts.hostname or "")
