"""Opening below a folder: what lies elsewhere, is no file, or changes meanwhile is never read."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from ade_runtime.machine.beneath import NotBeneathError, open_beneath, read_beneath


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "a/b").mkdir(parents=True)
    (root / "a/b/file").write_text("inside")
    (tmp_path / "secret").write_text("outside")
    return root


def text(root: Path, path: str, *, links: bool = True) -> str:
    return read_beneath(root, path, 1000, links=links)[0].decode()


@pytest.mark.parametrize("path", ["a/b/file", "./a//b/./file", "a/../a/b/file", "a/b/../b/file"])
def test_a_file_below_is_read(root: Path, path: str) -> None:
    assert text(root, path) == "inside"
    assert text(root, f"{root}/{path}") == "inside"


def test_the_root_itself_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(root)
    assert text(tmp_path / "alias", f"{tmp_path}/alias/a/b/file") == "inside"


@pytest.mark.parametrize("target", ["b/file", "../a/b/file", "./b/../b/file"])
def test_a_link_that_stays_below_is_followed(root: Path, target: str) -> None:
    (root / "a/link").symlink_to(target)
    assert text(root, "a/link") == "inside"
    (root / "c").symlink_to(root / "a")
    assert text(root, "c/b/file") == "inside"
    with pytest.raises(NotBeneathError, match="symbolic link"):
        text(root, "a/link", links=False)
    with pytest.raises(NotBeneathError, match="symbolic link"):
        text(root, "c/b/file", links=False)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../secret", "leads out"),
        ("a/../../secret", "leads out"),
        ("out", "leads out"),
        ("up", "leads out"),
        ("folder/secret", "leads out"),
        ("loop", "loop"),
        ("fifo", "no regular file"),
        ("null", "no regular file|leads out"),
        ("socket", "no regular file"),
        ("a", "is a folder"),
        ("", "is a folder"),
        ("a/b/file/x", "does not exist"),
        ("a/b/file/..", "does not exist"),
        ("nothing", "does not exist"),
        ("dangling", "does not exist"),
        ("a\0b", "NUL"),
        ("x" * 300, "cannot be read"),
    ],
)
def test_anything_else_is_refused(root: Path, path: str, reason: str) -> None:
    (root / "out").symlink_to(root.parent / "secret")
    (root / "up").symlink_to("../secret")
    (root / "folder").symlink_to(root.parent)
    (root / "loop").symlink_to("loop")
    (root / "null").symlink_to("/dev/null")
    (root / "dangling").symlink_to("a/nothing")
    os.mkfifo(root / "fifo")
    os.mknod(root / "socket", 0o140600)
    with pytest.raises(NotBeneathError, match=reason):
        text(root, path)


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_a_file_of_somebody_else_is_refused(root: Path) -> None:
    (root / "a/b/file").chmod(0)
    with pytest.raises(NotBeneathError, match="cannot be read"):
        text(root, "a/b/file")


def test_absolute_paths_elsewhere_are_refused(root: Path) -> None:
    for path in ("/etc/passwd", f"{root}-other/file", f"{root}/../secret", str(root.parent)):
        with pytest.raises(NotBeneathError):
            text(root, path)


def test_a_file_is_read_no_further_than_asked_and_its_size_told(root: Path) -> None:
    with (root / "big").open("wb") as file:
        file.truncate(2**31)
    data, size = read_beneath(root, "big", 10)
    assert (len(data), size) == (10, 2**31)


def test_no_descriptor_is_left_open(root: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    os.close(open_beneath(root, "a/b/file"))
    for path in ("a/b", "../x", "a/b/nothing"):
        with pytest.raises(NotBeneathError):
            open_beneath(root, path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_folder_that_is_swapped_for_a_link_again_and_again_leads_nowhere(root: Path) -> None:
    outside = root.parent / "elsewhere"
    (outside / "b").mkdir(parents=True)
    (outside / "b/file").write_text("outside")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            (root / "a").rename(root / "kept")
            (root / "a").symlink_to(outside)
            (root / "a").unlink()
            (root / "kept").rename(root / "a")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        seen = set()
        for _ in range(3000):
            try:
                seen.add(text(root, "a/b/file"))
            except NotBeneathError:
                continue
    finally:
        done.set()
        thread.join()
    assert seen <= {"inside"}


def test_names_that_are_barred_are_not_passed_by_any_way(root: Path) -> None:
    (root / "way").symlink_to("a/b")
    (root / "deep").mkdir()
    (root / "deep/up").symlink_to("../a")
    asked: list[tuple[tuple[str, ...], str]] = []

    def barred(above: tuple[str, ...], name: str) -> str | None:
        asked.append((above, name))
        return "is barred" if (above, name) == (("a",), "b") else None

    for path in (
        "a/b/file",
        "./a//b/file",
        "way/file",
        "deep/up/b/file",
        "deep/../a/b/file",
        f"{root}/a/b/file",
    ):
        with pytest.raises(NotBeneathError, match="barred"):
            open_beneath(root, path, barred=barred)
    (root / "file").write_text("fine")
    os.close(open_beneath(root, "deep/up/../file", barred=barred))
    assert asked[-1] == ((), "file"), "names are told from the root, links resolved"
