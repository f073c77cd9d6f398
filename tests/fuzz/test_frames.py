"""Made-up frames: the reader alone, and a server that must go on answering whatever came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.properties import check
from tests.support.ways import serving

PING = b'{"jsonrpc":"2.0","id":"still there?","method":"ping"}\n'

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
methods = st.sampled_from(
    [
        "ping",
        "ade/initialize",
        "ade/actions/list",
        "ade/actions/call",
        "$/cancelRequest",
        "cli/run",
        "runtime/info",
        "",
    ]
) | st.text(max_size=12)
requests = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | json_values,
        "id": st.integers(-5, 5) | st.text(max_size=5) | json_values,
        "method": methods | json_values,
        "params": st.dictionaries(
            st.sampled_from(
                ["name", "arguments", "id", "role", "token", "argv", "project", "cwd", "timeout_ms"]
            ),
            json_values | st.sampled_from(["runtime.health", "lane.list", "actions.list"]),
            max_size=4,
        )
        | json_values,
    },
)


def _text(document: object) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


def _headed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


bodies = (requests | st.lists(requests, max_size=4) | json_values).map(_text)
spoilt = st.tuples(bodies, st.integers(0, 200), st.binary(max_size=3)).map(
    lambda made: made[0][: made[1]] + made[2] + made[0][made[1] :]
)
headers = st.sampled_from(
    [
        b"Content-Length: 5\r\n\r\n[1,2]",
        b"content-length:2\n\n{}",
        b"Content-Length: 5000\r\n\r\n" + b"x" * 5000,
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n",
        b"Content-Type: x\r\n\r\n",
        b"C",
        b"content",
    ]
)
pieces = (
    bodies.map(lambda b: b + b"\n")
    | bodies.map(_headed)
    | spoilt
    | headers
    | st.binary(max_size=40)
    | st.just(b"\n")
)
streams = st.lists(pieces, max_size=6).map(b"".join)


@given(streams, st.lists(st.integers(0, 1 << 16), max_size=6))
@settings(max_examples=400, deadline=None)
def test_frames_do_not_depend_on_how_the_bytes_arrive(data: bytes, cuts: list[int]) -> None:
    check(data, cuts)


@pytest.fixture
async def socket(tmp_path: Path) -> AsyncIterator[str]:
    async with serving(tmp_path / "home") as path:
        yield str(path)


def _valid(answer: Any) -> bool:
    if isinstance(answer, list):
        return bool(answer) and all(_valid(member) for member in answer)
    if "method" in answer:
        return answer["jsonrpc"] == "2.0" and "id" not in answer
    right = isinstance(answer["error"]["code"], int) if "error" in answer else "result" in answer
    return bool(right and answer["jsonrpc"] == "2.0" and "id" in answer)


async def _talk(path: str, frames: list[bytes]) -> None:
    reader, writer = await asyncio.open_unix_connection(path, limit=32 * 2**20)
    try:
        writer.writelines(frame + b"\n" for frame in frames)
        writer.write(b"\n" + PING)
        while True:
            line = await asyncio.wait_for(reader.readline(), 20)
            assert line, "the connection ended without a reason"
            answer = json.loads(line)
            assert _valid(answer), answer
            if isinstance(answer, dict) and answer.get("id") == "still there?":
                return
    finally:
        writer.close()


lines = (bodies | spoilt).filter(
    lambda body: (
        b"\n" not in body and body[:1].lower() != b"c" and b'"exit"' not in body and b'"shutdown"' not in body
    )
)


async def test_a_server_answers_validly_and_goes_on(socket: str) -> None:
    found: list[list[bytes]] = []

    @given(st.lists(lines, max_size=5))
    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def collect(frames: list[bytes]) -> None:
        found.append(frames)

    collect()
    for frames in found:
        await _talk(socket, frames)
