from __future__ import annotations

from pathlib import Path

import pytest

from ade_runtime.integrations.git.failures import BadName
from ade_runtime.integrations.git.paths import confine, confine_all


@pytest.fixture
def lane(tmp_path: Path) -> Path:
    root = tmp_path / "lane"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (tmp_path / "other").mkdir()
    (root / "link-in").symlink_to("sub")
    (root / "link-out").symlink_to("../other")
    (root / "link-git").symlink_to(".git")
    (root / "loop").symlink_to("loop")
    return root


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", b"a"),
        ("./a//b/", b"a/b"),
        (".", b"."),
        ("-rf", b"-rf"),
        (":(glob)*", b":(glob)*"),
        ("*.py", b"*.py"),
        ("link-in", b"link-in"),
        ("link-out", b"link-out"),
        ("link-in/f", b"sub/f"),
        ("gone/f", b"gone/f"),
        ("..a/b..", b"..a/b.."),
        (".gitignore", b".gitignore"),
        ("two\nlines", b"two\nlines"),
        ('"caf\\351"', b"caf\xe9"),
    ],
)
def test_accepted(lane: Path, text: str, expected: bytes) -> None:
    assert confine(lane, text) == expected


def test_an_absolute_path_inside_is_made_relative(lane: Path) -> None:
    assert confine(lane, str(lane / "sub" / "f")) == b"sub/f"
    assert confine(lane, str(lane)) == b"."
    link = lane.parent / "way-in"
    link.symlink_to(lane)
    assert confine(lane, str(link / "sub" / "f")) == b"sub/f"


@pytest.mark.parametrize(
    "text",
    [
        "../other-lane/f", "a/../../x", "..", "/etc/passwd", ".git", ".git/config", ".GIT/hooks/pre-commit", "sub/.Git/x",
        ".git./x", ".git /x", "GIT~1/config", ".g\u200cit/config", ".git::$INDEX_ALLOCATION/x", "link-out/f", "link-git/config",
        "a\x00b", "", "x" * 5000, '"\\q"', "\ud800", "loop/f",
    ],
    ids=ascii,
)  # fmt: skip
def test_refused(lane: Path, text: str) -> None:
    with pytest.raises(BadName) as caught:
        confine(lane, text)
    assert caught.value.kind == "path"


def test_a_lane_beside_with_the_same_beginning_is_outside(lane: Path) -> None:
    with pytest.raises(BadName):
        confine(lane, str(lane) + "-2/f")


def test_repeats_are_dropped(lane: Path) -> None:
    assert confine_all(lane, ["a", "./a", "b"]) == [b"a", b"b"]
