"""Finding agent programs: only executable files count, the user's shell knows more than PATH, nothing is waited for."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_generated.dispatch import ACTIONS
from ade_generated.external_tools import EXTERNAL_TOOLS
from ade_runtime.client.in_process import Runtime
from ade_runtime.machine.tools import versions
from ade_runtime.machine.tools.detect import Detected, detect
from ade_runtime.machine.tools.programs import expand, path_folders
from ade_runtime.machine.tools.versions import find_version
from ade_runtime.services import Clock
from tests.unit.machine.fakes import environ, program, says

VERSIONS = {
    "aider": ("aider", "aider 0.86.1", "0.86.1"),
    "claude": ("claude", "2.1.332 (Claude Code)", "2.1.332"),
    "claude_acp": ("claude-agent-acp", "0.49.0", "0.49.0"),
    "codex": ("codex", "codex-cli 0.171.0", "0.171.0"),
    "continue": ("cn", "1.5.43", "1.5.43"),
    "copilot": ("copilot", "GitHub Copilot CLI 1.0.102.", "1.0.102"),
    "cursor": ("cursor-agent", "2025.10.28-0a91dc2", "2025.10.28-0a91dc2"),
    "droid": ("droid", "0.215.0", "0.215.0"),
    "gemini": ("gemini", "0.9.0-preview.1", "0.9.0-preview.1"),
    "goose": ("goose", " 1.27.2", "1.27.2"),
    "kimi": ("kimi", "kimi, version 1.52.0", "1.52.0"),
    "opencode": ("opencode", "1.18.33", "1.18.33"),
}


@pytest.fixture(autouse=True)
def only_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine of the test has installed does not count."""
    import ade_runtime.machine.tools.detect as module

    monkeypatch.setattr(module, "KNOWN_FOLDERS", ("~/.local/bin", "~/.nvm/versions/node/*/bin"))


async def one(name: str, env: dict[str, str]) -> Detected:
    return (await detect(env, [name])).tools[name]


def test_the_names_of_the_action_are_those_of_the_table() -> None:
    schema = ACTIONS["tools.detect"].input_model.model_json_schema()
    assert all(f'"{name}"' in json.dumps(schema) for name in EXTERNAL_TOOLS)
    assert EXTERNAL_TOOLS.keys() == VERSIONS.keys()


async def test_every_tool_is_found_on_path_with_its_version(tmp_path: Path) -> None:
    for name, text, _ in VERSIONS.values():
        says(tmp_path / "bin" / name, text)
    found = (await detect(environ(tmp_path / "home", tmp_path / "bin"))).tools
    for tool, (name, _, version) in VERSIONS.items():
        assert found[tool].candidates[0].path == tmp_path / "bin" / name
        assert found[tool].candidates[0].found_by == "path"
        assert found[tool].version == versions.Version(version, None), tool


async def test_known_folders_are_looked_into_newest_first(tmp_path: Path) -> None:
    home = tmp_path / "home"
    says(home / ".claude/local/claude", "1.0.5 (Claude Code)")
    says(home / ".nvm/versions/node/v18.1.0/bin/codex", "codex-cli 0.1.0")
    says(home / ".nvm/versions/node/v22.1.0/bin/codex", "codex-cli 0.2.0")
    found = (await detect(environ(home), ["claude", "codex"])).tools
    assert found["claude"].candidates[0].found_by == "known_folder"
    assert found["claude"].version.version == "1.0.5"
    assert found["codex"].version.version == "0.2.0"
    assert [str(one.path.parent.parent.name) for one in found["codex"].candidates] == ["v22.1.0", "v18.1.0"]


