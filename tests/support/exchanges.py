"""What clients and stand-ins said to each other, written down for who wants to hold it to the services' own descriptions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

VARIABLE = "ADE_TEST_EXCHANGES"
"""Names the folder that exchanges are written to; without it nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """``target`` is path and query as they were sent, ``invented`` an answer that a test made up, such as an outage."""

    method: str
    target: str
    sent_type: str
    sent: str
    status: int
    answered: str
    invented: bool = False


def note(service: str, exchange: Exchange) -> None:
    """Write it down where that is wanted."""
    folder = os.environ.get(VARIABLE)
    if folder:
        with (Path(folder) / f"{service}-{os.getpid()}.jsonl").open("a") as file:
            file.write(json.dumps(asdict(exchange)) + "\n")


def noted(service: str, folder: Path) -> Iterator[Exchange]:
    """What was written down, each once."""
    lines = dict.fromkeys(
        line for path in sorted(folder.glob(f"{service}-*.jsonl")) for line in path.read_text().splitlines()
    )
    for line in lines:
        yield Exchange(**json.loads(line))
