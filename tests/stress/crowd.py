"""Two hundred clients of every temper, in a process of their own: ``python -m tests.stress.crowd SOCKET SECONDS PROJECT``.

Prints one JSON document: how many answers came to each kind of client, and the first wrong ones.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

CROWD = {
    "caller": 100,
    "batcher": 30,
    "canceller": 20,
    "slow": 15,
    "half_open": 15,
    "abrupt": 10,
    "deep": 5,
    "huge": 5,
}
FRAME_LIMIT = 8 * 2**20
PATIENCE = 60.0


class Wrong(Exception):
    """An answer that is not what the request must get."""


class Client:
    """One connection at a time; ``count`` numbers its requests."""

    def __init__(self, socket: str, project: str, dice: random.Random) -> None:
        self.socket, self.project, self.dice = socket, project, dice
        self.count = 0

    async def __aenter__(self) -> Client:
        self.reader, self.writer = await asyncio.open_unix_connection(self.socket, limit=32 * 2**20)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self.count += 1
        return {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params or {}}

    def call(self, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        params = {"name": name, "arguments": arguments or {}, "project": self.project}
        return self.request("ade/actions/call", params)

    def send(self, document: object) -> None:
        self.writer.write(json.dumps(document).encode() + b"\n")

    async def answer(self) -> Any:
        while True:
            line = await asyncio.wait_for(self.reader.readline(), PATIENCE)
            if not line:
                raise Wrong("the connection ended")
            document = json.loads(line)
            if isinstance(document, list) or "method" not in document:
                return document

    async def pause(self) -> None:
        """Clients are people and agents: they think between calls."""
        await asyncio.sleep(self.dice.uniform(0.5, 3.0))


def expect(truth: bool, what: object) -> None:
    if not truth:
        raise Wrong(str(what)[:300])


READS: list[tuple[str, dict[str, Any], Callable[[Any], bool]]] = [
    ("runtime.health", {}, lambda a: a["result"] == {"status": "ok"}),
    ("runtime.info", {}, lambda a: a["result"]["protocol"] == 1),
    ("project.list", {}, lambda a: a["result"]["total"] == 1),
    ("lane.list", {}, lambda a: a["result"]["total"] == 1),
    ("actions.describe", {"action": "lane.create"}, lambda a: a["result"]["id"] == "lane.create"),
    ("lane.create", {"name": ""}, lambda a: a["error"]["data"]["code"] == "invalid_arguments"),
    ("no.such", {}, lambda a: "error" in a),
]


async def caller(client: Client) -> None:
    async with client:
        for _ in range(10):
            name, arguments, right = client.dice.choice(READS)
            client.send(client.call(name, arguments))
            found = await client.answer()
            expect(found["id"] == client.count and right(found), (name, found))
            await client.pause()


async def batcher(client: Client) -> None:
    async with client:
        for _ in range(5):
            members: list[Any] = [client.call("runtime.health") for _ in range(client.dice.randint(1, 8))]
            wanted = sorted(member["id"] for member in members)
            members += [{"jsonrpc": "2.0", "method": "ping"}, 7]
            client.dice.shuffle(members)
            client.send(members)
            found = await client.answer()
            refused = [one for one in found if "error" in one]
            expect(sorted(one["id"] for one in found if "result" in one) == wanted, found)
            expect([one["error"]["code"] for one in refused] == [-32600], refused)
            await client.pause()


async def canceller(client: Client) -> None:
    async with client:
        for _ in range(5):
            call = client.call("git.status")
            client.send(call)
            await asyncio.sleep(client.dice.uniform(0, 0.01))
            client.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": call["id"]}})
            found = await client.answer()
            ended = "result" in found or found["error"]["data"]["code"] in ("cancelled", "rate_limited")
            expect(found["id"] == call["id"] and ended, found)
            await client.pause()


async def slow(client: Client) -> None:
    async with client:
        for _ in range(60):
            client.send(client.call("actions.list"))
        for _ in range(10):
            await client.reader.read(512)
            await asyncio.sleep(0.05)
        client.writer.transport.abort()
    await client.pause()


async def half_open(client: Client) -> None:
    async with client:
        wanted = set()
        for _ in range(5):
            call = client.call("runtime.health")
            wanted.add(call["id"])
            client.send(call)
        client.writer.write_eof()
        expect({(await client.answer())["id"] for _ in range(5)} == wanted, "half open")
        expect(await asyncio.wait_for(client.reader.read(), PATIENCE) == b"", "open after the last answer")
    await client.pause()


async def abrupt(client: Client) -> None:
    async with client:
        client.send(client.call("git.log"))
        for _ in range(4):
            client.send(client.call("runtime.health"))
        await asyncio.sleep(client.dice.uniform(0, 0.02))
        client.writer.transport.abort()
    await client.pause()


async def deep(client: Client) -> None:
    async with client:
        for depth, code in ((64, -32600), (65, -32700), (100_000, -32700)):
            client.writer.write(b"[" * depth + b"]" * depth + b"\n")
            found = await client.answer()
            found = found[0] if isinstance(found, list) else found
            expect(found["error"]["code"] == code, found)
        await client.pause()


async def huge(client: Client) -> None:
    async with client:
        client.writer.write(b"x" * (FRAME_LIMIT + 1) + b"\n")
        expect((await client.answer())["error"]["code"] == -32600, "a frame beyond the limit")
        client.send(client.call("runtime.health"))
        expect("result" in await client.answer(), "the call behind it")
    await asyncio.sleep(1)


TEMPERS: dict[str, Callable[[Client], Awaitable[None]]] = {
    "caller": caller,
    "batcher": batcher,
    "canceller": canceller,
    "slow": slow,
    "half_open": half_open,
    "abrupt": abrupt,
    "deep": deep,
    "huge": huge,
}


async def crowd(socket: str, seconds: float, project: str) -> dict[str, Any]:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    rounds: Counter[str] = Counter()
    wrong: list[str] = []

    async def live(temper: str, number: int) -> None:
        client = Client(socket, project, random.Random(number))
        await client.pause()
        while loop.time() < end and len(wrong) < 10:
            try:
                await TEMPERS[temper](client)
                rounds[temper] += 1
            except (Wrong, OSError, TimeoutError, KeyError, TypeError) as problem:
                wrong.append(f"{temper}: {type(problem).__name__}: {problem}")

    people = [temper for temper, count in CROWD.items() for _ in range(count)]
    await asyncio.gather(*(live(temper, number) for number, temper in enumerate(people)))
    return {"rounds": rounds, "wrong": wrong}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(crowd(sys.argv[1], float(sys.argv[2]), sys.argv[3]))))
