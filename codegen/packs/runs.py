"""``run:`` of an action: the program that performs it, as a list of words. No shell ever reads them."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ade_runtime.client.environment import CALLER_NAMES
from ade_runtime.strict_yaml.reader import Node, Scalar, Sequence
from codegen import ir
from codegen.diagnostics import Sink
from codegen.emitters.words import resolve
from codegen.jsonschema_export import json_kind
from codegen.load.nodes import View
from codegen.wording import did_you_mean, quote

KEYS = ("argv", "files", "folder", "environment", "answer", "max_output")
PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
SHELLS = frozenset(
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "ash", "busybox", "pwsh"]
)
RELAYS = frozenset(
    ["ssh", "su", "sudo", "eval", "watch", "script", "xargs", "parallel", "nohup", "env", "time"]
)
"""Programs that hand their words on, to a shell or to a program that is not known here."""

CODE = re.compile(r"-[A-Za-z]*[ceEr]|--(eval|exec|command|execute|print)(=.*)?|/c")
"""Options whose next word many programs read as code."""

TEXT_OUTPUT = {"stdout": "string", "stderr": "string", "exit": "integer", "truncated": "boolean"}
MOST_OUTPUT = 8 * 2**20
USUAL_OUTPUT = 2**20
NEVER = frozenset(["ADE_SESSION_TOKEN"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """``argv`` is a list of items, each a list of words that are left out together where a field they name is absent."""

    argv: tuple[tuple[str, ...], ...]
    files: tuple[str, ...]
    folder: str
    environment: tuple[str, ...]
    answer: str
    max_output: int

    def document(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "argv": [list(item) for item in self.argv],
            "files": list(self.files),
            "folder": self.folder,
            "environment": list(self.environment),
            "answer": self.answer,
            "max_output": self.max_output,
        }


def read_run(view: View, action: ir.Action, specs: ir.Specs, sink: Sink) -> Run | None:
    """The command of an action; ``None`` once something was wrong with it."""
    before = len(sink.items)
    for key in view.node.entries:
        if key not in KEYS:
            message = f"run: has no key {quote(key)}{did_you_mean(key, KEYS)}"
            sink.add(view.node.key_span(key), "unknown-key", message)
    items = _items(view, sink)
    run = Run(
        argv=tuple(tuple(word.value for word in item) for item in items),
        files=view.words("files"),
        folder=view.word("folder", "lane"),
        environment=view.words("environment"),
        answer=view.word("answer", "json"),
        max_output=view.word("max_output", USUAL_OUTPUT),
    )
    if items:
        _program(items[0], run, sink)
        _places(items, action, specs, sink)
        _shells(items, sink)
    _others(view, run, action, specs, sink)
    return run if len(sink.items) == before else None


@dataclass(frozen=True, slots=True)
class Word:
    value: str
    span: ir.Span

    @property
    def fields(self) -> list[str]:
        return PLACE.findall(self.value)


def _items(view: View, sink: Sink) -> list[tuple[Word, ...]]:
    node = view.get("argv")
    if not isinstance(node, Sequence) or not node.items:
        sink.add(view.span, "missing-key", "run: needs argv, a list of words", "argv: [make, deploy]")
        return []
    items = [_item(one, sink) for one in node.items]
    return [item for item in items if item]


def _item(node: Node, sink: Sink) -> tuple[Word, ...]:
    if isinstance(node, Sequence):
        return tuple(word for one in node.items for word in _item(one, sink))
    if isinstance(node, Scalar) and isinstance(node.value, str) and "\0" not in node.value:
        return (Word(node.value, node.span),)
    sink.add(node.span, "wrong-type", "a word of argv is a text", "quote it")
    return ()


def _program(item: tuple[Word, ...], run: Run, sink: Sink) -> None:
    name = item[0].value
    if item[0].fields or name.startswith("-") or not name or len(item) > 1:
        message = "the program is one fixed word that does not begin with a dash"
        sink.add(item[0].span, "bad-name", message, "name a program, such as make")
    elif "/" in name and not name.startswith("/") and name not in run.files:
        message = f"the program {quote(name)} is a file of the project, and files: does not name it"
        sink.add(
            item[0].span,
            "unknown-field",
            message,
            f"add files: [{name}]; its content is trusted with the pack",
        )


def _places(items: list[tuple[Word, ...]], action: ir.Action, specs: ir.Specs, sink: Sink) -> None:
    fields = {field.name: resolve(field.schema, specs) for field in action.fields}
    for word in (word for item in items for word in item):
        for name in word.fields:
            if name not in fields:
                message = f"{action.id} has no field {quote(name)}{did_you_mean(name, fields)}"
                sink.add(word.span, "unknown-field", message, "name a field of its input")
            elif isinstance(fields[name], ir.ArraySchema) and word.value != f"{{{name}}}":
                message = f"the list {quote(name)} becomes several words"
                sink.add(word.span, "bad-slot", message, f"let {{{name}}} be a word of its own")


def _shells(items: list[tuple[Word, ...]], sink: Sink) -> None:
    """No text of a caller stands where a shell or an interpreter reads code."""
    words = [word for item in items for word in item]
    program = PurePosixPath(words[0].value).name
    for before, word in itertools.pairwise(words):
        code = CODE.fullmatch(before.value) and (
            program in SHELLS or len(before.value) == 2 or before.value[1] == "-"
        )
        if word.fields and code:
            message = f"{quote(before.value)} reads the next word as code"
            sink.add(
                word.span,
                "bad-slot",
                message,
                'give it fixed code, and {field} as a later word ("$1" of a shell)',
            )
    if program in RELAYS and any(word.fields for word in words):
        message = f"{program} hands its words on, where they may be read as code"
        sink.add(
            words[0].span,
            "bad-slot",
            message,
            "run the program itself, or a script of the project named in files:",
        )


def _others(view: View, run: Run, action: ir.Action, specs: ir.Specs, sink: Sink) -> None:
    def refuse(key: str, message: str, step: str) -> None:
        node = view.raw(key)
        sink.add(view.span if node is None else node.span, "bad-name", message, step)

    if run.folder not in ("lane", "project"):
        refuse("folder", "folder: is lane or project", "leave it out for the lane")
    if run.answer not in ("json", "text"):
        refuse("answer", "answer: is json or text", "leave it out for json")
    if type(run.max_output) is not int or not 1 <= run.max_output <= MOST_OUTPUT:
        refuse(
            "max_output", f"max_output: is a number of bytes, 1 to {MOST_OUTPUT}", "leave it out for 1 MiB"
        )
    for name in run.files:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or name.startswith("-"):
            refuse(
                "files",
                f"{quote(name)} is no plain path inside the project",
                "write it from the project's root",
            )
    for name in run.environment:
        if name in NEVER or not (name in CALLER_NAMES or name.startswith(("LC_", "XDG_", "ADE_"))):
            message = f"the variable {quote(name)} is not passed on to commands"
            refuse("environment", message, "leave it out, or have the command read a file")
    if run.answer == "text":
        _text_output(view, action, specs, sink)


def _text_output(view: View, action: ir.Action, specs: ir.Specs, sink: Sink) -> None:
    target = resolve(action.output, specs)
    kinds = {name: json_kind(resolve(one, specs)) for name, one in getattr(target, "properties", {}).items()}
    if not kinds or any(TEXT_OUTPUT.get(name) != kind for name, kind in kinds.items()):
        named = ", ".join(f"{name}: {kind}" for name, kind in TEXT_OUTPUT.items())
        message = f"with answer: text the output is an object of some of {named}"
        node = view.raw("answer")
        sink.add(
            view.span if node is None else node.span,
            "schema-root",
            message,
            "or print JSON, with answer: json",
        )
