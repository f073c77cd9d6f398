from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.integrations.git.text import read_path, redact, show_path


@given(st.binary(min_size=1).filter(lambda b: b"\0" not in b))
def test_a_shown_path_reads_back_as_the_same_bytes(path: bytes) -> None:
    shown = show_path(path)
    assert read_path(shown) == path
    shown.encode("utf-8")


@given(st.binary(min_size=1), st.binary(min_size=1))
def test_two_paths_are_never_shown_alike(one: bytes, other: bytes) -> None:
    assert (show_path(one) == show_path(other)) == (one == other)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (b"src/main.py", "src/main.py"),
        ("修正.txt".encode(), "修正.txt"),
        (b"two\nlines", "two\nlines"),
        (b"back\\slash", "back\\slash"),
        (b"caf\xe9.txt", '"caf\\351.txt"'),
        (b'"quoted"', '"\\"quoted\\""'),
        (b"\xff\n\t\\", '"\\377\\n\\t\\\\"'),
    ],
)
def test_spelling(path: bytes, shown: str) -> None:
    assert show_path(path) == shown


def test_the_quoted_form_is_the_one_git_prints(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    name = b'a\xff\n"\\\x01'
    (tmp_path / "x").write_text("")
    listed = subprocess.run(
        [
            "git",
            "-C",
            str(tmp_path).encode(),
            "update-index",
            "--add",
            "--cacheinfo",
            b"100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391," + name,
        ],
        check=False,
        capture_output=True,
    )
    assert listed.returncode == 0, listed.stderr
    printed = subprocess.run(["git", "-C", str(tmp_path), "ls-files"], capture_output=True, check=True).stdout
    assert printed.decode().rstrip("\n") == show_path(name)


@pytest.mark.parametrize("text", ['"a"b"', '"a\\"', '"\\q"', '"\\400"'])
def test_a_quoted_form_that_git_would_not_print_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_path(text)


def test_passwords_in_addresses_are_taken_out() -> None:
    text = "fatal: unable to access 'https://ada:s3cret@example.org/x.git/': and ssh://git@h/x"
    assert redact(text) == "fatal: unable to access 'https://example.org/x.git/': and ssh://h/x"
