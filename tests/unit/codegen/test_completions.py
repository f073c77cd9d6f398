"""The completion scripts in the shells themselves: what they offer, what they hand over, and that nothing
ever acts.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ade_runtime.cli.complete import Candidate, Completion, complete, render
from codegen.emitters import cli, completions
from tests.unit.codegen import toy
from tests.unit.codegen.test_cli_emit import PLAY

VALUES = [
    "fix-login",
    "two words",
    "$(touch marker)",
    "`touch marker`",
    "a;touch marker",
    "it's",
    '"q"',
    "修正",
    "*",
    "~",
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the scripts, and a program ``ade`` that notes its words and prints the file
    ``answer``.
    """
    for file in completions.emit(toy.specs(tmp_path / "project", toy.domain(actions={"play": PLAY}))):
        (tmp_path / file.path.name).write_text(file.content)
    program = tmp_path / "bin" / "ade"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done > asked\ncat answer\n')
    program.chmod(0o755)
    answer(tmp_path, VALUES)
    return tmp_path


def answer(place: Path, values: list[str], files: str = "none") -> None:
    made = render(Completion(files=files), [Candidate(value, f"about {value}") for value in values], "zsh")  # type: ignore[arg-type]
    (place / "answer").write_text(made)


def run(place: Path, *command: str) -> str:
    env = {"PATH": f"{place / 'bin'}:/usr/bin:/bin", "HOME": str(place), "LC_ALL": "C.UTF-8", "TERM": "dumb"}
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, timeout=60, check=True)
    assert not (place / "marker").exists()
    return done.stdout


def asked(place: Path) -> list[str]:
    return (place / "asked").read_text().split("\n")[:-1]


def bash(place: Path, line: str, *words: str) -> list[str]:
    """What bash would put in place of the last word, as the text it then means."""
    script = (
        'source ./ade.bash; COMP_LINE=$1; COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _ade;'
        'for reply in "${COMPREPLY[@]}"; do eval "printf \'%s\\0\' ${QUOTE}$reply${QUOTE}"; done'
    )
    quote = words[-1][:1] if words[-1][:1] in "'\"" else ""
    out = run(
        place, "bash", "--norc", "-c", f"QUOTE={quote and chr(92) + quote}; {script}", "bash", line, *words
    )
    return out.split("\0")[:-1]


def test_bash_offers_every_value_as_text(place: Path) -> None:
    assert bash(place, "ade lanes show ", "ade", "lanes", "show", "") == VALUES
    assert asked(place) == ["__complete", "bash", "lanes", "show", ""]


def test_bash_inside_quotes_offers_what_needs_none(place: Path) -> None:
    assert bash(place, 'ade lanes show "f', "ade", "lanes", "show", '"f') == ["fix-login"]
    assert asked(place)[-1] == '"f'


@pytest.mark.parametrize(
    ("line", "words", "wanted"),
    [
        (
            "ade lanes show --lane=f",
            ["ade", "lanes", "show", "--lane", "=", "f"],
            ["lanes", "show", "--lane=f"],
        ),
        ("ade lanes show --lane=", ["ade", "lanes", "show", "--lane", "="], ["lanes", "show", "--lane="]),
        (
            "ade lanes show a:b:c",
            ["ade", "lanes", "show", "a", ":", "b", ":", "c"],
            ["lanes", "show", "a:b:c"],
        ),
        ("ade  lanes   sh", ["ade", "lanes", "sh"], ["lanes", "sh"]),
        ("ade x $(touch marker) ", ["ade", "x", "$(touch marker)", ""], ["x", "$(touch marker)", ""]),
    ],
)
def test_bash_hands_over_the_words_of_the_line(
    place: Path, line: str, words: list[str], wanted: list[str]
) -> None:
    bash(place, line, *words)
    assert asked(place) == ["__complete", "bash", *wanted]


def test_bash_completes_in_the_middle_of_a_word(place: Path) -> None:
    script = "source ./ade.bash; COMP_LINE='ade lanes show'; COMP_POINT=6; COMP_WORDS=(ade lanes show); COMP_CWORD=1; _ade"
    run(place, "bash", "--norc", "-c", script)
    assert asked(place) == ["__complete", "bash", "la"]


def test_bash_without_ade_is_silent(place: Path) -> None:
    (place / "bin" / "ade").unlink()
    assert bash(place, "ade l", "ade", "l") == []


needs_fish = pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
needs_zsh = pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")


@needs_fish
def test_fish_offers_every_value(place: Path) -> None:
    out = run(place, "fish", "--no-config", "-c", "source ./ade.fish; complete -C 'ade lanes show '")
    offered = dict(line.split("\t") for line in out.splitlines())
    assert offered == {value: f"about {value}" for value in VALUES}
    assert asked(place) == ["__complete", "fish", "lanes", "show", ""]


@needs_fish
def test_fish_hands_over_quoted_words(place: Path) -> None:
    run(place, "fish", "--no-config", "-c", """source ./ade.fish; complete -C 'ade lanes "a b" f'""")
    assert asked(place) == ["__complete", "fish", "lanes", "a b", "f"]


ZSH = r"""
zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; source ./_ade; stty -echo; print READ""Y'
zpty -r z out '*READY*'
zpty -n -w z $'ade lanes show \\$\t\n'
zpty -w z 'print -r -- DON""E'
zpty -r z out '*DONE*'
zpty -d z
"""


@needs_zsh
def test_zsh_quotes_what_it_inserts(place: Path) -> None:
    answer(place, ["$(touch marker)"])
    program = place / "bin" / "ade"
    program.write_text(
        '#!/bin/sh\n[ "$1" = __complete ] || { printf "%s\\n" "$@" > ran; exit; }\n'
        + program.read_text().split("\n", 1)[1]
    )
    run(place, "zsh", "-f", "-c", ZSH)
    assert asked(place) == ["__complete", "zsh", "lanes", "show", "$"]
    assert (place / "ran").read_text().split("\n")[:3] == ["lanes", "show", "$(touch marker)"]


@pytest.mark.parametrize("text", toy.HOSTILE)
def test_hostile_summaries_and_helps_reach_no_shell(place: Path, text: str) -> None:
    found = toy.specs(place / "hostile", toy.domain(actions={"play": PLAY, "rest": toy.action()}))
    catalog = toy.catalog(cli.emit(toy.poisoned(found, text)))
    for words in ([""], ["toys", ""], ["toys", "play", "--"]):
        completion = complete(words, catalog=catalog)
        made = render(completion, completion.candidates, "bash")
        assert all(line.count("\t") == 1 for line in made.split("\n")[1:-1])
        (place / "answer").write_text(made)
        offered = bash(place, "ade " + " ".join(words), "ade", *words)
        assert offered == [candidate.value for candidate in completion.candidates]


def test_scripts_say_where_they_come_from() -> None:
    found = [file.content for file in completions.emit(None)]  # type: ignore[arg-type]
    assert len(found) == 3
    assert all("do not edit" in text for text in found)
