"""Every client's file gets ADE's entry and gives it back to the byte."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from ade_runtime.machine.install.files import UnusableFileError
from ade_runtime.mcp_clients.clients import CLIENTS, NAME, TOKEN_NAME, Address, Program, snippet
from ade_runtime.mcp_clients.install import ForeignEntryError, Installer

PROGRAM = Program("/home/me/.local/bin/ade", ("mcp",), {"ADE_HOME": '/home/me/x "y" \\ z'})
BEFORE = {
    "json": b'// mine\n{\r\n  "theme": "dark", // keep\r\n}\r\n',
    "toml": b'# mine\nmodel = "x"\n\n[mcp_servers.other]\nurl = "http://x"  # keep',
}


@pytest.fixture(params=sorted(CLIENTS))
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def made(tmp_path: Path, name: str, path: str = "a/b/file") -> tuple[Installer, Path]:
    file = tmp_path / path
    return Installer(tmp_path / "ade", CLIENTS[name], file), file


def entry(name: str, program: Program = PROGRAM) -> dict[str, object]:
    found = CLIENTS[name].entry(program)
    assert found is not None
    return found


def test_a_new_file_goes_again_with_its_folders(tmp_path: Path, name: str) -> None:
    installer, file = made(tmp_path, name)
    assert installer.state(entry(name)) == "absent"
    assert installer.write(entry(name)) == ("written", None)
    assert installer.state(entry(name)) == "present"
    once = file.read_bytes()
    assert installer.write(entry(name)) == ("unchanged", None)
    assert file.read_bytes() == once
    assert installer.undo() == "removed"
    assert not (tmp_path / "a").exists()
    assert installer.undo() == "absent"


def test_a_file_is_given_back_to_the_byte(tmp_path: Path, name: str) -> None:
    installer, file = made(tmp_path, name, "file")
    before = BEFORE[CLIENTS[name].format]
    file.write_bytes(before)
    file.chmod(0o600)
    state, backup = installer.write(entry(name))
    assert (state, Path(str(backup)).read_bytes()) == ("written", before)
    assert b"keep" in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    changed = entry(name, Program("/other/ade", ("mcp",), {}))
    assert installer.state(changed) == "other"
    assert installer.write(changed)[0] == "written"
    assert installer.undo() == "removed"
    assert file.read_bytes() == before


def test_what_others_changed_since_stays(tmp_path: Path, name: str) -> None:
    installer, file = made(tmp_path, name, "file")
    before = BEFORE[CLIENTS[name].format]
    file.write_bytes(before)
    installer.write(entry(name))
    added = b"# theirs\n" if CLIENTS[name].format == "toml" else b"// theirs\n"
    file.write_bytes(added + file.read_bytes())
    assert installer.undo() == "removed"
    assert file.read_bytes() == added + before


def test_a_file_that_the_client_wrote_anew_loses_our_entry_alone(tmp_path: Path) -> None:
    installer, file = made(tmp_path, "cursor", "file")
    file.write_text('{"mcpServers": {"x": {"url": "u"}}}')
    installer.write(entry("cursor"))
    file.write_text(json.dumps(json.loads(file.read_text()), indent=7, sort_keys=True))
    assert installer.undo() == "removed"
    assert json.loads(file.read_text()) == {"mcpServers": {"x": {"url": "u"}}}


def test_somebody_elses_entry_is_left_alone(tmp_path: Path, name: str) -> None:
    installer, file = made(tmp_path, name, "file")
    client = CLIENTS[name]
    file.write_text(snippet(client, {"command": "mine"}))
    before = file.read_bytes()
    with pytest.raises(ForeignEntryError):
        installer.write(entry(name))
    assert installer.undo() == "other"
    assert file.read_bytes() == before


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[[["])
def test_a_file_that_is_not_understood_is_left_alone(tmp_path: Path, name: str, data: bytes) -> None:
    installer, file = made(tmp_path, name, "file")
    file.write_bytes(data)
    with pytest.raises(UnusableFileError):
        installer.write(entry(name))
    assert file.read_bytes() == data


def test_what_is_printed_is_what_a_new_file_holds(tmp_path: Path, name: str) -> None:
    installer, file = made(tmp_path, name)
    installer.write(entry(name))
    client = CLIENTS[name]
    read = tomllib.loads if client.format == "toml" else json.loads
    assert read(file.read_text()) == read(snippet(client, entry(name)))


def test_no_token_stands_in_any_file(name: str) -> None:
    found = CLIENTS[name].entry(Address("http://127.0.0.1:1/mcp/lse_x"))
    assert (found is None) is (name == "zed")
    if found is not None:
        assert TOKEN_NAME in json.dumps(found)
    assert NAME == "ade"


def test_what_models_are_told_by_codex_needs_no_approval_twice() -> None:
    found = tomllib.loads(snippet(CLIENTS["codex"], entry("codex")))["mcp_servers"]["ade"]
    assert found["default_tools_approval_mode"] == "approve"
    assert "ADE_SESSION_TOKEN" in found["env_vars"]
    assert found["env"] == {"ADE_HOME": '/home/me/x "y" \\ z'}


HARD = (
    "--verbose",
    "a b",
    'say "x"',
    "it's",
    "$HOME `id`",
    "back\\slash",
    "--",
    "-x",
    "",
    "ünï\tcode",
    "{{a}}",
)
"""Words that get lost wherever a configuration is written as a command line."""


def test_public_16_every_word_comes_back_as_it_was_given(tmp_path: Path, name: str) -> None:
    program = Program('/opt/my "tools"/ade', ("mcp", *HARD), {"A": 'x y="z"', "B": "-- --env"})
    installer, file = made(tmp_path, name, "file")
    assert installer.write(entry(name, program))[0] == "written"
    client = CLIENTS[name]
    text = file.read_text("utf-8")
    found = json.loads(text) if client.format == "json" else tomllib.loads(text)
    for key in (*client.keys, NAME):
        found = found[key]
    words = found["command"] if isinstance(found["command"], list) else [found["command"], *found["args"]]
    assert words == [program.command, *program.args]
    assert next(found[key] for key in ("env", "environment") if key in found).items() >= program.env.items()
    assert installer.state(entry(name, program)) == "present"
    shown = snippet(client, entry(name, program))
    printed = json.loads(shown) if client.format == "json" else tomllib.loads(shown)
    for key in (*client.keys, NAME):
        printed = printed[key]
    assert printed == found
