"""From a command's words and an input to argv: what a caller says is data, in one word each."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_generated import errors
from ade_runtime.packs.command import environment, filled


def run(*argv: Any) -> dict[str, Any]:
    return {"argv": [[word] if isinstance(word, str) else list(word) for word in argv], "environment": []}


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=40)


@given(TEXTS, st.lists(TEXTS, max_size=5))
def test_any_text_is_one_word_behind_the_end_of_options(word: str, words: list[str]) -> None:
    made = filled(
        run("say", "--word={word}", "--", "{word}", "{words}"), {"word": word, "words": words}, "x.y"
    )
    assert made == ["say", f"--word={word}", "--", word, *words]


@given(TEXTS)
def test_before_it_a_word_never_becomes_an_option(word: str) -> None:
    try:
        made = filled(run("say", "{word}"), {"word": word}, "x.y")
    except errors.InvalidArguments:
        assert word.startswith("-")
    else:
        assert made == ["say", word]
        assert not made[1].startswith("-")


@given(TEXTS)
def test_a_real_program_gets_the_very_bytes(word: str) -> None:
    made = filled(run("printf", "%s", "{word}"), {"word": f"x{word}"}, "x.y")
    program = shutil.which("printf")
    assert program is not None
    done = subprocess.run([program, *made[1:]], capture_output=True, check=True)
    assert done.stdout == f"x{word}".encode()


def test_what_is_absent_leaves_its_words_out() -> None:
    words = run("say", ["--loud", "{loud}"], "--n={n}", "{flag}", "fixed")
    assert filled(words, {}, "x.y") == ["say", "fixed"]
    assert filled(words, {"loud": None, "n": 3, "flag": True}, "x.y") == ["say", "--n=3", "true", "fixed"]
    assert filled(run("say", "{o}"), {"o": {"a": [1]}}, "x.y") == ["say", '{"a":[1]}']


def test_a_place_in_a_value_is_not_filled_again() -> None:
    assert filled(run("say", "{a}{b}"), {"a": "{b}", "b": "{a}"}, "x.y") == ["say", "{b}{a}"]


@pytest.mark.parametrize("value", ["a\0b", "\0"])
def test_nul_is_refused(value: str) -> None:
    with pytest.raises(errors.InvalidArguments):
        filled(run("say", "--", "{a}"), {"a": value}, "x.y")


def test_a_number_below_zero_is_no_option() -> None:
    with pytest.raises(errors.InvalidArguments):
        filled(run("say", "{n}"), {"n": -1}, "x.y")
    assert filled(run("say", "--", "{n}"), {"n": -1}, "x.y") == ["say", "--", "-1"]


def test_a_command_gets_what_it_may_have_and_no_token() -> None:
    given_ = {
        "PATH": "/bin",
        "HOME": "/h",
        "LC_ALL": "C",
        "ADE_SESSION_TOKEN": "t",
        "SSH_AUTH_SOCK": "s",
        "ADE_LANE_ID": "l",
    }
    bare = environment({"environment": []}, given_)
    assert bare == {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C"}
    more = environment({"environment": ["SSH_AUTH_SOCK", "ADE_SESSION_TOKEN"]}, given_)
    assert more == {**bare, "SSH_AUTH_SOCK": "s"}
    assert environment({"environment": []}, {})["PATH"]
