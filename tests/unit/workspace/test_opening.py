"""Whatever a checkout holds, a path leads to a file inside of it or nowhere."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_runtime.integrations.git.text import show_path
from ade_runtime.workspace.names import names_of, text_of
from ade_runtime.workspace.opening import Root
from ade_runtime.workspace.problems import Failed, Missing, PathRefused, WorkspaceProblem, WrongKind
from ade_runtime.workspace.reading import read_all

SECRET = b"never to be seen"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout with a file, folders, a ``.git``, and a secret beside it."""
    made = tmp_path / "tree"
    (made / "src" / "deep").mkdir(parents=True)
    (made / ".git").mkdir()
    (made / ".git" / "config").write_bytes(SECRET)
    (made / "plain").write_bytes(b"plain")
    (made / "src" / "app").write_bytes(b"app")
    (tmp_path / "secret").write_bytes(SECRET)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_bytes(SECRET)
    return made


@pytest.fixture
def root(folder: Path) -> Iterator[Root]:
    with Root(folder) as opened:
        before = _open_files()
        yield opened
        assert _open_files() == before, "a descriptor was left open"


def _open_files() -> int:
    return sum(1 for _ in Path("/dev/fd").iterdir())


def read(root: Root, text: str) -> bytes:
    with root.file(text) as (fd, _):
        return read_all(fd, 1000, text)


@pytest.mark.parametrize(
    "text",
    [
        "", "/etc/passwd", "..", "../secret", "src/../../secret", "src/..", "~/x", "~", "a\0b", "a/" * 200 + "b", "x" * 256,
        "y/" * 2000 + "z", ".git", ".git/config", ".GIT/config", ".Git", "src/.git/x", ".git.", ".git ", "GIT~1", ".git::$DATA",
        ".g\u200cit/config", "a\\.git", ".ade/worktrees", ".ade/worktrees/x/y", ".ADE/Worktrees/x", ".ade/spool",
        '"\\400"',
    ],
)  # fmt: skip
def test_paths_that_are_refused_before_anything_is_opened(text: str) -> None:
    with pytest.raises(PathRefused) as caught:
        names_of(text)
    assert caught.value.reason


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (".", ()), ("./", ()), ("a", (b"a",)), ("./a//b/", (b"a", b"b")), ("..a/b..", (b"..a", b"b..")),
        (".gitignore", (b".gitignore",)), ('"a', (b'"a',)),
        (".github/x", (b".github", b"x")), ("é", ("é".encode(),)), ('"caf\\351"', (b"caf\xe9",)),
        (".ade/config.yaml", (b".ade", b"config.yaml")),
        ("-rf", (b"-rf",)), ("a b\n", (b"a b\n",)), ("~a", (b"~a",)),
    ],
)  # fmt: skip
def test_paths_as_names(text: str, names: tuple[bytes, ...]) -> None:
    assert names_of(text) == names


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=30).filter(lambda raw: b"\0" not in raw and b"/" not in raw))
def test_every_name_of_a_file_system_can_be_said(raw: bytes) -> None:
    try:
        assert names_of(show_path(raw)) == ((raw,) if raw != b"." else ())
        assert text_of((raw,)) == show_path(raw)
    except PathRefused as problem:
        assert "absolute" in problem.reason or "git" in problem.reason or ".." in problem.reason


def test_links_inside_are_followed(root: Root, folder: Path) -> None:
    (folder / "to-file").symlink_to("src/app")
    (folder / "to-folder").symlink_to("src")
    (folder / "src" / "up").symlink_to("../plain")
    (folder / "src" / "deep" / "around").symlink_to("../../to-folder/deep/../up")
    assert read(root, "to-file") == b"app"
    assert read(root, "to-folder/app") == b"app"
    assert read(root, "src/up") == b"plain"
    assert read(root, "src/deep/around") == b"plain"
    with root.place("to-folder/new", follow=True) as place:
        assert (place.names, place.status) == ((b"src", b"new"), None)
    with root.place("to-file", follow=False) as place:
        assert place.kind == "a symbolic link"


LINKS = [
    ("l", "../secret"), ("l", "src/../../secret"), ("l", "/etc/passwd"), ("l", ".git/config"), ("l", "./.GIT/config"),
    ("l", "../tree/plain"), ("l", "l"), ("l", "l/l"), ("l", "../outside"), ("l", "."), ("l", ".."), ("l", "src/../.git"),
    ("l", ".ade/worktrees/x"), ("l", "a" * 300), ("l", "/proc/self/cwd"), ("l", "x/../" * 300),
]  # fmt: skip


@pytest.mark.parametrize(("name", "target"), LINKS, ids=[target[:20] for _, target in LINKS])
def test_links_that_lead_out_are_refused(root: Root, folder: Path, name: str, target: str) -> None:
    (folder / name).symlink_to(target)
    for text in ("l", "l/secret", "l/config", "l/x/y"):
        for use in (read, _list):
            try:
                found = use(root, text)
            except WorkspaceProblem:
                continue
            assert target == "."
            assert found != SECRET


def _list(root: Root, text: str) -> list[str]:
    with root.folder(text) as (fd, _), os.scandir(fd) as listed:
        return [item.name for item in listed]


def test_a_ring_of_links_ends(root: Root, folder: Path) -> None:
    for number in range(100):
        (folder / f"l{number}").symlink_to(f"l{(number + 1) % 100}")
    with pytest.raises(PathRefused, match="do not end"):
        read(root, "l0")


def test_what_is_no_plain_file_is_refused_without_waiting(root: Root, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        cwd = Path.cwd()
        os.chdir(folder)
        try:
            server.bind("socket")
        finally:
            os.chdir(cwd)
        kinds = {"pipe": "a named pipe", "socket": "a socket", "src": "a folder"}
        if os.getuid() == 0:
            os.mknod(folder / "device", stat.S_IFCHR | 0o600, os.makedev(1, 3))
            kinds["device"] = "a device"
        for name, kind in kinds.items():
            with pytest.raises(WrongKind) as caught:
                read(root, name)
            assert (caught.value.found, caught.value.wanted) == (kind, "a file")
    with pytest.raises(WrongKind):
        read(root, "plain/below")
    with pytest.raises(Missing):
        read(root, "none/below")
    with pytest.raises(Missing):
        read(root, "none")


def test_a_root_that_is_a_link_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(Failed):
        Root(tmp_path / "link")


def test_a_replaced_root_is_not_followed(root: Root, folder: Path, tmp_path: Path) -> None:
    """What is open stays what it was, wherever its path leads by now."""
    folder.rename(tmp_path / "moved")
    (tmp_path / "tree").symlink_to(tmp_path / "outside")
    with pytest.raises(Missing):
        read(root, "secret")
    assert read(root, "plain") == b"plain"
