"""``ade runs watch`` on a real terminal beside a real runtime."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import ADE, Command, command
from tests.support.screen import Screen

pytestmark = pytest.mark.timeout(180)


class Site:
    """A project with a run."""

    def __init__(self, ade: Command, project: Path) -> None:
        self.ade, self.project = ade, project
        self.run = str(self.json("create", "Login", "--goal", "Passkeys")["id"])

    def json(self, *argv: str) -> dict[str, Any]:
        found: dict[str, Any] = self.ade.json("runs", *argv, cwd=self.project)
        return found

    def add_task(self, name: str, title: str) -> None:
        etag = self.json("show", self.run)["etag"]
        operation = {"op": "add", "path": "/tasks/-", "object": {"id": name, "title": title}}
        document = {"run": self.run, "etag": etag, "operations": [operation]}
        self.json("patch", "--input-json", json.dumps(document))

    def watch(self, *argv: str) -> Screen:
        line = [str(ADE), "runs", "watch", self.run, *argv]
        return Screen(line, env=self.ade.env, cwd=self.project)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with command(tmp_path) as ade:
        ade.make_project(tmp_path / "project")
        yield Site(ade, tmp_path / "project")


def test_it_follows_the_run_over_the_end_of_the_runtime(site: Site) -> None:
    with site.watch() as screen:
        screen.expect("Login.*planning.*Agents .1.*Lead")
        site.add_task("T-1", "Store passkeys")
        screen.expect("Tasks .0 of 1 done.*T-1.*pending.*Store passkeys")
        site.ade.json("runtime", "stop")
        screen.expect("waiting for it to come back")
        site.add_task("T-2", "Draw the button")
        screen.expect("T-2.*Draw the button")
        screen.type("q")
        assert screen.wait() == 0
        assert screen.settings() == screen.before


def test_ctrl_c_leaves_and_a_run_that_is_not_there_is_told(site: Site) -> None:
    with site.watch() as screen:
        screen.expect("Login")
        screen.type("\x03")
        assert screen.wait() == 130
        assert screen.settings() == screen.before
    done = site.ade.run("runs", "watch", "run_none", cwd=site.project)
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (4, "run_not_found")


def test_without_a_terminal_it_prints_how_the_run_stands(site: Site) -> None:
    site.add_task("T-1", "Store passkeys")
    told = site.json("watch", site.run)
    assert (told["run"]["id"], told["tasks"]["total"], told["agents"]["total"]) == (site.run, 1, 1)
    done = site.ade.run("runs", "watch", site.run, "--text", cwd=site.project)
    assert done.returncode == 0
    assert "Store passkeys" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_line_that_is_none_says_what_is_wrong(site: Site) -> None:
    for line, problem in (
        ([], "name one run"),
        (["a", "b"], "unexpected argument 'b'"),
        (["--live"], "--live"),
    ):
        done = site.ade.run("runs", "watch", *line, cwd=site.project)
        error = json.loads(done.stderr)["error"]
        assert (done.returncode, error["code"]) == (2, "invalid_arguments")
        assert problem in error["message"]
