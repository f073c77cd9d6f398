"""Names of lanes: every one is refused with a reason or becomes a branch and a folder that git and every disk
accept."""

from __future__ import annotations

import subprocess
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.integrations.git.refs import check_branch
from ade_runtime.lanes.naming import (
    MAX_SLUG_BYTES,
    PREFIX,
    BadNameError,
    clean_name,
    folder_of,
    name_ascii,
    name_key,
    slug_of,
    unique,
)

DERIVED = {
    "fix-login": "fix-login",
    "Fix the login page (again)": "fix-the-login-page-again",
    "修正ログイン": "修正ログイン",
    "a/b": "a-b",
    "x.lock": "x-lock",
    "x.lock.lock": "x.lock-lock",
    "HEAD": "head",
    "a..b": "a.b",
    "a b\tc": "a-b-c",
    "a~1^2:3": "a-1-2-3",
    "trailing.": "trailing",
    "../../etc": "etc",
    "..\\..\\evil": "evil",
    "{{7*7}}": "7-7",
    "🚀 Launch!": "launch",
    "🚀": "rocket",
    "e\u0301te\u0301": "été",
    "@": "lane-",
    "!!!": "lane-",
}


@pytest.mark.parametrize(("name", "slug"), DERIVED.items(), ids=repr)
def test_a_name_becomes_a_slug(name: str, slug: str) -> None:
    found = slug_of(clean_name(name))
    assert found.startswith(slug) if slug.endswith("-") else found == slug


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\t\n",
        "..",
        "...",
        "--upload-pack=x",
        "-",
        "lane\0x",
        "a\x1b[31mb",
        "a\u202eb",
        "a\u200bb",
        "\ud800",
    ],
    ids=ascii,
)
def test_a_name_nobody_could_use_is_refused(name: str) -> None:
    with pytest.raises(BadNameError):
        clean_name(name)


def test_names_that_look_the_same_are_the_same() -> None:
    for one, other in [
        ("straße", "STRASSE"),
        ("Fix-Login", "fix-login"),
        ("caf\u00e9", "cafe\u0301"),
        ("\ufb01x", "fix"),
        ("ｆｉｘ", "fix"),
        ("a  b", "a b"),
    ]:
        assert name_key(clean_name(one)) == name_key(clean_name(other)), (one, other)
    assert name_key("p\u0430ypal") != name_key("paypal")


def test_letters_that_look_like_others_are_spelt_out() -> None:
    assert name_ascii("p\u0430ypal") == r"p\u0430ypal"
    assert name_ascii("\u0441\u043e\u0441\u043e") == r"\u0441\u043e\u0441\u043e"
    for plain in ("paypal", "привет", "修正ログイン", "café", "🚀"):
        assert name_ascii(plain) is None, plain


@pytest.mark.parametrize("name", ["con", "CON", "aux", "com1", "com1.txt", "LPT9", "nul"])
def test_a_folder_is_never_a_device_of_windows(name: str) -> None:
    assert folder_of(slug_of(name)).split(".")[0] not in ("con", "aux", "com1", "lpt9", "nul")
    assert slug_of(name) == name.lower()


def test_a_long_name_is_cut_between_characters_and_stays_distinct() -> None:
    one, other = slug_of("é" * 100), slug_of("é" * 101)
    assert one != other
    for slug in (one, other):
        assert len(slug.encode()) <= MAX_SLUG_BYTES
        assert slug.startswith("éé")


def test_a_taken_name_is_numbered() -> None:
    assert unique("fix", set()) == "fix"
    assert unique("fix", {"fix", "fix-2"}) == "fix-3"


@given(st.text(max_size=130))
def test_any_name_is_refused_or_made_safe(name: str) -> None:
    try:
        shown = clean_name(name)
    except BadNameError as problem:
        assert str(problem)
        return
    slug = slug_of(shown)
    assert "/" not in slug and "\\" not in slug
    assert slug == unicodedata.normalize("NFC", slug)
    assert len(slug.encode()) <= MAX_SLUG_BYTES
    assert check_branch(PREFIX + slug) == PREFIX + slug
    assert folder_of(slug).strip(". ") == folder_of(slug)
    assert clean_name(shown) == shown


def test_git_agrees() -> None:
    names = [*DERIVED, "con", "x" * 300, "ǅ", "İstanbul", "a.lock/b", "%2e%2e", "a]b"]
    for name in names:
        ref = f"refs/heads/{PREFIX}{slug_of(clean_name(name))}"
        assert subprocess.run(["git", "check-ref-format", ref]).returncode == 0, (name, ref)
