"""What agents read: every prose file of ``specs/guidance`` with its slots filled from the specs, one body
for all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from ade_runtime.cli.help import EXIT_WORDS
from codegen import ir
from codegen.diagnostics import Sink, SpecErrors
from codegen.emitters.named_commands import check_named_commands
from codegen.plan import PlannedFile

BODY = "body"
MAX_TOKENS = 600
_FOLDER = PurePosixPath("ade_generated/guidance")
_SLOT = re.compile(r"\{\{([^{}]*)\}\}")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """One Markdown file for each frame; ``body`` itself only appears inside the others."""
    if not specs.guidance:
        return
    sink = Sink()
    check_named_commands(specs, sink)
    slots = _slots(specs)
    files = []
    for guidance in specs.guidance:
        text = _fill(guidance, slots, sink)
        if guidance.name != BODY:
            _check_length(guidance, text, sink)
            files.append(
                PlannedFile(
                    _FOLDER / f"{guidance.name}.md", text, (guidance.file, f"specs/guidance/{BODY}.md")
                )
            )
    if sink.items:
        raise SpecErrors(sink.items, {guidance.file: guidance.text.raw for guidance in specs.guidance})
    yield from files


def tokens(text: str) -> int:
    """A cautious estimate of a model's tokens: four characters or 0.7 words each, whichever gives more."""
    return max(math.ceil(len(text) / 4), math.ceil(len(text.split()) * 1.4))


def _slots(specs: ir.Specs) -> dict[str, str]:
    codes = ", ".join(f"{code.value} {words}" for code, words in EXIT_WORDS.items())
    slots = {"groups": ", ".join(domain.group for domain in specs.domains), "exit_codes": codes}
    for name in specs.toolsets:
        slots[f"tools {name}"] = "\n".join(
            f"- `{action.tool}`: {action.summary.one_line()}"
            for action in specs.actions
            if action.toolset == name
        )
    body = next((guidance.text.raw for guidance in specs.guidance if guidance.name == BODY), None)
    if body is not None:
        slots[BODY] = _SLOT.sub(lambda match: slots.get(match[1], match[0]), body).rstrip("\n")
    return slots


def _fill(guidance: ir.GuidanceText, slots: dict[str, str], sink: Sink) -> str:
    text = guidance.text.raw

    def put(match: re.Match[str]) -> str:
        if match[1] not in slots:
            before = text[: match.start()]
            span = ir.Span(guidance.file, before.count("\n") + 1, match.start() - before.rfind("\n"))
            plain = ", ".join(sorted(slot for slot in slots if " " not in slot))
            help_text = f"the slots are {plain}, and tools with the name of a toolset"
            sink.add(span, "bad-slot", f"there is no slot {match[0]}", help_text)
        return slots.get(match[1], "")

    return _SLOT.sub(put, text)


def _check_length(guidance: ir.GuidanceText, text: str, sink: Sink) -> None:
    count = tokens(text)
    if count > MAX_TOKENS:
        span = ir.Span(guidance.file, 1, 1)
        message = f"the text takes about {count} tokens, and {MAX_TOKENS} is the most"
        sink.add(span, "too-long", message, "say less: an agent pays for every word in every session")
