"""One of ADE's own skills: a head with what it is for and which domains it is about, then the prose."""

from __future__ import annotations

import re
from pathlib import Path

from ade_runtime.strict_yaml.places import Span
from ade_runtime.strict_yaml.reader import Mapping, Scalar, Sequence, read, refuse_characters
from codegen import ir
from codegen.diagnostics import Sink
from codegen.text import SpecText

LONGEST_DESCRIPTION = 1024
"""As the Agent Skills format has it."""
_HEAD = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_KEYS = ("description", "domains")


def skill_text(file: str, text: str, sink: Sink) -> ir.SkillText | None:
    """The skill, or ``None`` after reporting what is wrong with its head."""
    before = len(sink.items)
    name, here = Path(file).stem, Span(file, 1, 1)
    if not _NAME.fullmatch(name) or len(name) > 64:
        sink.add(
            here, "bad-name", f"{name} is no name of a skill", "write small letters, digits and single dashes"
        )
    found = _HEAD.match(text)
    if found is None:
        help_text = "begin with ---, then description: and domains:, then ---"
        sink.add(here, "missing-key", "the skill has no head", help_text)
        return None
    head = read("\n" + found[1], file, sink)
    body = text[found.end() :]
    refuse_characters("\n" * found[0].count("\n") + body, file, sink)
    if head is None:
        return None
    for key in head.entries:
        if key not in _KEYS:
            sink.add(
                head.key_span(key), "unknown-key", f"a skill has no {key}", "it has description and domains"
            )
    description = _description(head, here, sink)
    domains = _domains(head, here, sink)
    if len(sink.items) > before:
        return None
    return ir.SkillText(
        name=name,
        file=file,
        span=here,
        description=SpecText(description),
        domains=domains,
        text=SpecText(body),
        line=found[0].count("\n") + 1,
    )


def _description(head: Mapping, here: Span, sink: Sink) -> str:
    node = head.get("description")
    if not isinstance(node, Scalar) or not isinstance(node.value, str) or not node.value.strip():
        sink.add(
            here if node is None else node.span,
            "missing-key",
            "a skill needs a description",
            "say when to use it",
        )
        return ""
    if len(node.value) > LONGEST_DESCRIPTION:
        message = f"the description has {len(node.value)} characters, and {LONGEST_DESCRIPTION} is the most"
        sink.add(node.span, "too-long", message, "say less")
    return node.value.strip()


def _domains(head: Mapping, here: Span, sink: Sink) -> tuple[str, ...]:
    node = head.get("domains")
    items = node.items if isinstance(node, Sequence) else ()
    names = tuple(str(item.value) for item in items if isinstance(item, Scalar))
    if not names or len(names) != len(items):
        span = here if node is None else node.span
        sink.add(
            span, "wrong-type", "domains is no list of names", "name the domains that the skill is about"
        )
    return names
