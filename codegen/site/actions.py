"""What stands on the page of one action and of one domain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from codegen import ir
from codegen.deprecation import of_action
from codegen.emitters.cli import exit_code
from codegen.emitters.docs import description, facts, input_field, paragraphs, rows
from codegen.emitters.samples import usage
from codegen.jsonschema_export import rule_sentence
from codegen.site.catalogues import access_of
from codegen.site.transcripts import Refusal, transcripts

_INLINE = MarkdownIt("commonmark", {"html": False})


def action_values(
    domain: ir.Domain, action: ir.Action, specs: ir.Specs, refusal: Refusal | None
) -> dict[str, Any]:
    """Everything about an action, in the order it is shown."""
    notice = of_action(action, specs, by="id")
    return {
        "domain": domain,
        "action": action,
        "command": f"ade {domain.group} {action.command}",
        "usage": usage(domain, action),
        "notice": notice,
        "paragraphs": paragraphs(action.description),
        "facts": [
            (label, Markup(_INLINE.renderInline(value)))
            for label, value in facts(action, specs)
            if label not in ("Deprecated", "Effect")
        ],
        "access": access_of(action, specs),
        "fields": [
            {**input_field(field, specs), "deprecated": field.deprecated is not None}
            for field in action.fields
            if not field.cli.hidden
        ],
        "rules": [rule_sentence(rule) for rule in action.rules],
        "output": [{**row, "depth": row["path"].count(".")} for row in rows(action.output, specs, "", 0)],
        "answer": description(action.output, specs),
        "errors": [
            {"code": code, "exit": exit_code(specs.errors[code]), "summary": specs.errors[code].summary}
            for code in action.errors
        ],
        "transcripts": transcripts(domain, action, specs, refusal),
    }


def contents(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The headings of an action's page with their anchors."""
    yield "roles", "Who may call it"
    yield "try", "Try it"
    if values["fields"]:
        yield "input", "Input"
    yield "output", "Output"
    if values["errors"]:
        yield "errors", "Errors"
