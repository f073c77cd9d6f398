"""The least a typed JSON-RPC server can be: asyncio, one pydantic model in, one out, no pipeline.

``python -m benchmarks.peers.bare_server SOCKET [uvloop]``. It answers every line with the payload that
``runtime.info`` gives.
"""

from __future__ import annotations

import asyncio
import os
import sys
from datetime import UTC, datetime

import orjson
from pydantic import BaseModel, ConfigDict


class Empty(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Info(BaseModel):
    version: str
    build_hash: str
    protocol: int
    pid: int
    home: str
    socket: str | None
    default_role: str
    project_root: str | None
    started_at: datetime


async def serve(path: str) -> None:
    started = datetime.now(UTC)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            request = orjson.loads(line)
            Empty.model_validate(request["params"]["arguments"])
            info = Info(
                version="0.1.0",
                build_hash="0" * 64,
                protocol=1,
                pid=os.getpid(),
                home="/home/someone/.ade",
                socket=path,
                default_role="cto",
                project_root=None,
                started_at=started,
            )
            result = info.model_dump_json().encode()
            writer.write(b'{"jsonrpc":"2.0","id":%d,"result":%b}\n' % (request["id"], result))
            await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(talk, path)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[2:] == ["uvloop"]:
        import uvloop

        uvloop.run(serve(sys.argv[1]))
    else:
        asyncio.run(serve(sys.argv[1]))
