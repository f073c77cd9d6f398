"""What a process does to its files, as strace tells it: is everything on the disk before an answer is sent?"""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command import Command

CALLS = "fdatasync,fsync,sendto,sendmsg,write,writev,pwrite64,pwritev"
FILES = ("state.db", "state.db-journal", "state.db-wal")
SYNCS = ("fdatasync", "fsync")
ANSWER = r'"{\"jsonrpc\":\"2.0\"'
_LINE = re.compile(r"^(?P<pid>\d+) +(?P<call>\w+)\((?P<fd>\d+)<(?P<path>.*?)>(?=[,) ])(?P<rest>.*)$")
_RESUMED = re.compile(r"^(?P<pid>\d+) +<\.\.\. (?P<call>\w+) resumed>.*= (?P<result>-?\d+)")


@contextmanager
def traced(pid: int, trace: Path) -> Iterator[None]:
    """Note the calls of a running process and all its threads in ``trace``; skips the test where that is not possible."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("strace is not installed")
    argv = [program, "-f", "-y", "-s", "64", "-e", f"trace={CALLS}", "-o", str(trace), "-p", str(pid)]
    process = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    first = process.stderr.readline()
    if "attached" not in first:
        process.wait()
        process.stderr.close()
        pytest.skip(f"strace may not look at processes here: {first.strip()}")
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)
        process.stderr.close()


def answers_before_their_sync(ade: Command, trace: Path, calls: int) -> tuple[int, list[str]]:
    """How many of so many writing calls were answered, and the answers that were sent before all was on the disk."""
    ade.json("sessions", "start")
    pid = ade.pid
    assert pid is not None
    with traced(pid, trace), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(str(ade.paths.socket))
        with connection.makefile("rb") as lines:
            for number in range(calls):
                params = {"name": "session.start", "arguments": {"title": f"{number}"}}
                call = {"jsonrpc": "2.0", "id": number, "method": "ade/actions/call", "params": params}
                connection.sendall(json.dumps(call).encode() + b"\n")
                assert "result" in json.loads(next(lines))
    return unsynced_answers(trace.read_text().splitlines(), ANSWER, FILES)


def unsynced_answers(lines: Sequence[str], answer: str, files: Sequence[str]) -> tuple[int, list[str]]:
    """How many answers were sent (calls whose data holds ``answer``), and those that were sent too early.

    Too early is: without any completed sync of one of ``files`` since the answer before, or with a write to one of them that no
    completed sync followed.
    """
    dirty: set[str] = set()
    begun: dict[tuple[str, str], str] = {}
    synced, sent, early = 0, 0, []
    for line in lines:
        resumed = _RESUMED.match(line)
        if resumed is not None:
            path = begun.pop((resumed["pid"], resumed["call"]), None)
            if path is not None and resumed["result"] == "0":
                dirty.discard(path)
                synced += 1
            continue
        found = _LINE.match(line)
        if found is None:
            continue
        name = Path(found["path"]).name
        if found["call"] in SYNCS and name in files:
            if "unfinished" in found["rest"]:
                begun[found["pid"], found["call"]] = name
            else:
                dirty.discard(name)
                synced += 1
        elif name in files:
            dirty.add(name)
        elif answer in found["rest"]:
            sent += 1
            if dirty or not synced:
                early.append(f"{sent}: {sorted(dirty)} {line}")
            synced = 0
    return sent, early
