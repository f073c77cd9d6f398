"""Clients of the Model Context Protocol: the ``mcp`` package's own, and plain HTTP requests that follow no rules."""

from __future__ import annotations

import http.client
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


@asynccontextmanager
async def http_client(url: str, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    """The package's client over HTTP. ``mode`` is as the package takes it: auto, legacy, or a protocol version."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30) as web,
        Client(streamable_http_client(url, http_client=web), mode=mode) as client,
    ):
        yield client


def post(
    url: str, document: Any, headers: Mapping[str, str], *, method: str = "POST", raw: bytes | None = None
) -> tuple[int, bytes]:
    """Status and body of one request with exactly these headers beside the usual three."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=30)
    try:
        body = json.dumps(document).encode() if raw is None else raw
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
        usual = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Content-Length": str(len(body)),
        }
        for name, value in {**usual, **headers}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read() if answer.status != 200 else answer.read1()
    finally:
        connection.close()
