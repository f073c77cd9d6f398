"""What the thin client does without a runtime: addresses, JSON, stamps, environments, and how little it loads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.client.address import SOCKET_PATH_LIMIT, ade_home, resolved_socket, wanted_socket
from ade_runtime.client.build import is_newer, stamp
from ade_runtime.client.environment import caller_environment, runtime_environment
from ade_runtime.client.wire import decode, encode
from ade_runtime.machine.process import is_running, mark_of, own_mark

HEAVY = (
    "re",
    "json",
    "socket",
    "argparse",
    "subprocess",
    "pathlib",
    "enum",
    "typing",
    "dataclasses",
    "asyncio",
    "click",
    "pydantic",
)
texts = st.text(st.characters(codec=None, exclude_categories=()))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_json_is_written_as_the_standard_library_reads_it(value: object) -> None:
    assert json.loads(encode(value)) == value


@given(st.dictionaries(texts, values, max_size=4))
def test_json_is_read_as_the_standard_library_writes_it(document: dict[str, object]) -> None:
    assert decode(json.dumps(document).encode()) == document


def test_a_command_loads_nothing_heavy() -> None:
    program = "import sys; import ade_runtime.client.main; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not set(HEAVY) & set(loaded)
    assert len([name for name in loaded if name.startswith("ade_")]) <= 8


def test_homes_and_sockets() -> None:
    assert ade_home({"ADE_HOME": "/x/y/../z"}) == "/x/z"
    assert ade_home({}) == str(Path("~/.ade").expanduser())
    assert wanted_socket({"ADE_HOME": "/x"}) == "/x/sock/ade.sock"
    assert wanted_socket({"ADE_HOME": "/x", "ADE_RPC_SOCKET_PATH": "/y/s"}) == "/y/s"


def test_a_path_at_the_limit_is_used_as_it_is() -> None:
    at_limit = "/" + "a" * (SOCKET_PATH_LIMIT - 1)
    assert resolved_socket(at_limit) == at_limit
    short = resolved_socket(at_limit + "a")
    assert len(short) <= 103
    assert short == resolved_socket(at_limit + "a")
    assert short != resolved_socket(at_limit + "b")


def test_the_limit_counts_bytes() -> None:
    assert resolved_socket("/" + "é" * 60).startswith("/tmp/ade-")


def test_newer_code_is_told_by_its_stamp() -> None:
    mine = stamp()
    assert not is_newer(mine, mine)
    assert is_newer([mine[0] + 1, mine[1], mine[2]], mine)
    assert not is_newer([mine[0], mine[1] - 1, mine[2]], mine)
    assert not is_newer([mine[0] - 1, mine[1] + 5, mine[2]], mine)
    other = [mine[0], mine[1] + 1, mine[2] - 5]
    assert is_newer(other, mine) is not is_newer(mine, other), "of two builds exactly one is newer"
    for nonsense in (None, "x", [], [1, 2], ["a", 1, 2], {}):
        assert not is_newer(nonsense, mine)


def test_environments() -> None:
    everything = {
        "PATH": "/bin", "HOME": "/h", "ADE_HOME": "/a", "ADE_SESSION_TOKEN": "t", "ADE_LANE_ID": "l", "LC_ALL": "C",
        "GIT_DIR": "/evil", "GIT_INDEX_FILE": "/evil", "GIT_AUTHOR_NAME": "Ada", "GIT_CONFIG_GLOBAL": "/g",
        "AWS_SECRET_ACCESS_KEY": "s", "PYTHONPATH": "/p", "LD_PRELOAD": "/l", "ADE_DEFAULT_ROLE": "cto",
    }  # fmt: skip
    caller = caller_environment(everything)
    assert not caller.keys() & {
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "AWS_SECRET_ACCESS_KEY",
        "PYTHONPATH",
        "LD_PRELOAD",
    }
    assert caller.keys() >= {"PATH", "GIT_AUTHOR_NAME", "ADE_LANE_ID", "GIT_CONFIG_GLOBAL", "LC_ALL"}
    runtime = runtime_environment(everything)
    assert runtime.keys() == {"PATH", "HOME", "ADE_HOME", "LC_ALL", "GIT_CONFIG_GLOBAL"}


def test_a_process_is_known_by_pid_and_start() -> None:
    assert is_running(own_mark())
    pid, _, start = own_mark().partition(":")
    assert not is_running(f"{pid}:{int(start) + 1}")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    mark = mark_of(child.pid)
    assert mark is not None
    assert is_running(mark)
    child.communicate()
    assert not is_running(mark)
    assert not is_running("nonsense")


@pytest.mark.parametrize(
    "name", ["main", "address", "build", "environment", "wire", "autostart", "starts", "stdio"]
)
def test_client_modules_need_no_package(name: str) -> None:
    source = (Path(__file__).parents[3] / "ade_runtime" / "client" / f"{name}.py").read_text()
    imports = [
        line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))
    ]
    allowed = {"errno", "fcntl", "os", "select", "sys", "time", "ade_runtime"}
    assert set(imports) <= allowed
