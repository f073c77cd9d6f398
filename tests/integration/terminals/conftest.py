"""A project with one lane, and the owner's shell beside a real runtime."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import ADE, Command, command
from tests.support.screen import Screen


@dataclass
class Shop:
    """``lane`` is the id of lane one, ``folder`` its folder."""

    ade: Command
    project: Path
    lane: str
    folder: Path

    def start(self, *argv: str, **options: Any) -> str:
        """Id of a new terminal in lane one."""
        options.setdefault("cwd", self.project)
        done = self.ade.run("terminals", "start", "--json", "-l", "one", "--", *argv, **options)
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)["id"])

    def read(self, terminal: str, cursor: int = 0, *argv: str) -> dict[str, Any]:
        found = self.ade.json("terminals", "read", terminal, "--cursor", str(cursor), *argv)
        assert isinstance(found, dict)
        return found

    def read_until(self, terminal: str, text: str, cursor: int = 0) -> dict[str, Any]:
        """Follow a terminal from ``cursor`` until it has printed a text; the last answer, with all of the text."""
        whole = ""
        for _ in range(40):
            answer = self.read(terminal, cursor, "--wait", "30", "--max-bytes", "262144")
            whole, cursor = whole + answer["text"], answer["next"]
            if text in whole:
                return answer | {"text": whole}
            if answer["terminal"]["state"] != "running" and not answer["more"]:
                break
        raise AssertionError(f"{text!r} did not show in {whole[-2000:]!r}")

    def screen(self, *argv: str, **options: Any) -> Screen:
        return Screen([str(ADE), *argv], env=self.ade.env, cwd=self.project, **options)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with command(tmp_path) as ade:
        root = tmp_path / "project"
        root.mkdir()
        for argv in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Begin"]):
            subprocess.run(["git", *argv], cwd=root, env=ade.env, check=True)
        ade.json("project", "add", str(root))
        made = ade.json("lanes", "create", "one", cwd=root)
        yield Shop(ade, root, made["id"], Path(made["path"]))