async def test_only_executable_files_count(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    says(folder / "claude", "1.0.0").chmod(0o644)
    (folder / "codex").mkdir(parents=True)
    (folder / "aider").symlink_to(tmp_path / "gone")
    found = (await detect(environ(tmp_path / "home", folder), ["claude", "codex", "aider"])).tools
    assert [one.candidates for one in found.values()] == [(), (), ()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
async def test_fault_43_public_8_the_keyword_continue_is_no_program_and_cursor_the_editor(
    tmp_path: Path, shell: str
) -> None:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    env = environ(tmp_path / "home", tmp_path / "bin", shell=path)
    says(tmp_path / "bin" / "continue", "9.9.9")
    says(tmp_path / "bin" / "cursor", "2025.1.1")
    assert (await one("continue", env)).candidates == ()
    assert (await one("cursor", env)).candidates == (), "`cursor` is the editor"
    says(tmp_path / "bin" / "cn", "1.2.3")
    assert (await one("continue", env)).version.version == "1.2.3"


async def test_relative_folders_of_path_are_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    says(tmp_path / "claude", "6.6.6")
    env = environ(tmp_path / "home") | {"PATH": ".::bin:/usr/bin"}
    assert (await one("claude", env)).candidates == ()
    assert path_folders(".::bin:/usr/bin:/usr/bin") == (Path("/usr/bin"),)


RC = {"bash": (".bashrc", "alias"), "zsh": (".zshrc", "alias"), "fish": (".config/fish/config.fish", "alias")}


@pytest.mark.parametrize("shell", RC)
async def test_an_alias_of_the_login_shell_is_followed(tmp_path: Path, shell: str) -> None:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    home = tmp_path / "home with a blank"
    real = says(tmp_path / "odd place" / "claude", "3.1.4 (Claude Code)")
    rc = home / RC[shell][0]
    rc.parent.mkdir(parents=True)
    rc.write_text(f"echo noise\nalias claude='\"{real}\" --verbose'\nalias codex='npx codex'\n")
    if shell == "bash":
        (home / ".bash_profile").write_text(". ~/.bashrc\n")
    found = (await detect(environ(home, shell=path), ["claude", "codex"])).tools
    assert found["claude"].candidates[0].found_by == "alias"
    assert found["claude"].candidates[0].path == real
    assert found["claude"].version.version == "3.1.4"
    assert found["codex"].candidates == (), "npx is not codex"


@pytest.mark.parametrize(
    ("shell", "rc", "line"),
    [
        ("bash", ".bash_profile", "export PATH={}:$PATH"),
        ("zsh", ".zshrc", "path=({} $path)"),
        ("fish", ".config/fish/config.fish", "set -gx PATH {} $PATH"),
    ],
)
async def test_the_path_of_the_login_shell_counts_too(tmp_path: Path, shell: str, rc: str, line: str) -> None:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    says(tmp_path / "hidden" / "aider", "aider 1.2.3")
    file = tmp_path / "home" / rc
    file.parent.mkdir(parents=True)
    file.write_text(line.format(tmp_path / "hidden") + "\n")
    found = await one("aider", environ(tmp_path / "home", shell=path))
    assert (found.candidates[0].found_by, found.version.version) == ("login_shell", "1.2.3")


async def test_a_shell_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ade_runtime.machine.login_shell.ANSWER_SECONDS", 0.3)
    bash = shutil.which("bash") or "/bin/bash"
    env = environ(tmp_path / "home", shell=bash)
    (tmp_path / "home" / ".bash_profile").write_text("exec sleep 600\n")
    says(tmp_path / "home" / ".local/bin/aider", "aider 1.0.0")
    begun = time.monotonic()
    detection = await detect(env, ["aider"])
    assert time.monotonic() - begun < 8
    assert "did not answer" in (detection.shell_problem or "")
    assert detection.tools["aider"].version.version == "1.0.0"


async def test_a_shell_of_another_kind_and_none_at_all(tmp_path: Path) -> None:
    odd = program(tmp_path / "nush", "exit 0")
    detection = await detect(environ(tmp_path / "home", shell=str(odd)), ["aider"])
    assert "nush" in (detection.shell_problem or "")
    detection = await detect(environ(tmp_path / "home"), ["aider"])
    assert detection.shell_problem == "No login shell is known."


# -- versions


async def test_a_version_command_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "ANSWER_SECONDS", 0.3)
    program(tmp_path / "bin/codex", f"echo $$ > {tmp_path}/pid\nexec sleep 600")
    found = await one("codex", environ(tmp_path / "home", tmp_path / "bin"))
    assert found.version.version is None
    assert "within" in (found.version.problem or "")
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_version_command_that_prints_a_gigabyte_is_cut_off(tmp_path: Path) -> None:
    program(tmp_path / "bin/codex", "exec head -c 1073741824 /dev/zero")
    begun = time.monotonic()
    found = await one("codex", environ(tmp_path / "home", tmp_path / "bin"))
    assert "64 KiB" in (found.version.problem or "")
    assert time.monotonic() - begun < 5


async def test_binary_and_coloured_output(tmp_path: Path) -> None:
    says(tmp_path / "bin/claude", "\\\\033[1;32m2.0.1\\\\033[0m (Claude Code)")
    program(tmp_path / "bin/codex", "head -c 5000 /dev/urandom; echo; echo codex-cli 0.1.2")
    program(tmp_path / "bin/aider", "head -c 5000 /dev/urandom | tr -d 0-9")
    found = (await detect(environ(tmp_path / "home", tmp_path / "bin"), ["claude", "codex", "aider"])).tools
    assert found["claude"].version.version == "2.0.1"
    assert found["codex"].version.version == "0.1.2"
    assert found["aider"].version.version is None
    assert "another program" in (found["aider"].version.problem or "")


async def test_what_is_told_of_a_program_that_fails(tmp_path: Path) -> None:
    program(tmp_path / "bin/codex", "echo codex-cli 0.1.2; exit 3")
    program(tmp_path / "bin/claude", "kill -9 $$")
    program(tmp_path / "bin/aider", "", interpreter="/nonexistent/python")
    found = (await detect(environ(tmp_path / "home", tmp_path / "bin"), ["claude", "codex", "aider"])).tools
    assert [found[name].version.version for name in found] == [None, None, None]
    assert "exit code 3" in (found["codex"].version.problem or "")
    assert "signal 9" in (found["claude"].version.problem or "")
    assert "cannot be started" in (found["aider"].version.problem or "")


async def test_a_program_gets_no_tokens_and_runs_in_no_project(tmp_path: Path) -> None:
    program(
        tmp_path / "bin/codex",
        f'env > {tmp_path}/env; pwd > {tmp_path}/cwd; echo codex 1.0.0; echo "$*" >> {tmp_path}/args',
    )
    env = environ(tmp_path / "home", tmp_path / "bin") | {
        "ADE_SESSION_TOKEN": "s3cret",
        "OPENAI_API_KEY": "s3cret",
    }
    assert (await one("codex", env)).version.version == "1.0.0"
    assert "s3cret" not in (tmp_path / "env").read_text()
    assert (tmp_path / "cwd").read_text() == "/\n"
    assert (tmp_path / "args").read_text() == "--version\n", "run once, with nothing but the version command"


async def test_one_file_under_two_names_is_one(tmp_path: Path) -> None:
    says(tmp_path / "a/aider", "aider 1.0.0")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/aider").symlink_to(tmp_path / "a/aider")
    says(tmp_path / "c/aider", "aider 2.0.0")
    found = await one("aider", environ(tmp_path / "home", tmp_path / "b", tmp_path / "a", tmp_path / "c"))
    assert [str(one.path.parent.name) for one in found.candidates] == ["b", "c"]
    assert found.version.version == "1.0.0"


def test_versions_are_read_line_by_line_and_bounded() -> None:
    assert find_version(b"warning: 1.2.3\r\n  v4.5.6\n", "^v?([0-9]+\\.[0-9]+\\.[0-9]+)") == "4.5.6"
    assert find_version(b"v" + b"1" * 500 + b".2.3", "v([0-9.]+)") == "1" * versions.VERSION_LIMIT
    assert find_version(b"\xff\xfe\x00", "([0-9]+)") is None


def test_expanding_folders(tmp_path: Path) -> None:
    for name in ("v1", "v2"):
        (tmp_path / "node" / name).mkdir(parents=True)
    assert expand(["~/node/*/bin", "/opt/x", "~/none/*/bin"], tmp_path) == (
        tmp_path / "node/v2/bin",
        tmp_path / "node/v1/bin",
        Path("/opt/x"),
    )


# -- the action


async def test_a_look_is_kept_for_half_a_minute_unless_refreshed(tmp_path: Path) -> None:
    env = environ(tmp_path / "home", tmp_path / "bin")
    program(tmp_path / "bin/aider", f"echo >> {tmp_path}/runs; echo aider 1.0.0")
    async with Runtime.open(tmp_path / "ade-home") as runtime:
        clock = Moved()
        runtime.services.clock = clock

        async def look(**arguments: object) -> dict[str, Any]:
            return await runtime.call("tools.detect", {"names": ["aider"], **arguments}, env=env)

        first = await look()
        assert (first["total"], first["cached"], first["items"][0]["version"]) == (1, False, "1.0.0")
        clock.moved += timedelta(seconds=29)
        again = await look()
        assert (again["cached"], again["checked_at"]) == (True, first["checked_at"])
        assert (await look(refresh=True))["cached"] is False
        clock.moved += timedelta(seconds=31)
        assert (await look())["cached"] is False
        other = environ(tmp_path / "other home", tmp_path / "bin")
        found = await runtime.call("tools.detect", {}, env=other)
        assert (found["total"], found["cached"]) == (12, False), "another user environment is another look"
    assert (tmp_path / "runs").read_text() == "\n" * 4


async def test_calls_at_the_same_time_look_once(tmp_path: Path) -> None:
    env = environ(tmp_path / "home", tmp_path / "bin")
    program(tmp_path / "bin/aider", f"echo >> {tmp_path}/runs; sleep 0.2; echo aider 1.0.0")
    async with Runtime.open(tmp_path / "ade-home") as runtime:
        await asyncio.gather(*(runtime.call("tools.detect", env=env) for _ in range(5)))
    assert (tmp_path / "runs").read_text() == "\n"


async def test_a_caller_that_may_only_read_chooses_no_program_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ(tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    evil = environ(
        tmp_path / "home", tmp_path / "bin", shell=str(program(tmp_path / "bash", f"touch {tmp_path}/ran"))
    )
    program(tmp_path / "bin/aider", f"touch {tmp_path}/ran")
    async with Runtime.open(tmp_path / "ade-home") as runtime:
        for role in ("external", "evaluator"):
            await runtime.call("tools.detect", {"refresh": True}, env=evil, role=role)
    assert not (tmp_path / "ran").exists()


class Moved(Clock):
    moved = timedelta()

    def now(self) -> datetime:
        return super().now() + self.moved
