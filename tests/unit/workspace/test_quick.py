"""Quick open puts first what a person means."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_runtime.workspace.quick import candidates, ranked


def order(query: str, *paths: str, recent: tuple[str, ...] = ()) -> list[str]:
    found = candidates(sorted(path.encode() for path in paths), query)
    changed = {path.encode(): number for number, path in enumerate(recent)}
    return [one.path.decode() for one in ranked(found, changed)]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("login", ["src/login.py", "src/login_form.py", "src/blogins.py", "login/deep/other.py"]),
        ("lf", ["src/login_form.py", "src/elf.py", "src/alpha/of.py"]),
        ("LoginForm", ["src/LoginForm.ts", "src/loginform.ts"]),
        ("form", ["form.py", "a/b/form.py", "platform.py"]),
        ("srcmain", ["src/main.py", "src/deep/main.py"]),
        ("readme", ["README.md", "docs/README.md", "docs/read/me.md"]),
    ],
)
def test_the_best_comes_first(query: str, paths: list[str]) -> None:
    assert order(query, *paths) == paths


def test_what_changed_lately_comes_before_its_equals() -> None:
    paths = [f"src/a{number:02}/form.py" for number in range(30)]
    assert order("form", *paths) == paths
    assert order("form", *paths, recent=tuple(paths))[:10] == paths[20:]


def test_what_does_not_fit_is_left_out() -> None:
    assert order("xyz", "a.py", "zyx") == []
    assert order("  ", "a.py") == []
    assert order("a b", "ab", "ba") == ["ab"]
    assert order("é", "caf\u00e9", "cafe") == ["caf\u00e9"]
    assert set(order("ss", "stra\u00dfe", "mass")) == {"mass", "stra\u00dfe"}


@settings(deadline=None)
@given(
    st.lists(st.text(st.sampled_from("abAB/_.ß"), min_size=1, max_size=12), max_size=8),
    st.text("abAß/", min_size=1, max_size=4),
)
def test_the_order_of_the_list_does_not_matter(paths: list[str], query: str) -> None:
    assert order(query, *paths) == order(query, *reversed(paths))


def test_letters_that_nearly_fit_many_times_cost_no_time() -> None:
    path = ("a" * 60 + "/") * 60
    begun = time.monotonic()
    assert candidates([path.encode()] * 200, "a" * 199 + "b") == []
    assert time.monotonic() - begun < 5
