"""Help pages as text of a given width. Text of the specs is shown as it was written, wrapped at blanks
only.
"""

from __future__ import annotations

import json
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ade_runtime.cli.arguments import rule_sentence
from ade_runtime.cli.catalog import Catalog, GroupInfo
from ade_runtime.cli.globals import ACTION_OPTIONS, GLOBAL_OPTIONS, BuiltinOption
from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from ade_runtime.contracts import Exit, JsonObject

if TYPE_CHECKING:
    from ade_runtime.cli.commands import ActionCommand
    from ade_runtime.cli.params import FieldParam

EXIT_WORDS = {
    Exit.OK: "done",
    Exit.FAILED: "failed",
    Exit.USAGE: "usage or invalid arguments",
    Exit.DENIED: "denied",
    Exit.NOT_FOUND: "not found",
    Exit.CONFLICT: "conflict",
    Exit.RATE_LIMITED: "rate limited",
    Exit.UNAVAILABLE: "runtime unavailable",
    Exit.TIMED_OUT: "timed out",
    Exit.INTERRUPTED: "interrupted",
}

Rows = Sequence[tuple[str, str]]


def root_help(catalog: Catalog, width: int) -> str:
    """Help of ``ade``: groups, the program's own commands, global options."""
    groups = [(group.name, group.summary) for group in catalog.groups]
    return _page(
        wrap("Usage: ade [OPTIONS] GROUP COMMAND [ARGUMENTS]", width, hanging="    "),
        wrap("Do something in a lane, a repository or on this machine, through the ADE runtime.", width),
        _table("Groups", groups, width),
        _table("Commands of the program", list(LOCAL_COMMANDS.items()), width),
        _table("Options, anywhere on the line", _builtin_rows(GLOBAL_OPTIONS), width),
        _exit_codes(width),
        wrap("`ade GROUP --help` lists a group, `ade GROUP COMMAND --help` explains a command.", width),
    )


def group_help(group: GroupInfo, catalog: Catalog, width: int) -> str:
    """Help of one group, from the index alone."""
    rows = [(info.name, info.summary) for info in group.commands]
    prefix = f"{group.name} "
    rows += [
        (name.removeprefix(prefix), text) for name, text in LOCAL_COMMANDS.items() if name.startswith(prefix)
    ]
    rows += [(f"{name} ...", f"The same as `ade {one.name} ...`.") for name, one in catalog.inside(group)]
    others = (*group.aliases, *group.within)
    also = wrap(f"Also: {', '.join(f'ade {alias}' for alias in others)}", width) if others else []
    return _page(
        wrap(f"Usage: ade {group.name} [OPTIONS] COMMAND [ARGUMENTS]", width, hanging="    "),
        wrap(group.summary, width),
        _table("Commands", rows, width),
        also,
        wrap(
            f"`ade {group.name} COMMAND --help` explains a command; `ade --help` lists the shared options.",
            width,
        ),
    )


def action_help(command: ActionCommand, width: int) -> str:
    """Help of one action: usage, arguments with types and limits, rules, examples, errors with their exit
    codes.
    """
    visible = [param for param in command.fields if not param.hidden]
    names = {param.field: param.shown_name for param in command.fields}
    rules = [line for rule in command.rules for line in wrap(rule_sentence(rule, names), width, "  ")]
    errors = [(f"{error.code} ({error.exit})", error.summary) for error in command.errors]
    return _page(
        wrap(usage_line(command), width, hanging="    "),
        wrap(command.summary, width),
        wrap(command.notice, width) if command.notice else [],
        wrap(command.description, width) if command.description else [],
        _table("Arguments", [_field_row(param) for param in visible if param.positional], width),
        _table("Options", [_field_row(param) for param in visible if not param.positional], width),
        ["Rules:", *rules] if rules else [],
        _table("Input", _builtin_rows(ACTION_OPTIONS), width),
        wrap(command.guidance, width) if command.guidance else [],
        _examples(command, width),
        _table("Errors (exit code)", errors, width),
        _exit_codes(width),
        _facts(command, width),
    )


def usage_line(command: ActionCommand) -> str:
    """``Usage: ade lanes create [OPTIONS] NAME``, with required options spelled out."""
    words = [f"Usage: {command.title} [OPTIONS]"]
    for param in command.fields:
        if param.hidden or not (param.positional or param.required):
            continue
        word = param.metavar if param.positional else f"{param.flag} {param.metavar}"
        word += "..." if param.many else ""
        words.append(word if param.required else f"[{word}]")
    return " ".join(words)


def skeleton_text(skeleton: JsonObject) -> str:
    """The input to fill in, as JSON a person can edit."""
    return json.dumps(skeleton, indent=2, ensure_ascii=False) + "\n"


