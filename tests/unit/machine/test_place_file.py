"""Copying to a place below a folder: whole, never over something unasked, never outside."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.machine.place_file import PlaceError, place_file


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root/a").mkdir(parents=True)
    (tmp_path / "root/.git").mkdir()
    (tmp_path / "source").write_text("new")
    return tmp_path / "root"


def kind(root: Path, path: str, *, overwrite: bool = False) -> str:
    with pytest.raises(PlaceError) as caught:
        place_file(root.parent / "source", root, path, overwrite=overwrite)
    return caught.value.kind


def test_a_file_is_placed_and_replaced_when_asked(root: Path) -> None:
    source = root.parent / "source"
    place_file(source, root, "a/./file", overwrite=False)
    assert (root / "a/file").read_text() == "new"
    assert (root / "a/file").stat().st_mode & 0o777 == 0o644
    source.write_text("newer")
    assert kind(root, "a/file") == "exists"
    place_file(source, root, "a/file", overwrite=True)
    assert (root / "a/file").read_text() == "newer"
    assert [entry.name for entry in (root / "a").iterdir()] == ["file"], "no draft is left"


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/../../x", "", ".", ".git/hooks/pre-commit", "a/.git/x", "a\0b", "out/x"]
)
def test_places_outside(root: Path, path: str) -> None:
    (root.parent / "other").mkdir()
    (root / "out").symlink_to(root.parent / "other")
    assert kind(root, path, overwrite=True) == "outside"
    assert list((root.parent / "other").iterdir()) == []


def test_a_link_in_the_place_is_not_written_through(root: Path) -> None:
    (root.parent / "victim").write_text("old")
    (root / "link").symlink_to(root.parent / "victim")
    assert kind(root, "link") == "exists"
    assert kind(root, "link", overwrite=True) == "failed"
    assert (root.parent / "victim").read_text() == "old"


def test_other_things_in_the_place(root: Path) -> None:
    os.mkfifo(root / "fifo")
    assert kind(root, "fifo", overwrite=True) == "failed"
    assert kind(root, "a", overwrite=True) == "failed"
    assert kind(root, "nowhere/x") == "failed"


def test_names_that_are_barred_are_no_places(root: Path) -> None:
    def barred(above: tuple[str, ...], name: str) -> str | None:
        return "it is barred" if above == ("a",) and name == "kept" else None

    for path in ("a/kept", "./a//kept/file"):
        with pytest.raises(PlaceError, match="barred") as caught:
            place_file(root.parent / "source", root, path, overwrite=True, make=True, barred=barred)
        assert caught.value.kind == "outside"
    assert not (root / "a/kept").exists()
    place_file(root.parent / "source", root, "kept", overwrite=False, barred=barred)
