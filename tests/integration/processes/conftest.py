"""The shop of the terminals' tests, whose configuration can be written and is trusted."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.integration.terminals.conftest import Shop, shop

__all__ = ["shop"]


@dataclass
class Works:
    """``ade`` as the owner types it in the project."""

    shop: Shop

    def configure(self, document: dict[str, Any], *, trust: bool = True) -> None:
        """Write the configuration (JSON is YAML) and trust what it says."""
        folder = self.shop.project / ".ade"
        folder.mkdir(exist_ok=True)
        (folder / "config.yaml").write_text(json.dumps(document))
        if trust:
            self.json("config", "trust", self.json("config", "show")["hash"])

    def json(self, *argv: str, **options: Any) -> Any:
        return self.shop.ade.json(*argv, cwd=self.shop.project, **options)

    def error(self, *argv: str, exit_code: int, **options: Any) -> dict[str, Any]:
        return self.shop.ade.error(*argv, exit_code=exit_code, cwd=self.shop.project, **options)

    def until(self, name: str, state: str) -> dict[str, Any]:
        """The process once it is in a state, following its log until then."""
        cursor = 0
        for _ in range(200):
            answer = self.json("processes", "logs", name, "--cursor", str(cursor), "--wait", "0.2")
            cursor = answer["next"]
            if answer["process"]["state"] == state:
                found: dict[str, Any] = answer["process"]
                return found
        raise AssertionError(f"{name} is {answer['process']['state']}, not {state}: {answer}")

    def log(self, name: str, until: str) -> str:
        """Everything a process printed, once a text is in it."""
        text, cursor = "", 0
        for _ in range(100):
            answer = self.json("processes", "logs", name, "--cursor", str(cursor), "--wait", "5")
            text, cursor = text + answer["text"], answer["next"]
            if until in text:
                return text
        raise AssertionError(f"{until!r} did not show in {text[-2000:]!r}")


@pytest.fixture
def works(shop: Shop) -> Works:
    return Works(shop)


@pytest.fixture
def port() -> int:
    """A port that nothing uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def gate(folder: Path, name: str = "gate") -> Path:
    """A pipe that a program waits at."""
    import os

    path = folder / name
    os.mkfifo(path)
    return path
