"""Splitting the words of one level of a command line into options and positional values.

Click reads the options afterwards. Doing the split here, from the declared options, is what lets a negative
number be a positional value, ``--help`` win over every mistake, and a known option never be swallowed as
another option's value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ade_runtime.cli.outcomes import UsageProblem
from ade_runtime.cli.values import did_you_mean, shown

_NEGATIVE = re.compile(r"-[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """One spelling of an option.

    ``canonical`` is the long spelling; ``off`` the one that turns a switch off, if any.
    """

    canonical: str
    takes_value: bool
    off: str | None = None


@dataclass(slots=True)
class Split:
    """``options`` in canonical spelling (``--flag`` or ``--flag=value``), ready for click."""

    options: list[str] = field(default_factory=list)
    positionals: list[str] = field(default_factory=list)
    help: bool = False


def split_words(words: Sequence[str], flags: Mapping[str, Flag], *, stop_at_first: bool, where: str) -> Split:
    """Split ``words`` by ``flags`` (spelling → option).

    With ``stop_at_first`` everything from the first positional word on is left untouched in ``positionals``
    (a group and what follows it). ``where`` names the command in messages. Raises :class:`UsageProblem`.
    """
    split = Split(help=_asks_help(words, flags, stop_at_first))
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            split.positionals += rest
            break
        if not word.startswith("-") or word == "-" or (_NEGATIVE.fullmatch(word) and word[:2] not in flags):
            split.positionals.append(word)
            if stop_at_first:
                split.positionals += rest
                break
        elif split.help:
            _skip_option(word, rest, flags)
        elif word.startswith("--"):
            _long(word, rest, flags, split, where)
        else:
            _cluster(word, rest, flags, split, where)
    return split


def _asks_help(words: Sequence[str], flags: Mapping[str, Flag], stop_at_first: bool) -> bool:
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            return True
        if word == "--" or (stop_at_first and not word.startswith("-")):
            return False
        _skip_option(word, rest, flags)
    return False


def _skip_option(word: str, rest: list[str], flags: Mapping[str, Flag]) -> None:
    """Leave out the value of an option that is known to take one, unless a known option stands in its
    place.
    """
    known = flags.get(word)
    if known and known.takes_value and rest and rest[0] not in flags and rest[0] != "--":
        rest.pop(0)


def _long(word: str, rest: list[str], flags: Mapping[str, Flag], split: Split, where: str) -> None:
    name, equals, value = word.partition("=")
    flag = flags.get(name)
    if flag is None:
        raise _unknown(name, flags, where)
    if flag.takes_value:
        split.options.append(f"{flag.canonical}={value if equals else _value(name, rest, flags)}")
    elif equals:
        split.options.append(_switch(name, flag, value))
    else:
        split.options.append(flag.canonical)


def _cluster(word: str, rest: list[str], flags: Mapping[str, Flag], split: Split, where: str) -> None:
    """``-abc value``: switches may be joined; the first that takes a value takes the rest (``-bmain``,
    ``-b=main``).
    """
    for position, letter in enumerate(word[1:], start=1):
        name = f"-{letter}"
        flag = flags.get(name)
        if flag is None:
            raise _unknown(word if position == 1 else name, flags, where)
        if not flag.takes_value:
            split.options.append(flag.canonical)
            continue
        tail = word[position + 1 :]
        value = tail.removeprefix("=") if tail else _value(name, rest, flags)
        split.options.append(f"{flag.canonical}={value}")
        return


def _value(name: str, rest: list[str], flags: Mapping[str, Flag]) -> str:
    if not rest:
        raise UsageProblem(f"{name} needs a value.", hint=f"Write it as {name} VALUE.")
    following = rest[0]
    if following == "--" or following in flags:
        long = flags[name].canonical
        raise UsageProblem(
            f"{name} needs a value, and {following} is an option.",
            hint=f"If {following} is meant as the value, write {long}={following}.",
        )
    return rest.pop(0)


def _switch(name: str, flag: Flag, value: str) -> str:
    if flag.off is not None and value in ("true", "false"):
        return flag.canonical if value == "true" else flag.off
    hint = f"Write {flag.canonical} or {flag.off}." if flag.off else f"Write {name} alone."
    raise UsageProblem(f"{name} takes no value ({shown(value)} was given).", hint=hint)


def _unknown(name: str, flags: Mapping[str, Flag], where: str) -> UsageProblem:
    mean = did_you_mean(name, [flag for flag in flags if flag.startswith("--") or len(name) == 2])
    hint = f"See `{where} --help`; a value that begins with - goes after -- or as --option=VALUE."
    return UsageProblem(f"{where} has no option {shown(name)}.", hint=f"{mean} {hint}".strip())
