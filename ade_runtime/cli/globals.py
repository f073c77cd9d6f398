"""The options that every command takes, as data, and how what was given becomes :class:`GlobalOptions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ade_runtime.cli.outcomes import GlobalOptions, UsageProblem
from ade_runtime.cli.sniff import options_part, output_mode
from ade_runtime.cli.tokens import Flag
from ade_runtime.cli.values import read_duration, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOption:
    """An option of the program itself; ``metavar`` is ``None`` for a switch.

    ``repeats`` collects every value.
    """

    name: str
    flags: tuple[str, ...]
    help: str
    metavar: str | None = None
    repeats: bool = False

    @property
    def flag(self) -> str:
        """The long spelling."""
        return next(flag for flag in self.flags if flag.startswith("--"))


HOST_PATTERN = r"(?:[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}@)?[A-Za-z0-9_:][A-Za-z0-9_.:-]{0,254}"
"""What --host takes: a machine's name or address or a name of the ssh configuration, with or without a user. Neither part
begins with a dash, which ssh would read as an option."""

GLOBAL_OPTIONS: tuple[BuiltinOption, ...] = (
    BuiltinOption(name="json", flags=("--json",), help="Print the output document as JSON."),
    BuiltinOption(name="text", flags=("--text",), help="Print text for reading."),
    BuiltinOption(
        name="jq", flags=("--jq",), metavar="EXPR", help="Print what this jq expression picks from the JSON."
    ),
    BuiltinOption(
        name="project", flags=("--project",), metavar="PATH", help="Project to work on: a path, id or name."
    ),
    BuiltinOption(name="role", flags=("--role",), metavar="ROLE", help="Act in this lower role."),
    BuiltinOption(
        name="socket", flags=("--socket",), metavar="PATH", help="Socket of the runtime to talk to."
    ),
    BuiltinOption(
        name="host",
        flags=("--host",),
        metavar="USER@MACHINE",
        help="Perform the command on another machine, over ssh; paths are that machine's.",
    ),
    BuiltinOption(
        name="headless", flags=("--headless",), help="Perform the command in this process, without a runtime."
    ),
    BuiltinOption(
        name="timeout",
        flags=("--timeout",),
        metavar="TIME",
        help="Give up after this time: 500ms, 30s, 5m, 1h.",
    ),
    BuiltinOption(name="no_color", flags=("--no-color",), help="Print no colours."),
    BuiltinOption(name="quiet", flags=("-q", "--quiet"), help="Print no progress and no notes."),
    BuiltinOption(
        name="request_id",
        flags=("--request-id",),
        metavar="ID",
        help="Name this call, so that repeating it does nothing twice.",
    ),
    BuiltinOption(
        name="help", flags=("-h", "--help"), help="Show help for what stands before it, and do nothing."
    ),
    BuiltinOption(name="version", flags=("--version",), help="Print the version, and do nothing."),
)

ACTION_OPTIONS: tuple[BuiltinOption, ...] = (
    BuiltinOption(
        name="input_json",
        flags=("--input-json",),
        metavar="JSON",
        help="The input as a JSON object, as @FILE, or as - for standard input; other options add to it.",
    ),
    BuiltinOption(
        name="arg",
        flags=("--arg",),
        metavar="FIELD=TEXT",
        repeats=True,
        help="Set a field from text, read by its type.",
    ),
    BuiltinOption(
        name="arg_json",
        flags=("--arg-json",),
        metavar="FIELD=JSON",
        repeats=True,
        help="Set a field from JSON.",
    ),
    BuiltinOption(
        name="dry_run", flags=("--dry-run",), help="Check the call and show it, without making it."
    ),
    BuiltinOption(name="skeleton", flags=("--skeleton",), help="Print an input to fill in, and do nothing."),
)

RESERVED_FLAGS: frozenset[str] = frozenset(
    flag for option in (*GLOBAL_OPTIONS, *ACTION_OPTIONS) for flag in option.flags
)
"""Spellings no field of an action can have."""


def flag_table(options: Sequence[BuiltinOption]) -> dict[str, Flag]:
    """Spelling → option, for :func:`ade_runtime.cli.tokens.split_words`."""
    return {
        spelling: Flag(canonical=option.flag, takes_value=option.metavar is not None)
        for option in options
        for spelling in option.flags
    }


def options_from(given: Mapping[str, Any]) -> GlobalOptions:
    """The options from what was given by name; raises :class:`UsageProblem` for values that cannot be
    meant.
    """
    output, expression = given.get("output", "auto"), given.get("jq")
    if expression is not None and output == "text":
        raise UsageProblem("--jq picks from JSON and does not go with --text.", hint="Leave one of them out.")
    return GlobalOptions(
        output="json" if expression is not None else output,
        jq=_not_empty("--jq", expression),
        project=_not_empty("--project", given.get("project")),
        role=_not_empty("--role", given.get("role")),
        socket=_not_empty("--socket", given.get("socket")),
        headless=bool(given.get("headless")),
        timeout=_seconds(given.get("timeout")),
        no_color=bool(given.get("no_color")),
        quiet=bool(given.get("quiet")),
        request_id=_not_empty("--request-id", given.get("request_id")),
    )


def take_global(given: dict[str, Any], name: str, value: Any) -> None:
    """Note one option that stood on the line; of --json and --text the later one counts."""
    if name in ("json", "text"):
        given["output"] = name
    else:
        given[name] = value


def sniff_options(argv: Sequence[str]) -> GlobalOptions:
    """How to show a problem with a line that cannot be read: its output mode, as far as it can be told."""
    words = options_part(argv)
    return GlobalOptions(
        output=output_mode(argv), no_color="--no-color" in words, quiet="-q" in words or "--quiet" in words
    )


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return read_duration(text)
    except ValueError as error:
        raise UsageProblem(f"--timeout {shown(text)} {error}.", hint="For example --timeout 30s.") from None


def _not_empty(flag: str, text: str | None) -> str | None:
    if text == "":
        raise UsageProblem(f"{flag} needs a value that is not empty.", hint=f"Leave {flag} out instead.")
    return text
