"""Every release that is kept: today's code loads what it was made of, and its client talks to today's runtime."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.compat.compare import compare
from codegen.compat.findings import of_level
from codegen.compat.frozen import releases, unpack
from codegen.compat.released import package_version
from codegen.compat.sources import read_surface
from codegen.compat.surface import names, surface
from codegen.load import load_specs
from tests.support.command import Command, command

ROOT = Path(__file__).parents[2]
RELEASES = releases(ROOT)
SCRIPT = Path(__file__).with_name("yesterday.py")
ALONE = "import sys; sys.path[:0] = sys.argv[1:3]; del sys.argv[1:3]; from ade_runtime.client.main import main; main()"
"""Runs a thin client that finds nothing but the standard library and the two folders that it is given."""


@pytest.fixture(scope="module", params=RELEASES)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / request.param
    unpack(RELEASES[request.param], folder)
    return folder


@pytest.fixture(scope="module")
def ade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    with command(tmp_path_factory.mktemp("t")) as made:
        yield made


@pytest.fixture(scope="module")
def project(ade: Command) -> Path:
    folder = ade.base / "shop"
    folder.mkdir()
    (folder / "README.md").write_text("# Shop\n")
    for argv in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *argv], cwd=folder, env=ade.env, check=True)
    ade.json("project", "add", str(folder))
    return folder


def said(*words: object) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_release_is_kept_whole() -> None:
    kept_surfaces = {path.stem for path in (ROOT / "specs" / "released").glob("[0-9]*.json")}
    assert RELEASES.keys() == kept_surfaces
    assert RELEASES


def test_its_specs_are_loaded_and_are_what_was_kept_of_them(release: Path) -> None:
    """Today's loader understands them, and the two records of a release agree."""
    recorded = read_surface(ROOT, release.name)
    read = surface(load_specs(release))
    changes = compare(recorded, read, package_version(ROOT))
    assert [one.line() for one in of_level(changes, "breaking")] == []
    assert names(read) == names(recorded)


def test_todays_runtime_loads_its_generated_package(release: Path) -> None:
    found = said("load", release / "generated", ROOT)
    assert found["wrong"] == []
    recorded = read_surface(ROOT, release.name)
    assert found["actions"] == found["outputs"] == found["commands"] == len(recorded["actions"])
    assert found["errors"] >= len(recorded["errors"])
    assert found["layouts"] > 0


def test_its_models_talk_to_todays_runtime(release: Path, ade: Command, project: Path) -> None:
    found = said("call", release / "generated", ROOT, ade.paths.socket, project)
    assert found["wrong"] == []
    assert found["done"] > 40 and found["actions"] > 30, found


def test_its_client_talks_to_todays_runtime(release: Path, ade: Command, project: Path) -> None:
    """The command of then, without any module of today's: text, JSON, errors, and no new runtime."""

    def client(*words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
        places = [str(release / "client"), str(release / "generated")]
        return subprocess.run(
            [sys.executable, "-I", "-S", "-c", ALONE, *places, *words],
            cwd=project,
            env=ade.env,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            text=True,
            timeout=60,
        )

    before = ade.pid
    made = client("lanes", "create", f"of-{release.name.replace('.', '-')}", "--json")
    assert made.returncode == 0, made.stderr
    lane = json.loads(made.stdout)["name"]
    listed = client("lanes", "list", "--text")
    assert (listed.returncode, lane in listed.stdout) == (0, True), listed
    piped = client(
        "actions", "run", "lane.show", "--input-json", "-", "--json", given=json.dumps({"lane": lane})
    )
    assert (piped.returncode, piped.stderr) == (0, "")
    assert json.loads(piped.stdout)["name"] == lane
    failed = client("lanes", "show", "nowhere", "--json")
    assert (failed.returncode, failed.stdout) == (4, "")
    assert json.loads(failed.stderr)["error"]["code"] == "lane_not_found"
    helped = client("lanes", "--help")
    assert helped.returncode == 0 and "ade lanes" in helped.stdout
    assert ade.pid == before
