"""ADE's own skills: ``SKILL.md`` files in the Agent Skills format, each made only where all that it is about exists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from ade_runtime.cli.help import EXIT_WORDS
from codegen import ir
from codegen.diagnostics import Sink, SpecErrors
from codegen.emitters.named_commands import check_named_commands
from codegen.emitters.samples import usage
from codegen.plan import PlannedFile

FOLDER = PurePosixPath("ade_generated/skills")
MARK = "generated-by: ade"
"""In the head of each, so that a copy in somebody's folder is known as ADE's."""
_SLOT = re.compile(r"\{\{([^{}]*)\}\}")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """``<name>/SKILL.md`` for each skill whose domains exist."""
    names = {domain.name for domain in specs.domains}
    skills = tuple(skill for skill in specs.skills if names.issuperset(skill.domains))
    sink = Sink()
    check_named_commands(specs, sink, skills)
    files = [_file(skill, specs, sink) for skill in skills]
    if sink.items:
        texts = {skill.file: "\n" * (skill.line - 1) + skill.text.raw for skill in skills}
        raise SpecErrors(sink.items, texts)
    yield from files


def _file(skill: ir.SkillText, specs: ir.Specs, sink: Sink) -> PlannedFile:
    head = {"name": skill.name, "description": skill.description.one_line()}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    source = f"<!-- Made from {skill.file}; do not edit. -->"
    content = "\n".join(["---", *lines, "metadata:", f"  {MARK}", "---", "", source, "", ""])
    content += _fill(skill, specs, sink).strip("\n") + "\n"
    sources = [skill.file, *(domain.file for domain in specs.domains if domain.name in skill.domains)]
    return PlannedFile(FOLDER / skill.name / "SKILL.md", content, tuple(sorted(sources)))


def _fill(skill: ir.SkillText, specs: ir.Specs, sink: Sink) -> str:
    text = skill.text.raw

    def put(match: re.Match[str]) -> str:
        words = match[1].split()
        if words == ["exit_codes"]:
            return ", ".join(f"{code.value} {meaning}" for code, meaning in EXIT_WORDS.items())
        if words == ["groups"]:
            return ", ".join(domain.group for domain in specs.domains)
        if len(words) == 2 and words[0] == "commands" and words[1] in skill.domains:
            return "\n".join(_commands(words[1], specs))
        before = text[: match.start()]
        column = match.start() - before.rfind("\n")
        span = ir.Span(skill.file, skill.line + before.count("\n"), column)
        help_text = "write exit_codes, groups, or commands and a domain of the head"
        sink.add(span, "bad-slot", f"there is no slot {match[0]}", help_text)
        return ""

    return _SLOT.sub(put, text)


def _commands(name: str, specs: ir.Specs) -> Iterator[str]:
    """One line for each action of a domain."""
    domain = next(domain for domain in specs.domains if domain.name == name)
    for action in domain.actions:
        remarks = [f"needs {', '.join(action.requires)}"] if action.requires else []
        remarks += [action.effect] if action.effect in ("destructive", "secret") else []
        remarks += [f"role {action.min_role} or higher"] if action.min_role not in (None, "agent") else []
        behind = f" ({'; '.join(remarks)})" if remarks else ""
        yield f"- `{usage(domain, action, options=False)}`: {action.summary.one_line()}{behind}"
