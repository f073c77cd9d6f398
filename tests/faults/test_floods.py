"""D14 and D16 on a small scale; ``make stress`` has the whole gigabyte."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command, command
from tests.support.floods import LIMIT, crowd, endless_line


@pytest.fixture
def ade(tmp_path: Path) -> Iterator[Command]:
    with command(tmp_path) as made:
        yield made


def test_d14_a_line_that_never_ends_is_refused_at_the_limit_and_not_kept(ade: Command) -> None:
    grown, _ = endless_line(ade, 64 * 2**20)
    assert grown <= 2 * LIMIT


def test_d16_more_connections_than_there_can_be_files(ade: Command) -> None:
    share, took, more = crowd(ade, clients=1000, files=256, seconds=2.0, settle=True)
    assert share <= 0.10
    assert took <= 5  # two seconds on a machine with nothing else to do, as the stress test holds it to
    assert more <= 2


def test_one_connection_too_many_is_told_so(ade: Command) -> None:
    ade.shell(f"ulimit -n 256; exec {ade.program} serve")
    ade.json("runtime", "health")
    open_ones = []
    for _ in range(140):
        one = socket.socket(socket.AF_UNIX)
        one.settimeout(30)
        one.connect(str(ade.paths.socket))
        open_ones.append(one)
    with open_ones[-1].makefile("rb") as lines:
        error = json.loads(lines.readline())["error"]
        assert error["data"]["code"] == "too_many_connections"
        assert "ulimit -n" in error["data"]["hint"]
        assert lines.readline() == b""
    for one in open_ones:
        one.close()
    assert ade.json("runtime", "info")["pid"] == ade.pid
