"""Commands named in prose: every ``ade …`` an author writes must exist, or a reader would be sent nowhere.

A command is named in a code span (between backticks) that begins with ``ade``. Words in capitals and
``{slots}`` stand for whatever a reader puts there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

from ade_runtime.cli.globals import ACTION_OPTIONS, GLOBAL_OPTIONS, BuiltinOption
from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from codegen import ir, memo
from codegen.diagnostics import Sink, did_you_mean
from codegen.emitters.samples import off_flag
from codegen.text import SpecText
from codegen.walking import field_names

_OF_ACTIONS = (*GLOBAL_OPTIONS, *ACTION_OPTIONS)
_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_NAME = re.compile(r"[a-z]+(?:[_.][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+")
_PROSE = ("specs/guidance/", "specs/skills/")
_STANDS_FOR_ANY = re.compile(r"[A-Z][A-Z0-9_./=-]*(?:\.\.\.)?|.*[{<].*|…|\.\.\.")


def check_named_commands(specs: ir.Specs, sink: Sink, skills: tuple[ir.SkillText, ...] | None = None) -> None:
    """Report every command, option, action or tool that is named in a text of the specs and cannot be called.

    Texts are all but the skills, or only the given ``skills``.
    """
    commands, names = CommandNames(specs), _names(specs)
    for span, named in _spans(_parts(specs) if skills is None else skills):
        problem, help_text = commands.problem(named.split())
        if not problem and span.file.startswith(_PROSE) and _NAME.fullmatch(named) and named not in names:
            problem = f"there is no action, tool, field or error {named}"
            help_text = did_you_mean(named, sorted(names))
        if problem:
            sink.add(span, "unknown-command", problem, help_text)


def _parts(specs: ir.Specs) -> Iterator[Any]:
    """All but the skills, one by one."""
    for name in field_names(ir.Specs) or ():
        table = getattr(specs, name)
        if name not in ("skills", "keys", "sources") and isinstance(table, Mapping | tuple):
            yield from table.values() if isinstance(table, Mapping) else table


def _spans(parts: Iterable[Any]) -> Iterator[tuple[ir.Span, str]]:
    """What stands between backticks in the texts of parts of the model, with its place."""
    for part in parts:
        yield from memo.of(_spans, part, partial(_spans_of, part))


def _spans_of(part: Any) -> list[tuple[ir.Span, str]]:
    return list(_found(part))


def _found(part: Any) -> Iterator[tuple[ir.Span, str]]:
    for span, text in _texts(part, ir.Span("specs", 1, 1)):
        if "`" in text.raw:
            for match in _SPAN.finditer(text.raw):
                yield _inside(span, text.raw, match.start()), match[2]


class CommandNames:
    """What can be said on the command line: groups, commands, and the options of each."""

    def __init__(self, specs: ir.Specs) -> None:
        self.groups = {
            name: {
                spelling: flags
                for action in domain.actions
                for flags in [memo.of(_flags, action, partial(_flags, action))]
                for spelling in (action.command, *action.aliases)
            }
            for domain in specs.domains
            for name in (domain.group, *domain.group_aliases, *domain.within)
        }
        self.own_names = {
            name: domain.group for domain in specs.domains for name in (domain.group, *domain.group_aliases)
        }

    def problem(self, words: list[str]) -> tuple[str, str]:
        """What is wrong with a command line, and what to write instead; empty texts when nothing is."""
        if not words or words[0] not in ("ade", "$ade"):
            return "", ""
        rest = [word for word in words[1:] if word]
        if rest and rest[0].startswith("-"):
            return self._unknown_flag(rest, _builtin(GLOBAL_OPTIONS))
        if not rest or _STANDS_FOR_ANY.fullmatch(rest[0]) or rest[0] == "help":
            return "", ""
        if rest[0] in LOCAL_COMMANDS or " ".join(rest[:2]) in LOCAL_COMMANDS:
            return "", ""
        rest = self._inner(rest)
        group = self.groups.get(rest[0])
        if group is None:
            names = [*self.groups, *LOCAL_COMMANDS]
            return f"there is no command `ade {rest[0]}`", did_you_mean(rest[0], names)
        if len(rest) == 1 or _STANDS_FOR_ANY.fullmatch(rest[1]):
            return "", ""
        if rest[1].startswith("-"):
            return self._unknown_flag(rest[1:], _builtin(GLOBAL_OPTIONS))
        if rest[1] not in group:
            return f"there is no command `ade {rest[0]} {rest[1]}`", did_you_mean(rest[1], list(group))
        return self._unknown_flag(rest[2:], group[rest[1]])

    def _inner(self, rest: list[str]) -> list[str]:
        """The words with a group that stands inside another as one of them."""
        name = " ".join([self.own_names.get(rest[0], rest[0]), *rest[1:2]])
        return [name, *rest[2:]] if name in self.groups else rest

    def _unknown_flag(self, words: list[str], flags: frozenset[str]) -> tuple[str, str]:
        for word in words:
            if word == "--":
                break
            name = word.partition("=")[0]
            if name.startswith("-") and len(name) > 1 and not name[1].isdigit() and name not in flags:
                return f"that command has no option {name}", did_you_mean(name, sorted(flags))
        return "", ""


def _names(specs: ir.Specs) -> frozenset[str]:
    """What a name with ``_``, ``.`` or a capital in a text for agents can mean."""
    found = {name for action in specs.actions for name in (action.id, action.tool)} | set(specs.errors)
    found |= {field.name for action in specs.actions for field in action.fields}
    return frozenset(found)


def _flags(action: ir.Action) -> frozenset[str]:
    own = {field.cli.flag for field in action.fields} | {
        field.cli.short for field in action.fields if field.cli.short
    }
    own |= {off_flag(field) for field in action.fields}
    return frozenset(own) | _builtin(_OF_ACTIONS)


@cache
def _builtin(options: tuple[BuiltinOption, ...]) -> frozenset[str]:
    return frozenset(flag for option in options for flag in option.flags)


def _texts(node: Any, span: ir.Span) -> Iterator[tuple[ir.Span, SpecText]]:
    """Every text of the model with the nearest place it is known to stand at."""
    if node is None or isinstance(node, str | int | float):
        return
    if isinstance(node, SpecText):
        yield span, node
    elif isinstance(node, ir.GuidanceText):
        yield ir.Span(node.file, 1, 1), node.text
    elif isinstance(node, ir.SkillText):
        yield ir.Span(node.file, node.line, 1), node.text
    elif isinstance(node, Mapping):
        for value in node.values():
            yield from _texts(value, span)
    elif isinstance(node, tuple | list):
        for value in node:
            yield from _texts(value, span)
    elif not isinstance(node, ir.Span) and (names := field_names(type(node))) is not None:
        here = getattr(node, "span", span)
        for name in names:
            yield from _texts(getattr(node, name), here)


def _inside(span: ir.Span, text: str, offset: int) -> ir.Span:
    """The exact place inside a file of prose, whose text begins at ``span``; else where the text's owner stands."""
    if not span.file.startswith(_PROSE):
        return span
    before = text[:offset]
    return ir.Span(span.file, span.line + before.count("\n"), offset - (before.rfind("\n") + 1) + 1)
