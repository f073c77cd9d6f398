"""Remotes, and where tokens may go."""

from __future__ import annotations

import pytest

from ade_runtime.integrations.github.address import (
    interface_of,
    problem_of_interface,
    read_remote,
)
from ade_runtime.integrations.github.signin import from_environment, secret_of

READ = {
    "https://github.com/octo/shop.git": ("github.com", "octo/shop"),
    "https://github.com/octo/shop": ("github.com", "octo/shop"),
    "https://user:pass@GitHub.com/octo/shop.git/": ("github.com", "octo/shop"),
    "git@github.com:octo/shop.git": ("github.com", "octo/shop"),
    "ssh://git@ssh.github.com:443/octo/shop.git": ("github.com", "octo/shop"),
    "git@git.example.org:octo/shop.js.git": ("git.example.org", "octo/shop.js"),
    "https://git.example.org/octo/shop": ("git.example.org", "octo/shop"),
}


@pytest.mark.parametrize("url", READ)
def test_a_remote_names_a_repository(url: str) -> None:
    found = read_remote(url)
    assert found is not None
    assert (found.host, found.full_name) == READ[url]


@pytest.mark.parametrize(
    "url",
    ["/srv/git/octo/shop.git", "file:///srv/octo/shop.git", "https://github.com/shop", "https://github.com/a/b/c",
     "", "https://", "ext::sh -c touch% /tmp/x", "https://[::1/octo/shop", "https://ho st/octo/shop",
     "https://github.com/../octo", "git@github.com:octo/.git", "git@github.com:./shop"],
)  # fmt: skip
def test_other_remotes_name_none(url: str) -> None:
    assert read_remote(url) is None


def test_a_path_counts_where_the_interface_was_configured() -> None:
    found = read_remote("/tmp/x/octo/shop.git", anywhere=True)
    assert found is not None and found.full_name == "octo/shop"


def test_links_name_the_host_of_a_server_only() -> None:
    public, server = (
        read_remote("https://github.com/octo/shop"),
        read_remote("https://git.example.org/octo/shop"),
    )
    assert public is not None and server is not None
    assert (public.reference, server.reference) == ("octo/shop", "git.example.org/octo/shop")


def test_interfaces() -> None:
    assert interface_of("github.com") == "https://api.github.com"
    assert interface_of("octo.ghe.com") == "https://api.octo.ghe.com"
    assert interface_of("git.example.org") == "https://git.example.org/api/v3"


@pytest.mark.parametrize(
    "url", ["https://git.example.org/api/v3", "http://127.0.0.1:8000", "http://[::1]:8000"]
)
def test_addresses_that_may_be_configured(url: str) -> None:
    assert problem_of_interface(url) is None


def test_a_token_is_for_its_own_host_only() -> None:
    environ = {"GH_TOKEN": "public", "GH_ENTERPRISE_TOKEN": "server"}
    public = from_environment(environ, "github.com")
    assert public is not None and public.value == "public"
    assert from_environment(environ, "evil.example.org") is None
    named = from_environment({**environ, "GH_HOST": "git.example.org"}, "git.example.org")
    assert named is not None and named.value == "server"
    assert from_environment({**environ, "GH_HOST": "git.example.org"}, "evil.example.org") is None


@pytest.mark.parametrize("value", ["", " ", "two words", "line\nbreak", "ü"])
def test_what_is_no_token_is_none(value: str) -> None:
    assert from_environment({"GH_TOKEN": value}, "github.com") is None


def test_a_token_is_not_printed() -> None:
    found = from_environment({"GH_TOKEN": "ghp_secret"}, "github.com")
    assert "ghp_secret" not in repr(found)


def test_names_of_secrets() -> None:
    assert secret_of("github.com") == "GITHUB_TOKEN"
    assert secret_of("git.example-site.org") == "GITHUB_TOKEN_GIT_EXAMPLE_SITE_ORG"
