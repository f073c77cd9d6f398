"""Addresses to clone from: which git is given, and what of them is shown."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.projects.address import read_address

GOOD = {
    "https://example.org/a/shop.git": "shop",
    "https://example.org:8443/a/shop": "shop",
    "ssh://git@example.org/a/shop.git": "shop",
    "git@example.org:a/shop.git": "shop",
    "example.org:shop": "shop",
    "git://example.org/shop.git/": "shop",
    "file:///srv/shop.git": "shop",
    "https://[::1]/shop": "shop",
}
BAD = [
    "--upload-pack=touch x",
    "-",
    "ext::sh -c touch% pwned",
    "fd::17",
    "http://example.org/shop",
    "ftp://example.org/shop",
    "https:///shop",
    "ssh://-oProxyCommand=evil/shop",
    "ssh://-l@host/shop",
    "-oProxyCommand=evil:shop",
    "ssh://me:secret@example.org/shop",
    "https://example.org/a\nb",
    "https://example.org:port/x",
    "https://us%0aer:secret@example.org/x",
    "no-such-folder/shop",
    "",
]


@pytest.mark.parametrize(("text", "folder"), GOOD.items())
def test_an_address_is_taken(text: str, folder: str) -> None:
    address = read_address(text, None)
    assert (address.url, address.folder, address.credentials()) == (text, folder, {})


@pytest.mark.parametrize("text", BAD)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(errors.InvalidUrl) as caught:
        read_address(text, "/")
    assert "secret" not in str(caught.value)


def test_a_folder_is_read_from_where_the_caller_stands(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    for text in ("shop", "./shop", str(tmp_path / "shop")):
        assert read_address(text, str(tmp_path)).url == str(tmp_path / "shop")


def test_a_password_is_given_to_git_and_to_nobody_else(tmp_path: Path) -> None:
    address = read_address("https://ada:se%22cr$et@example.org/shop.git", None)
    assert (address.url, address.shown) == ("https://example.org/shop.git",) * 2
    assert "se" not in repr(address).replace("url", "").replace("shown", "") or "cr$et" not in repr(address)
    env = {**os.environ, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1", **address.credentials()}
    filled = subprocess.run(
        ["git", "credential", "fill"],
        input="protocol=https\nhost=example.org\n\n",
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "username=ada\n" in filled.stdout
    assert 'password=se"cr$et\n' in filled.stdout
