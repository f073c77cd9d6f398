"""Reading the arguments of the program's own commands, which click never sees."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ade_generated import errors

COMMON = frozenset(["--json", "--text"])
"""Flags every local command takes; which output they mean has been decided by then."""


@dataclass(frozen=True, slots=True)
class LocalOptions:
    """The flags that were given, the values of those that take one, and the other words in order."""

    flags: frozenset[str]
    values: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    @property
    def help(self) -> bool:
        return bool(self.flags & {"-h", "--help"})


def read_options(
    args: Collection[str], command: str, *, flags: Collection[str] = (), values: Collection[str] = ()
) -> LocalOptions:
    """Read ``args`` of ``ade <command>``: ``--flag``, ``--value X`` and ``--value=X`` in any order.

    A value that begins with ``-`` is written with ``=``. Raises ``invalid_arguments`` for a flag the command does not have,
    one without its value, or one with a value it does not take.
    """
    known = {*flags, *COMMON, "-h", "--help"}
    given: set[str] = set()
    found: dict[str, str] = {}
    words: list[str] = []
    rest = iter(args)
    for arg in rest:
        name, equals, value = arg.partition("=")
        if not arg.startswith("-"):
            words.append(arg)
        elif name in values:
            taken = value if equals else next(rest, "")
            if not taken or (not equals and taken.startswith("-")):
                raise refusal(f"{name} needs a value", command)
            found[name] = taken
        elif arg in known:
            given.add(arg)
        elif equals and name in known:
            raise refusal(f"{name} takes no value", command)
        else:
            raise refusal(f"unexpected argument {arg!r}", command)
    return LocalOptions(frozenset(given), found, tuple(words))


def refusal(problem: str, command: str) -> errors.InvalidArguments:
    """The refusal of a local command's arguments."""
    return errors.InvalidArguments(problem=problem, action=command, hint=f"See `ade {command} --help`.")
