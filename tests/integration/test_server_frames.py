"""What goes over the socket, row by row: each answer as JSON-RPC has it, the connection usable after it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.ways import serving

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "frames.jsonl").read_text().splitlines()
]
PING = b'{"jsonrpc":"2.0","id":"still there?","method":"ping"}\n'


class Client:
    """A raw connection that reads frames of both kinds."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes, chunk: int = 0) -> None:
        for start in range(0, len(data), chunk or len(data)):
            self.writer.write(data[start : start + (chunk or len(data))])
            await self.writer.drain()
            await asyncio.sleep(0)

    async def frame(self) -> tuple[bool, Any]:
        """Whether it came with a header, and the document."""
        line = await asyncio.wait_for(self.reader.readline(), 20)
        assert line, "the connection ended"
        if not line.lower().startswith(b"content-length:"):
            return False, json.loads(line)
        assert await self.reader.readline() == b"\r\n"
        return True, json.loads(await self.reader.readexactly(int(line.split(b":")[1])))

    async def ended(self) -> bool:
        return await asyncio.wait_for(self.reader.read(), 20) == b""


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path / "home") as socket:
        connection = Client(*await asyncio.open_unix_connection(socket, limit=32 * 2**20))
        yield connection
        connection.writer.close()


def fits(answer: Any, expected: Any) -> bool:
    """A batch's members may come in any order; an error's id and number are exact."""
    if isinstance(expected, list):
        left = list(expected)
        for member in answer if isinstance(answer, list) else []:
            match = next((one for one in left if fits(member, one)), None)
            if match is None:
                return False
            left.remove(match)
        return isinstance(answer, list) and not left
    if answer.get("jsonrpc") != "2.0" or answer.get("id") != expected["id"]:
        return False
    if "result" in expected:
        return "result" in answer and "error" not in answer
    right = "result" not in answer and answer["error"]["code"] == expected["error"]
    return right and expected.get("code") in (None, answer["error"].get("data", {}).get("code"))


@pytest.mark.parametrize("row", ROWS, ids=[row["name"].replace(" ", "-") for row in ROWS])
async def test_row(client: Client, row: dict[str, Any]) -> None:
    data = bytes.fromhex(row["hex"]) if "hex" in row else row["send"].encode("utf-8")
    await client.send(data, row.get("chunk", 0))
    for expected in row["answers"]:
        headed, answer = await client.frame()
        assert fits(answer, expected), answer
        assert headed == row.get("headed", False)
    if row.get("closes"):
        assert await client.ended()
        return
    await client.send(b"\n" + PING if row.get("junk") else PING)
    while True:
        _, answer = await client.frame()
        if not row.get("junk") or answer["id"] is not None:
            break
    assert answer == {"jsonrpc": "2.0", "id": "still there?", "result": {"ok": True}}


async def test_a_frame_of_a_hundred_thousand_brackets(client: Client) -> None:
    await client.send(b"[" * 100_000 + b"\n" + PING)
    assert (await client.frame())[1]["error"]["code"] == -32700
    assert (await client.frame())[1]["id"] == "still there?"


async def test_a_frame_of_exactly_the_limit_and_one_byte_more(client: Client) -> None:
    head, tail = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"', b'"}}'
    fill = b"x" * (8 * 2**20 - len(head) - len(tail))
    await client.send(head + fill + tail + b"\n")
    assert (await client.frame())[1]["result"] == {"ok": True}
    await client.send(head + fill + b"x" + tail + b"\n" + PING)
    assert (await client.frame())[1]["error"]["code"] == -32600
    assert (await client.frame())[1]["id"] == "still there?"


async def test_a_long_name_is_refused_and_not_echoed(client: Client) -> None:
    arguments = {"name": "lane.create", "arguments": {"name": "x" * 1_000_000}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "ade/actions/call", "params": arguments}
    await client.send(json.dumps(request).encode() + b"\n")
    answer = (await client.frame())[1]
    assert answer["error"]["code"] == -32602
    assert len(json.dumps(answer)) < 2000


async def test_a_large_frame_is_answered_before_what_follows_it(client: Client) -> None:
    """Large frames are parsed aside; what comes behind them waits its turn."""
    large = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * 600_000 + b'"}}\n'
    await client.send(large + PING)
    assert (await client.frame())[1]["id"] == 1
    assert (await client.frame())[1]["id"] == "still there?"


async def test_a_client_that_stops_sending_still_gets_its_answers(client: Client) -> None:
    await client.send(PING * 3)
    client.writer.write_eof()
    for _ in range(3):
        assert (await client.frame())[1]["id"] == "still there?"
    assert await client.ended()