def wrap(text: str, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """Lines of at most ``width`` columns, broken at blanks only; no character of ``text`` but those blanks is
    lost.
    """
    lines: list[str] = []
    for paragraph in visible(text).split("\n"):
        rest, prefix = paragraph, indent
        while True:
            cut = _break_at(rest, width - columns(prefix))
            if cut is None:
                lines.append(f"{prefix}{rest}" if rest else "")
                break
            lines.append(prefix + rest[:cut].rstrip(" "))
            rest = rest[cut:].lstrip(" ")
            prefix = indent + hanging if hanging is not None else indent
    return lines


def visible(text: str) -> str:
    """Text that a terminal shows and does not obey: control characters are written as escapes."""
    return "".join(
        char if char == "\n" or unicodedata.category(char) != "Cc" else char.encode("unicode_escape").decode()
        for char in text.replace("\r\n", "\n")
    )


def columns(text: str) -> int:
    """Terminal columns ``text`` takes."""
    return len(text) if text.isascii() else sum(_char_columns(char) for char in text)


def _char_columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _break_at(text: str, room: int) -> int | None:
    """Where to break ``text``: after the last blank within ``room``, else the first one; ``None`` to leave it
    whole.
    """
    if columns(text) <= room:
        return None
    used, best = 0, None
    for index, char in enumerate(text):
        if char == " " and text[:index].strip(" "):
            if used > room and best is not None:
                break
            best = index
            if used > room:
                break
        used += _char_columns(char)
    return best if best is not None and text[best:].strip(" ") else None


def _page(*sections: Iterable[str]) -> str:
    blocks = ["\n".join(section) for section in sections]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _table(title: str, rows: Rows, width: int) -> list[str]:
    if not rows:
        return []
    left = min(max(columns(label) for label, _ in rows), 26, max(width // 3, 8))
    lines = [f"{title}:"]
    for label, text in rows:
        body = wrap(text, max(width - left - 4, 12))
        if columns(label) > left:
            lines.append(f"  {label}")
        else:
            lines.append(f"  {label}{' ' * (left - columns(label))}  {body.pop(0)}".rstrip(" "))
        lines += [f"{' ' * (left + 4)}{line}".rstrip(" ") for line in body]
    return lines


def _field_row(param: FieldParam) -> tuple[str, str]:
    facts = [fact for fact in ("required" if param.required else "", param.limits) if fact]
    if param.positional:
        label = param.metavar + ("..." if param.many else "")
        facts += [f"also {param.flag}"] if param.flags else []
    else:
        on = (
            param.flag.replace("--", "--[no-]", 1)
            if param.off_flag == f"--no-{param.flag[2:]}"
            else "/".join(name for name in (param.flag, param.off_flag) if name)
        )
        label = ", ".join([*param.flags[:-1], on]) + ("" if param.is_switch else f" {param.metavar}")
        facts += ["repeatable"] if param.many else []
    text = f"{param.help} " if param.help and not param.help.endswith("\n") else param.help
    return label, f"{text}[{'; '.join(facts)}]" if facts else param.help


def _builtin_rows(options: Sequence[BuiltinOption]) -> list[tuple[str, str]]:
    return [
        (", ".join(option.flags) + (f" {option.metavar}" if option.metavar else ""), option.help)
        for option in options
    ]


def _examples(command: ActionCommand, width: int) -> list[str]:
    if not command.examples:
        return []
    lines = ["Examples:"]
    for example in command.examples:
        ends = f" (ends with {example.error})" if example.error else ""
        lines += [line for part in f"{example.title}{ends}".split("\n") for line in wrap(part, width, "  # ")]
        lines += _command_lines(example.line, width)
    return lines


def _command_lines(line: str, width: int) -> list[str]:
    """A command that a shell reads as it stands, broken between its words where it is too long."""
    if columns(line) + 2 <= width or "\n" in line:
        return [f"  {line}"]
    lines = ["  "]
    for word in (shlex.quote(word) for word in shlex.split(line)):
        if lines[-1].strip() and columns(f"{lines[-1]} {word} \\") > width:
            lines[-1] += " \\"
            lines.append("     ")
        lines[-1] += f" {word}" if lines[-1].strip() or len(lines) > 1 else word
    return lines


def _exit_codes(width: int) -> list[str]:
    """No code is torn from its word at the end of a line."""
    lines = ["Exit codes:"]
    for code, words in EXIT_WORDS.items():
        part = f" {code.value} {words}" + ("." if code is Exit.INTERRUPTED else ",")
        if len(lines[-1]) + len(part) > width:
            lines.append(" ")
        lines[-1] += part
    return lines


def _facts(command: ActionCommand, width: int) -> list[str]:
    aliases = f" Also called: {', '.join(command.aliases)}." if command.aliases else ""
    return wrap(
        f"Effect: {command.effect}. Works on: {command.scope}.{aliases} The same action: "
        f"`ade actions run {command.action}`, tool `{command.tool}`. Global options: `ade --help`.",
        width,
    )
