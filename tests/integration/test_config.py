"""config.* through the pipeline: what is trusted, by whom, and what a hostile project can do to it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from tests.support.work import Work, opened

CONFIG = "# ours\nprocesses:\n  web: {command: [serve, --port, '80'], env: {A: b}}   # main\n"


@pytest.fixture
async def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Work]:
    async with opened(tmp_path, monkeypatch) as made:
        made.main.commit("one", README="# Sample\n")
        yield made


async def session(work: Work, **arguments: Any) -> str:
    """The token of a new session; the owner starts it as a CTO."""
    started = await work.runtime.call(
        "session.start", arguments, cwd=work.main.root, env=work.main.env, role="cto"
    )
    return str(started["token"])


async def project_of(work: Work) -> Any:
    [project] = await work.runtime.services.projects.all()
    return project


async def test_a_changed_command_has_to_be_trusted_again(work: Work) -> None:
    config = work.runtime.services.config
    work.main.write(".ade/config.yaml", CONFIG)
    shown = await work.call("config.show")
    [command] = shown["commands"]
    assert command == {
        "name": "processes.web", "line": "serve --port 80", "command": ["serve", "--port", "80"], "cwd": None,
        "env": ["A=b"], "trusted": False,
    }  # fmt: skip
    project = await project_of(work)
    before = await config.load(project)
    with pytest.raises(errors.ConfigUntrusted) as caught:
        await config.require_trust(project, before, "processes.web")
    assert "serve --port 80" in caught.value.message
    assert f"ade config trust {shown['hash']}" in caught.value.hint
    assert (await work.call("config.trust", hash=shown["hash"]))["trusted"]
    await config.require_trust(project, before, "processes.web")
    work.main.write(".ade/config.yaml", "# another comment\n" + CONFIG.replace("'80'", '"80"'))
    await config.require_trust(project, await config.load(project), "processes.web")
    changed = await work.call("config.set", path="processes.web.env.A", value="c")
    assert not changed["trusted"]
    with pytest.raises(errors.ConfigUntrusted):
        await config.require_trust(project, await config.load(project), "processes.web")
    problem = await work.refused("config.trust", hash=shown["hash"])
    assert (problem.code, problem.details) == ("config_changed", {})
    assert (await work.call("config.set", path="processes.web.env.A", value="b"))["trusted"]
    assert not (await work.call("config.distrust"))["trusted"]


async def test_agents_cannot_trust_and_a_cto_can(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    work.main.write(".ade/config.yaml", CONFIG)
    shown = await work.call("config.show")
    tokens = {
        role: await session(work, role=role)
        for role in ("agent", "orchestrator", "evaluator", "external", "cto")
    }
    for role, token in tokens.items():
        monkeypatch.setenv("ADE_SESSION_TOKEN", token)
        if role == "cto":
            assert (await work.call("config.trust", hash=shown["hash"]))["trusted"]
        else:
            assert (await work.refused("config.trust", hash=shown["hash"])).code == "policy_denied"
            assert not (await work.call("config.show"))["trusted"]


async def test_a_session_in_a_lane_changes_nothing_of_the_projects(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    await work.lane("fix")
    monkeypatch.setenv("ADE_SESSION_TOKEN", await session(work, lane="fix"))
    assert (await work.refused("config.set", path="tests", value="{}")).code == "policy_denied"
    assert (await work.refused("config.distrust")).code == "policy_denied"
    assert not (work.main.root / ".ade/config.yaml").exists()


async def test_setting_keeps_the_rest_and_never_breaks_the_file(work: Work) -> None:
    file = work.main.root / ".ade/config.yaml"
    work.main.write(".ade/config.yaml", CONFIG)
    file.chmod(0o640)
    await work.call("config.set", path="processes.web.restart", value="always")
    assert file.read_text() == CONFIG.replace("}}", "}, restart: always}")
    assert file.stat().st_mode & 0o777 == 0o640
    before = file.read_bytes()
    for path, value in (
        ("processes.web.restart", "sometimes"),
        ("processes.web.comand", "[x]"),
        ("processes.web", "{}"),
        ("processes.web.command", "serve"),
        ("other", "1"),
        ("processes.web.env.1", "x"),
        ("processes", "["),
    ):
        assert (await work.refused("config.set", path=path, value=value)).code == "config_value_invalid"
    assert (await work.refused("config.set", path="tests", unset=True)).code == "config_path_unknown"
    assert (await work.refused("config.set", path="a..b", value="1")).code == "config_path_unknown"
    assert file.read_bytes() == before
    await work.call("config.set", path="processes.web", unset=True)
    assert file.read_text() == "# ours\nprocesses: {}\n"
    assert [one.name for one in file.parent.iterdir()] == ["config.yaml"]


async def test_faults_are_told_with_their_places(work: Work) -> None:
    work.main.write(".ade/config.yaml", "processes:\n  web:\n    comand: [x]\n")
    problem = await work.refused("config.show")
    assert problem.code == "config_invalid"
    assert "2:3: processes.web.command: is required; add it (and 1 more)" in problem.message
    answer = await work.call("config.validate")
    assert answer["items"][1]["text"].startswith(".ade/config.yaml:3:5: processes.web.comand: ")
    assert "did you mean command?" in answer["items"][1]["message"]
    assert (await work.refused("config.set", path="tests", value="{}")).code == "config_invalid"


async def test_a_hostile_file_is_refused_at_once(work: Work, tmp_path: Path) -> None:
    folder = work.main.root / ".ade"
    folder.mkdir(exist_ok=True)
    file, secret = folder / "config.yaml", tmp_path / "secret.yaml"
    secret.write_text("tests: {suites: {stolen: {command: [x]}}}\n")

    async def refused() -> None:
        problem = await work.refused("config.show")
        assert problem.code == "config_unreadable"
        assert "stolen" not in str(problem.envelope())

    file.symlink_to(secret)
    await refused()
    file.unlink()
    file.symlink_to("../../secret.yaml")
    await refused()
    file.unlink()
    os.mkfifo(file)
    await refused()
    assert (await work.refused("config.set", path="tests", value="{}")).code == "config_unreadable"
    file.unlink()
    file.mkdir()
    await refused()
    file.rmdir()
    with file.open("wb") as out:
        out.truncate(2**31)
    await refused()
    file.unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path, target_is_directory=True)
    await refused()
    assert (await work.refused("config.set", path="tests", value="{}")).code == "config_unreadable"
    assert not (tmp_path / "config.yaml").exists()


async def test_a_killed_write_leaves_the_old_file(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    work.main.write(".ade/config.yaml", CONFIG)

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    problem = await work.refused("config.set", path="tests", value="{}")
    assert problem.code == "config_unreadable"
    assert "No space left" in problem.message
    monkeypatch.undo()
    assert (work.main.root / ".ade/config.yaml").read_text() == CONFIG
    assert [one.name for one in (work.main.root / ".ade").iterdir()] == ["config.yaml"]
