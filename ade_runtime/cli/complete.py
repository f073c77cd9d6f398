"""Shell completion: from the words of a line to what may stand at its end.

Names, flags and enum values come from the generated commands. Live ids come from an action that the caller's
own pipeline performs: :func:`complete` only says which (:class:`LiveRequest`), so completion sees exactly
what the caller may see.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ade_runtime.cli.catalog import Catalog, CompleterInfo, GroupInfo, default_catalog
from ade_runtime.cli.commands import ActionCommand, RunCommand
from ade_runtime.cli.globals import ACTION_OPTIONS, GLOBAL_OPTIONS, BuiltinOption, flag_table
from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from ade_runtime.cli.params import FieldParam
from ade_runtime.cli.tokens import Flag

Files = Literal["none", "files", "dirs"]
SHELLS = ("bash", "zsh", "fish")
MAX_CANDIDATES = 500


@dataclass(frozen=True, slots=True)
class Candidate:
    """One word that fits, whole, and one line about it."""

    value: str
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRequest:
    """A read to perform: call ``completer.action`` with ``completer.input``, in ``project`` where the
    line names one.
    """

    completer: CompleterInfo
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What fits at the end of a line.

    ``lead`` is what stands before the value inside the last word (``--lane=``); ``prefix`` the part of the
    value typed so far. ``files`` tells the shell to offer paths itself.
    """

    candidates: tuple[Candidate, ...] = ()
    live: LiveRequest | None = None
    files: Files = "none"
    lead: str = ""
    prefix: str = ""


@dataclass(slots=True)
class _Line:
    """The words before the last one, as far as they say what may follow."""

    catalog: Catalog
    group: GroupInfo | None = None
    command: ActionCommand | None = None
    words: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    waiting: str | None = None
    closed: bool = False
    local: bool = False
    project: str | None = None

    @property
    def flags(self) -> Mapping[str, Flag]:
        return self.command.flags if self.command else flag_table(GLOBAL_OPTIONS)


def shell_words(shell: str, words: Sequence[str]) -> list[str]:
    """The words a completion script handed over, as the program would get them. Nothing in them is
    expanded.
    """
    return [_unquote(word) for word in words] if shell == "bash" else list(words)


def complete(words: Sequence[str], *, catalog: Catalog | None = None) -> Completion:
    """What may stand in place of the last of ``words`` (which is empty after a blank); ``ade`` itself is
    not among them.
    """
    joined = _join_split_values(words)
    line = _read_line(joined[:-1], catalog or default_catalog())
    last = joined[-1] if joined else ""
    if line.local:
        return Completion(files="files", prefix=last)
    if line.waiting is not None:
        return _value(line, line.waiting, lead="", prefix=last)
    if not line.closed and last.startswith("--") and "=" in last:
        flag, _, prefix = last.partition("=")
        return _value(line, flag, lead=f"{flag}=", prefix=prefix)
    if not line.closed and last.startswith("-"):
        return Completion(candidates=_fitting(_flags(line), last), prefix=last)
    return _word(line, last)


