"""S1: search.workspace over a history of 100,000 commits through the socket, against the 50 ms it may take and against
``git log --grep``; and how soon a new commit is found, against a second."""

from __future__ import annotations

import json
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.measure import Row, Size
from benchmarks.place import Place, place

FIRST_WORDS = ("fix", "add", "update", "remove", "test", "login", "error", "refactor", "build", "docs")
LATER_WORDS = 8000
QUERIES = (
    "fix",
    "fix login",
    "word17",
    '"fix login"',
    "word12*",
    "add update test",
    "word4711 fix",
    "login docs word1234*",
)
LIMIT_MS = 50.0
FRESH_MS = 1000.0


class Caller:
    """One connection that searches and reads the answer whole."""

    def __init__(self, path: str, project: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._file = self._socket.makefile("rb")
        self._project = project
        self._number = 0

    def search(self, query: str) -> dict[str, object]:
        self._number += 1
        params = {"name": "search.workspace", "arguments": {"query": query}, "project": self._project}
        frame = {"jsonrpc": "2.0", "id": self._number, "method": "ade/actions/call", "params": params}
        self._socket.sendall(json.dumps(frame).encode() + b"\n")
        while True:
            answer = json.loads(self._file.readline())
            if answer.get("id") == self._number:
                break
        if "result" not in answer:
            raise RuntimeError(str(answer))
        result: dict[str, object] = answer["result"]
        return result

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def measure(size: Size) -> list[Row]:
    commits = size.of(100_000, 3_000)
    with place(files=1) as here:
        make_history(here, commits)
        caller = Caller(here.ade("runtime", "info")["socket"], str(here.project))
        took_in = index(caller)
        times = [timed(caller, query) for _ in range(size.of(40, 4)) for query in QUERIES]
        with_git = [grep(here, query.split()[0].strip('"*')) for query in QUERIES[: size.of(4, 2)]]
        fresh = [freshness(here, caller, number) for number in range(size.of(5, 2))]
        caller.close()
    ours, what = statistics.median(times), f"search over {commits:,} commits, p50"
    return [
        Row(
            "S1",
            what,
            ours,
            "the time it may take",
            LIMIT_MS,
            1.0,
            f"p95 {sorted(times)[int(len(times) * 0.95)]:.1f} ms",
        ),
        Row("S1", what, ours, "git log --grep", statistics.median(with_git), None),
        Row("S1", "a new commit is found", max(fresh), "the time it may take", FRESH_MS, 1.0),
        Row("S1", "taking all of them in, the first time", took_in, "a commit", took_in / commits, None),
    ]


def index(caller: Caller) -> float:
    """Milliseconds until everything is taken in."""
    began = time.perf_counter()
    while not caller.search("fix")["complete"]:
        if time.perf_counter() - began > 600:
            raise RuntimeError("the history is not taken in after ten minutes")
    return (time.perf_counter() - began) * 1000


def timed(caller: Caller, query: str) -> float:
    began = time.perf_counter()
    found = caller.search(query)
    took = (time.perf_counter() - began) * 1000
    if not found["total"]:
        raise RuntimeError(f"{query} finds nothing")
    return took


def grep(here: Place, word: str) -> float:
    argv = ["git", "log", "-i", f"--grep={word}", "--max-count=20", "--format=%H %s"]
    began = time.perf_counter()
    subprocess.run(argv, cwd=here.project, env=here.env, check=True, capture_output=True)
    return (time.perf_counter() - began) * 1000


def freshness(here: Place, caller: Caller, number: int) -> float:
    """Milliseconds from the end of a commit to the first answer that has it."""
    here.git("commit", "-q", "--allow-empty", "-m", f"Freshly made number{number}")
    began = time.perf_counter()
    while not caller.search(f"freshly number{number}")["total"]:
        if time.perf_counter() - began > 10:
            raise RuntimeError("a new commit is not found after ten seconds")
    return (time.perf_counter() - began) * 1000


def make_history(here: Place, commits: int) -> None:
    """A branch of its own with that many commits, each with a subject of seven words and a body of thirty."""
    stream = "".join(records(commits)).encode()
    argv = ["git", "fast-import", "--quiet", "--date-format=raw"]
    subprocess.run(argv, cwd=here.project, env=here.env, input=stream, check=True, stdout=sys.stderr)


def records(commits: int) -> Iterator[str]:
    chance = random.Random(1)
    for number in range(commits):
        words = [
            *chance.choices(FIRST_WORDS, k=3),
            *(f"word{chance.randrange(LATER_WORDS)}" for _ in range(4)),
        ]
        body = " ".join(f"word{chance.randrange(LATER_WORDS)}" for _ in range(30))
        message = f"{' '.join(words)}\n\n{body}\n"
        yield f"commit refs/heads/history\ncommitter Bench <bench@localhost> {1_500_000_000 + number * 600} +0000\n"
        yield f"data {len(message)}\n{message}\n"
