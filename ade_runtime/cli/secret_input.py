"""Secrets on a command line: their text never stands on it, only where to read it.

``--value @FILE`` and ``--value -`` name a file and standard input; without the option the caller's own process asks
on its terminal, or reads standard input where there is none.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ade_runtime.cli.outcomes import LineState, UsageProblem
from ade_runtime.cli.params import FieldParam
from ade_runtime.contracts import JsonObject

ASKED = "secret:"
"""Begins the source of a text that the caller's process asks for; the field's name follows."""


def read_secrets(
    fields: Sequence[FieldParam],
    values: JsonObject,
    base: JsonObject,
    state: LineState,
    where: str,
    *,
    ask: bool,
) -> dict[str, str]:
    """Put the texts of secret fields into ``values``; gives the source of each that has to be read first.

    ``values`` holds what options gave, for a secret field the word behind its flag, and ``base`` what a document gave. With
    ``ask`` a required one that nothing gives is asked for.
    """
    needed: dict[str, str] = {}
    for param in fields:
        word = values.get(param.field)
        if not param.secret or param.field in base or (word is None and not (ask and param.required)):
            continue
        source = ASKED + param.field if word is None else _source(str(word), param, state, where)
        text = state.texts.get(source)
        if text is None:
            needed[param.field] = source
        else:
            values[param.field] = _one_line_off(text)
    if sum(source == "-" or source.startswith(ASKED) for source in needed.values()) > 1:
        raise UsageProblem(
            f"{where} needs more than one secret.", hint="Name a file for each: --field @FILE."
        )
    return needed


def refuse_on_line(fields: Iterable[FieldParam], given: Iterable[str], way: str) -> None:
    """Refuse a secret that ``way`` holds on the line itself, without repeating it."""
    secret = {param.field: param for param in fields if param.secret}
    for name in given:
        param = secret.get(name)
        if param is not None:
            raise _on_line(f"{way} gives {name} on the command line", param)


def refuse_in_document(fields: Iterable[FieldParam], source: object, document: Mapping[str, Any]) -> None:
    """Refuse an input document that stands on the line itself and holds a secret."""
    if isinstance(source, str) and source != "-" and not source.startswith("@"):
        refuse_on_line(fields, document, "--input-json")


def _source(word: str, param: FieldParam, state: LineState, where: str) -> str:
    if word in ("-", "@-"):
        return "-"
    if word.startswith("@") and len(word) > 1:
        return posixpath.normpath(posixpath.join(state.cwd, word[1:]))
    raise _on_line(f"{where} was given {param.field} on the command line", param)


def _on_line(message: str, param: FieldParam) -> UsageProblem:
    return UsageProblem(
        f"{message}, where every process of this machine can read it.",
        hint=f"Write {param.flag} @FILE or {param.flag} - for standard input, or leave it out to be asked. "
        "What was typed is in your shell's history: change it.",
        details={"problems": [{"path": param.field, "message": "is never on a command line"}]},
    )


def _one_line_off(text: str) -> str:
    """The text without the one line end that editors and echo put behind it."""
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