def live_candidates(completion: Completion, document: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """The candidates in the output of the action that :attr:`Completion.live` asked for."""
    if completion.live is None:
        return ()
    completer = completion.live.completer
    items = _at(document, completer.items)
    found = []
    for item in items if isinstance(items, list) else []:
        value, text = _at(item, completer.value), _at(item, completer.help) if completer.help else None
        if isinstance(value, str):
            found.append(Candidate(value, text if isinstance(text, str) else ""))
    return _fitting(found, completion.prefix)


def render(completion: Completion, candidates: Iterable[Candidate], shell: str) -> str:
    """What the completion scripts read: a line ``none``, ``files`` or ``dirs``, then ``value<TAB>help``
    lines.

    Bash replaces only what follows the last ``=`` or ``:`` of a word, so there the rest is left out.
    """
    lines: list[str] = [completion.files]
    for one in candidates:
        value = completion.lead + one.value
        if shell == "bash":
            typed = completion.lead + completion.prefix
            value = value[max(typed.rfind("="), typed.rfind(":")) + 1 :]
        if not any(unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") for char in value):
            lines.append(f"{value}\t{_one_line(one.help)}")
    return "\n".join(lines) + "\n"


def _unquote(word: str) -> str:
    """What bash would make of quotes and backslashes; an unfinished quote ends with the word."""
    out, quote, rest = "", "", iter(word)
    for char in rest:
        if char == "\\" and quote != "'":
            out += next(rest, "")
        elif quote:
            quote, out = ("", out) if char == quote else (quote, out + char)
        elif char in "'\"":
            quote = char
        else:
            out += char
    return out


def _join_split_values(words: Sequence[str]) -> list[str]:
    """Bash hands ``--lane=x`` over as three words; put them together again."""
    out: list[str] = []
    for word in words:
        if out and word == "=" and out[-1].startswith("--") and "=" not in out[-1]:
            out[-1] += "="
        elif out and out[-1].startswith("--") and out[-1].endswith("=") and out[-1].count("=") == 1:
            out[-1] += word
        else:
            out.append(word)
    return out


def _read_line(words: Sequence[str], catalog: Catalog) -> _Line:
    line = _Line(catalog)
    for word in words:
        if line.local:
            break
        if line.waiting is not None:
            if line.flags[line.waiting].canonical == "--project":
                line.project = word
            line.waiting = None
        elif word == "--" and not line.closed:
            line.closed = True
        elif word.startswith("-") and word != "-" and not line.closed:
            _note_option(line, word)
        else:
            _note_word(line, word)
    return line


def _note_option(line: _Line, word: str) -> None:
    name, equals, value = word.partition("=")
    flag = line.flags.get(name)
    if flag is None:
        return
    line.used.add(flag.canonical)
    if flag.takes_value and not equals:
        line.waiting = name
    elif flag.canonical == "--project":
        line.project = value


def _note_word(line: _Line, word: str) -> None:
    if line.command is not None:
        line.words.append(word)
    elif line.group is not None:
        inner = line.catalog.inner(line.group, word)
        if inner is not None:
            line.group = inner
            return
        found = line.catalog.find(line.group, word)
        line.command = line.catalog.command(line.group, found) if found else None
        line.local = found is None
    else:
        line.group = line.catalog.group(word)
        line.local = line.group is None and word != "help"


def _word(line: _Line, last: str) -> Completion:
    if line.command is not None:
        return _positional(line, line.command, last)
    if line.group is not None:
        names = [Candidate(info.name, info.summary) for info in line.group.commands]
        names += [Candidate(name, one.summary) for name, one in line.catalog.inside(line.group)]
        return Completion(candidates=_fitting(names, last), prefix=last)
    names = [Candidate(group.name, group.summary) for group in line.catalog.groups]
    names += [Candidate(name, text) for name, text in LOCAL_COMMANDS.items() if " " not in name]
    names = _fitting_list(names, last) or [
        Candidate(alias, group.summary) for group in line.catalog.groups for alias in group.aliases
    ]
    return Completion(candidates=_fitting(names, last), prefix=last)


def _positional(line: _Line, command: ActionCommand, last: str) -> Completion:
    slots = [param for param in command.fields if param.positional and param.flag not in line.used]
    index = len(line.words)
    if index >= len(slots) and slots and slots[-1].many:
        index = len(slots) - 1
    if index >= len(slots):
        flags = () if line.closed else _fitting(_flags(line), last)
        return Completion(candidates=flags, prefix=last)
    if isinstance(command, RunCommand) and slots[index].field == "action":
        return Completion(candidates=_fitting(_action_ids(line.catalog), last), prefix=last)
    return _field_value(line, slots[index], lead="", prefix=last)


def _value(line: _Line, spelling: str, *, lead: str, prefix: str) -> Completion:
    flag = line.flags.get(spelling)
    command = line.command
    if flag is None or not flag.takes_value:
        return Completion(lead=lead, prefix=prefix)
    param = next((one for one in command.fields if one.flag == flag.canonical), None) if command else None
    if param is not None:
        return _field_value(line, param, lead=lead, prefix=prefix)
    return _builtin_value(line, flag.canonical, lead=lead, prefix=prefix)


def _field_value(line: _Line, param: FieldParam, *, lead: str, prefix: str) -> Completion:
    words = param.choices or (("true", "false") if param.kind == "boolean" else ())
    completer = line.catalog.completers.get(param.complete) if param.complete else None
    live = LiveRequest(completer=completer, project=line.project) if completer else None
    paths = param.kind == "text" and not words and not live and "path" in param.field.lower()
    return Completion(
        candidates=_fitting([Candidate(word) for word in words], prefix),
        live=live,
        files="files" if paths else "none",
        lead=lead,
        prefix=prefix,
    )


def _builtin_value(line: _Line, flag: str, *, lead: str, prefix: str) -> Completion:
    names: list[Candidate] = []
    if flag in ("--arg", "--arg-json"):
        names = [Candidate(f"{param.field}=", _one_line(param.help)) for param in _argument_fields(line)]
    completer = line.catalog.completers.get("projects") if flag == "--project" else None
    return Completion(
        candidates=_fitting(names, prefix),
        live=LiveRequest(completer=completer) if completer else None,
        files={"--project": "dirs", "--socket": "files"}.get(flag, "none"),  # type: ignore[arg-type]
        lead=lead,
        prefix=prefix,
    )


def _argument_fields(line: _Line) -> tuple[FieldParam, ...]:
    """The fields --arg can name; for ``actions run`` those of the action named before."""
    if isinstance(line.command, RunCommand):
        found = line.catalog.action(line.words[0]) if line.words else None
        return line.catalog.command(*found).fields if found else ()
    return line.command.fields if line.command else ()


def _flags(line: _Line) -> list[Candidate]:
    """Flags that can still be given: those of the action first, then the shared ones."""
    out = []
    for param in line.command.fields if line.command else ():
        if param.hidden or not param.flags or (param.flag in line.used and not param.many):
            continue
        out.append(Candidate(param.flag, param.help))
        if param.off_flag and param.off_flag not in line.used:
            out.append(Candidate(param.off_flag, param.help))
    shared: tuple[BuiltinOption, ...] = (*(ACTION_OPTIONS if line.command else ()), *GLOBAL_OPTIONS)
    out += [Candidate(one.flag, one.help) for one in shared if one.repeats or one.flag not in line.used]
    return out


def _action_ids(catalog: Catalog) -> list[Candidate]:
    return [Candidate(info.action, info.summary) for group in catalog.groups for info in group.commands]


def _fitting_list(candidates: Iterable[Candidate], prefix: str) -> list[Candidate]:
    return [one for one in candidates if one.value.startswith(prefix)]


def _fitting(candidates: Iterable[Candidate], prefix: str) -> tuple[Candidate, ...]:
    return tuple(_fitting_list(candidates, prefix)[:MAX_CANDIDATES])


def _one_line(text: str) -> str:
    plain = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cf") else char for char in text)
    return " ".join(plain.split())[:120]


def _at(value: Any, path: str) -> Any:
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
