"""kill -9 at every step of making or deleting a lane: afterwards it is there whole or not at all, and git
agrees."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.work import Work, opened

PROGRAM = """
import asyncio, json, os, signal, sys
from pathlib import Path
from ade_runtime.client.in_process import Runtime

home, project, step, action, arguments = sys.argv[1:]

def die(at):
    if at == step:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with Runtime.open(Path(home)) as runtime:
        runtime.services.lanes.at_step = die
        await runtime.call(action, json.loads(arguments), cwd=project)

asyncio.run(main())
"""
CREATE_STEPS = ["reserved", "added", "checked_out", "moved", "branched", "attached", "hooked"]
DELETE_STEPS = ["marked", "kept", "removed", "branch_dropped"]


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as work:
        work.main.commit_files("Start", {"README.md": "# Shop\n", "src/app.py": "print('hi')\n"})
        await work.call("project.add", path=str(work.main.root))
        yield work


def perform(work: Work, step: str, action: str, arguments: str) -> subprocess.Popen[bytes]:
    home = work.runtime.services.paths.home
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(home), str(work.main.root), step, action, arguments],
        cwd=Path(__file__).parents[2],
        env=work.main.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def killed(work: Work, step: str, action: str, arguments: str) -> None:
    process = perform(work, step, action, arguments)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, output.decode()


async def agreed(work: Work) -> dict[str, dict[str, Any]]:
    """The lanes, after proving that records, folders, worktrees and branches tell the same."""
    items = (await work.call("lane.list", include_status=True))["items"]
    lanes = {one["name"]: one for one in items if one["kind"] != "primary"}
    root = work.main.root
    listed = work.main.git("worktree", "list", "--porcelain")
    paths = [line.removeprefix("worktree ") for line in listed.splitlines() if line.startswith("worktree ")]
    assert sorted(paths) == sorted([str(root), *(one["path"] for one in lanes.values())])
    assert "prunable" not in listed and "locked" not in listed
    branches = work.main.git("for-each-ref", "--format=%(refname:short)", "refs/heads/ade").split()
    assert sorted(branches) == sorted(one["branch"] for one in lanes.values())
    for one in lanes.values():
        assert one["state"] == "active"
        assert one["status"]["dirty"] is False, one
        assert work.main.git("-C", one["path"], "symbolic-ref", "--short", "HEAD") == one["branch"]
    worktrees = root / ".ade" / "worktrees"
    folders = [str(path) for path in worktrees.iterdir()] if worktrees.exists() else []
    assert sorted(folders) == sorted(one["path"] for one in lanes.values())
    assert not (root / ".ade" / "creating").exists()
    assert work.main.git("fsck", "--no-dangling") == ""
    return lanes


@pytest.mark.parametrize("step", CREATE_STEPS)
async def test_killed_while_making_a_lane(work: Work, step: str) -> None:
    killed(work, step, "lane.create", '{"name": "fix"}')
    lanes = await agreed(work)
    assert list(lanes) == (["fix"] if step in ("attached", "hooked") else [])
    if lanes:
        assert any("was being made" in note for note in lanes["fix"]["notes"])
    else:
        assert (await work.call("lane.create", name="fix"))["branch"] == "ade/fix"
    await agreed(work)


@pytest.mark.parametrize("step", CREATE_STEPS)
async def test_killed_while_bringing_a_lane_back(work: Work, step: str) -> None:
    lane = await work.lane("fix")
    lane.write("new.txt", "new")
    await work.call("lane.delete", lane="fix", discard=["untracked"])
    killed(work, step, "lane.undelete", '{"lane": "fix"}')
    assert await agreed(work) == {}
    back = await work.call("lane.undelete", lane="fix")
    assert back["status"]["untracked"] == 1


@pytest.mark.parametrize("step", DELETE_STEPS)
@pytest.mark.parametrize("dirty", [False, True])
async def test_killed_while_deleting_a_lane(work: Work, step: str, dirty: bool) -> None:
    lane = await work.lane("fix")
    if dirty:
        lane.write("new.txt", "new")
    killed(work, step, "lane.delete", '{"lane": "fix", "discard": ["untracked"]}')
    if step == "marked":
        shown = await work.call("lane.show", lane="fix")
        assert (shown["state"], shown["status"]["untracked"]) == ("active", int(dirty))
        (lane.root / "new.txt").unlink(missing_ok=True)
        assert list(await agreed(work)) == ["fix"]
        return
    assert await agreed(work) == {}
    back = await work.call("lane.undelete", lane="fix")
    assert back["status"]["untracked"] == int(dirty)
    if not dirty:
        await agreed(work)


async def test_killed_inside_git_before_it_registered_the_worktree(work: Work) -> None:
    killed(work, "reserved", "lane.create", '{"name": "fix"}')
    (lane_id,) = [row.id for row in await work.runtime.services.lanes.store.all(await project_of(work))]
    begun = work.main.root / ".git" / "worktrees" / "fix"
    begun.mkdir(parents=True)
    (begun / "locked").write_text("initializing\n")
    folder = work.main.root / ".ade" / "creating" / lane_id / "fix"
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {begun}\n")
    assert await agreed(work) == {}
    assert not begun.exists()


async def project_of(work: Work) -> Any:
    return (await work.runtime.services.projects.all())[0]


async def test_a_removal_cut_short_is_finished(work: Work) -> None:
    lane = await work.lane("fix")
    killed(work, "kept", "lane.delete", '{"lane": "fix"}')
    (lane.root / ".git").unlink()
    (lane.root / "README.md").unlink()
    assert await agreed(work) == {}


async def test_a_removal_cut_short_stops_at_new_work(work: Work) -> None:
    lane = await work.lane("fix")
    killed(work, "kept", "lane.delete", '{"lane": "fix"}')
    (lane.root / "README.md").unlink()
    lane.write("written-since.txt", "precious")
    shown = await work.call("lane.show", lane="fix")
    assert shown["state"] == "active"
    assert any("interrupted" in note for note in shown["notes"])
    assert (lane.root / "written-since.txt").read_text() == "precious"


async def test_a_lane_that_is_being_made_is_left_alone_by_others(work: Work, tmp_path: Path) -> None:
    gate, process = held_checkout(work, tmp_path)
    listed = await work.call("lane.list")
    assert listed["total"] == 1
    assert (work.main.root / ".ade" / "creating").exists()
    assert (await work.refused("lane.create", name="fix")).code == "lane_name_taken"
    gate.touch()
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output.decode()
    assert list(await agreed(work)) == ["fix"]


async def test_a_git_that_outlives_its_runtime_is_waited_for(work: Work, tmp_path: Path) -> None:
    gate, process = held_checkout(work, tmp_path)
    orphans = [
        child for child in psutil.Process(process.pid).children(recursive=True) if child.name() == "git"
    ]
    assert orphans
    process.kill()
    process.communicate(timeout=60)
    assert any(orphan.is_running() for orphan in orphans)
    gate.touch()
    assert await agreed(work) == {}


def held_checkout(work: Work, tmp_path: Path) -> tuple[Path, subprocess.Popen[bytes]]:
    """A creation in another process that waits in its checkout until the gate file exists."""
    gate, reached = tmp_path / "gate", tmp_path / "reached"
    os.mkfifo(reached)
    work.main.write(".gitattributes", "*.slow filter=slow\n")
    work.main.commit("Slow", **{"a.slow": "x"})
    script = f'echo > "{reached}"; while ! test -e "{gate}"; do sleep 0.02; done; cat'
    work.main.git("config", "filter.slow.smudge", script)
    process = perform(work, "never", "lane.create", '{"name": "fix"}')
    with reached.open() as pipe:
        pipe.readline()
    return gate, process


def test_the_steps_are_all_of_them() -> None:
    """Each ``at_step`` in the code is killed at by a test above."""
    folder = Path(__file__).parents[2] / "ade_runtime" / "lanes"
    source = "".join(path.read_text() for path in sorted(folder.glob("*.py")))
    found = set(re.findall(r'at_step\("([a-z_]+)"\)', source))
    assert found == {*CREATE_STEPS, *DELETE_STEPS}
