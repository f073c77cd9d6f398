"""What the shells themselves complete of a pack: once trusted its commands, flags and live values, before that nothing."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import ADE, Command
from tests.support.homes import needs
from tests.support.packs import make_project

PACK = """domain: shop
title: Shop
summary: What this project does with its shop.
cli: {group: shop}
actions:
  deploy:
    summary: Bring the shop to a stage.
    effect: write
    toolset: base
    min_role: agent
    timeout: 20s
    input:
      stage: {type: string, enum: [test, live], description: Where to., cli: {positional: true}}
      lane: {$ref: lane_ref, optional: true, description: Lane to bring there., cli: {complete: lanes}}
      hurry: {type: boolean, default: false, description: Whether it is urgent.}
    output: {type: object, properties: {argv: {type: array, items: {type: string}, description: Words.}}, required: [argv]}
    examples:
      - {title: To the test stage, input: {stage: test}, output: {argv: []}}
      - {title: A stage that does not exist, input: {stage: moon}, error: {code: invalid_arguments, path: stage}}
    run: {argv: [python3, scripts/say.py, '{stage}'], files: [scripts/say.py]}
"""
SCRIPTS = {"bash": "ade.bash", "zsh": "_ade", "fish": "ade.fish"}
BASH = """
source ./ade.bash
for line in "$@"; do
  read -ra COMP_WORDS <<<"$line"; [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_LINE=$line; COMP_POINT=${#line}; COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _ade
  printf '<%s>' "${COMPREPLY[@]}"; echo
done
"""
FISH = """
source ./ade.fish
for line in $argv
    for offer in (complete -C $line)
        printf '<%s>' (string split -m1 -- \\t $offer)[1]
    end
    echo
end
"""
ZSH = r"""
autoload -Uz compinit; compinit -u -D; source ./_ade
compadd() { local -a given; zparseopts -D -E S: l d:; shift $(( ${@[(i)--]} )); printf '<%s>' "$@" }
for line in "$@"; do words=("${(@s: :)line}"); CURRENT=$#words; PREFIX=$words[-1]; _ade; echo; done
"""
RUN = {
    "bash": ["--norc", "-c", BASH, "bash"],
    "zsh": ["-f", "-c", ZSH, "zsh"],
    "fish": ["--no-config", "-c", FISH],
}


@pytest.fixture(scope="module")
def ade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Command]:
    base = tmp_path_factory.mktemp("shells")
    command = Command(base, home=Path(tmp_path_factory.mktemp("h", numbered=True)))
    make_project(base / "shop", command.env, PACK)
    try:
        for name in SCRIPTS:
            (base / "shop" / SCRIPTS[name]).write_text(command.run("completion", name).stdout)
        command.json("project", "add", str(base / "shop"))
        command.json("lanes", "create", "fix-one", cwd=base / "shop")
        found = command.json("packs", "add", cwd=base / "shop")
        command.json("packs", "trust", "shop", found["hash"], cwd=base / "shop")
        yield command
    finally:
        command.close()


def offered(ade: Command, shell: str, *lines: str) -> list[list[str]]:
    """What the shell offers at the end of each line, in order of the alphabet."""
    env = ade.env | {
        "PATH": f"{ADE.parent}:/usr/local/bin:/usr/bin:/bin",
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }
    argv = [needs(shell), *RUN[shell], *lines]
    done = subprocess.run(argv, cwd=ade.base / "shop", env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return [sorted(filter(None, line[1:-1].split("><"))) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_trusted_pack_is_completed(shell: str, ade: Command) -> None:
    group, command, stage, flags, lanes, ids, arguments = offered(
        ade,
        shell,
        "ade sho",
        "ade shop ",
        "ade shop deploy ",
        "ade shop deploy test --h",
        "ade shop deploy test --lane ",
        "ade actions run shop.",
        "ade actions run shop.deploy --arg hu",
    )
    assert (group, command, stage) == (["shop"], ["deploy"], ["live", "test"])
    assert {"--hurry", "--host"} <= set(flags)
    assert lanes == ["fix-one", "primary"]
    assert (ids, arguments) == (["shop.deploy"], ["hurry="])


def test_a_pack_that_is_not_trusted_is_not_completed(ade: Command) -> None:
    shop = ade.base / "shop"
    ade.json("packs", "remove", "shop", cwd=shop)
    ade.json("packs", "add", cwd=shop)
    assert offered(ade, "bash", "ade sho", "ade actions run shop.") == [[], []]
