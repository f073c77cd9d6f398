"""The reference under ``docs/reference``: an index, a page a domain, errors, environment, and who may
call what.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from ade_runtime.cli.help import EXIT_WORDS
from codegen import cache, ir, memo
from codegen.deprecation import of_action, of_field
from codegen.emitters import run_rules
from codegen.emitters.cli import examples, exit_code
from codegen.emitters.events import rows as event_rows
from codegen.emitters.samples import usage
from codegen.emitters.words import resolve, takes
from codegen.jsonschema_export import rule_sentence
from codegen.naming import module_name
from codegen.narrow import per_domain
from codegen.options import metavar_of
from codegen.plan import PlannedFile
from codegen.templating import render
from codegen.text import SpecText, code_span, markdown, visible

_FOLDER = PurePosixPath("docs/reference")
_DEPTH = 3
_NONE = SpecText("")


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """Every page."""
    for domain in specs.domains:
        path = _FOLDER / "actions" / f"{module_name(domain.name)}.md"
        yield cache.of_domain(path, domain, specs, domain_page)
    files = [domain.file for domain in specs.domains]
    domains = [_index(domain, specs) for domain in specs.domains]
    yield _page(
        "README.md", render("docs/index.md.jinja", domains=domains, runs=bool(specs.run_rules)), *files
    )
    errors = memo.of_all(
        _errors, specs.errors.values(), lambda: render("docs/errors.md.jinja", **_errors(specs))
    )
    yield _page("errors.md", errors, "specs/errors.yaml")
    environment = render("docs/environment.md.jinja", variables=[_variable(one) for one in specs.environment])
    yield _page("environment.md", environment, "specs/environment.yaml")
    yield _page(
        "methods.md", render("docs/methods.md.jinja", methods=_methods(specs)), "specs/methods.yaml", *files
    )
    yield _page("events.md", render("docs/events.md.jinja", events=_events(specs)), *files)
    if specs.run_rules:
        yield _page("runs.md", render("docs/runs.md.jinja", **_runs(specs)), *run_rules.SOURCES)
    sources = ("specs/roles.yaml", "specs/toolsets.yaml", "specs/rate_limits.yaml", *files)
    yield _page("access.md", render("docs/access.md.jinja", **_access(specs)), *sources)


def _runs(specs: ir.Specs) -> dict[str, Any]:
    """Planning begins at the stage that no move leads to."""
    moves = sorted(specs.run_moves.values(), key=lambda move: move.span.line)
    targets = {move.target for move in moves}
    roles: dict[str, list[ir.RunRule]] = {}
    for rule in specs.run_rules.values():
        roles.setdefault(rule.role, []).append(rule)
    first = next(source for move in moves for source in move.sources if source not in targets)
    return {"moves": moves, "first": first, "roles": list(roles.items())}


def fenced(lines: Iterable[str], language: str) -> str:
    """A fenced code block that none of its lines can end."""
    body = "\n".join(lines)
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def anchor(action: str) -> str:
    """The anchor that renderers make of the heading ``lane.create``."""
    return action.replace(".", "")


def seconds(value: float) -> str:
    """A time a person reads: ``500 ms``, ``90 s``, ``10 min``, ``1 h``."""
    for size, unit in ((3600, "h"), (60, "min"), (1, "s")):
        if value >= size and value % size == 0:
            return f"{value / size:g} {unit}"
    return f"{value * 1000:g} ms" if value < 1 else f"{value:g} s"


def _page(name: str, text: str, *sources: str) -> PlannedFile:
    return PlannedFile(_FOLDER / name, _tidy(text), sources)


def domain_page(domain: ir.Domain, specs: ir.Specs) -> str:
    """The page of one domain, as Markdown."""
    return _tidy(render("docs/domain.md.jinja", **_domain(domain, specs)))


def _tidy(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def _domain(domain: ir.Domain, specs: ir.Specs) -> dict[str, Any]:
    return {
        "source": domain.file,
        "title": domain.title,
        "summary": domain.summary,
        "aliases": (*domain.group_aliases, *domain.within),
        "actions": [_action(domain, action, specs) for action in domain.actions],
    }


def _action(domain: ir.Domain, action: ir.Action, specs: ir.Specs) -> dict[str, Any]:
    lines = examples(domain, action, specs, limit=20)
    return {
        "id": action.id,
        "anchor": anchor(action.id),
        "command": f"ade {domain.group} {action.command}",
        "summary": action.summary,
        "description": paragraphs(action.description),
        "usage": fenced([usage(domain, action)], "sh"),
        "facts": list(facts(action, specs)),
        "guidance": action.guidance,
        "fields": [input_field(field, specs) for field in action.fields if not field.cli.hidden],
        "rules": [rule_sentence(rule) for rule in action.rules],
        "output": list(rows(action.output, specs, "", 0)),
        "errors": [
            {"code": code, "exit": exit_code(specs.errors[code]), "summary": specs.errors[code].summary}
            for code in action.errors
        ],
        "examples": fenced([line for example in lines for line in _example(example)], "sh") if lines else "",
    }


def _example(example: dict[str, Any]) -> list[str]:
    ends = f" (ends with {example['error']})" if example["error"] else ""
    return [f"# {example['title'].one_line()}{ends}", visible(example["line"])]


def facts(action: ir.Action, specs: ir.Specs) -> Iterator[tuple[str, str]]:
    notice = of_action(action, specs, by="id")
    if notice is not None:
        yield "Deprecated", markdown(notice)
    yield "Tool", code_span(action.tool)
    yield "Effect", action.effect
    yield "Works on", "one project" if action.scope == "project" else "the machine"
    yield (
        "A retry",
        {
            "none": "may do it twice",
            "natural": "is harmless",
            "request_id": "with the same request id is harmless",
        }[action.idempotency],
    )
    yield "Toolset", code_span(action.toolset)
    if action.min_role:
        yield "Lowest role", code_span(action.min_role)
    if action.requires:
        yield "Needs", ", ".join(map(code_span, action.requires))
    if action.hidden_in:
        yield "Hidden in", ", ".join(map(code_span, action.hidden_in))
    if action.effect != "read":
        yield "A session may change", _changes(action.target)
    if action.moves_refs:
        yield "Moves refs", "besides the branch of its lane"
    if action.rate_limit:
        limit = specs.rate_limits[action.rate_limit]
        yield "Rate limit", f"{limit.limit} calls in {seconds(limit.window)} for each {limit.per}"
    yield "Time limit", seconds(action.timeout)


def _changes(target: ir.Target) -> str:
    """What of an action's target a session may touch, in words."""
    if target.anyone:
        return "this, whichever its lane"
    named = [
        f"only its own {what} ({code_span(field)})"
        for what, field in (("lane", target.lane), ("session", target.session), ("project", target.project))
        if field
    ]
    if target.request:
        named.append(f"only what others asked for ({code_span(target.request)})")
    return ", ".join(named) or "nothing: this is for the owner and for leading roles"


def input_field(field: ir.Field, specs: ir.Specs) -> dict[str, Any]:
    positional = field.cli.metavar or metavar_of(field.name, field.cli.flag)
    flags = ", ".join(spelling for spelling in (field.cli.short, field.cli.flag) if spelling)
    return {
        "name": field.name,
        "required": field.required,
        "option": positional if field.cli.positional else flags,
        "takes": takes(field.schema, specs),
        "description": _with_notice(description(field.schema, specs), of_field(field)),
    }


def _with_notice(text: SpecText, notice: str | None) -> SpecText:
    return text if notice is None else SpecText(f"{text.raw} {notice}".strip())


def rows(schema: ir.Schema, specs: ir.Specs, path: str, depth: int) -> Iterator[dict[str, Any]]:
    """The fields of an output with those inside them, as dotted paths; ``[]`` stands for each item of a
    list.
    """
    target = resolve(schema, specs)
    if isinstance(target, ir.ArraySchema):
        yield from rows(target.items, specs, f"{path}[]", depth)
    elif isinstance(target, ir.ObjectSchema) and depth < _DEPTH:
        for name, inner in target.properties.items():
            here = f"{path}.{name}" if path else name
            yield {
                "path": here,
                "takes": takes(inner, specs, short=True),
                "description": description(inner, specs),
            }
            yield from rows(inner, specs, here, depth + 1)
    elif isinstance(target, ir.UnionSchema) and depth < _DEPTH:
        for branch in target.branches:
            yield from rows(branch, specs, f"{path}({branch.target})", depth + 1)


def description(schema: ir.Schema, specs: ir.Specs) -> SpecText:
    return schema.description or resolve(schema, specs).description or _NONE


def paragraphs(text: SpecText | None) -> list[SpecText]:
    return [SpecText(part) for part in re.split(r"\n[ \t]*\n", text.raw) if part.strip()] if text else []


@per_domain
def _index(domain: ir.Domain, specs: ir.Specs) -> dict[str, str]:
    """Its row among the groups, and the rows of its actions."""
    actions = [
        {
            "id": action.id,
            "anchor": anchor(action.id),
            "command": f"ade {domain.group} {action.command}",
            "tool": action.tool,
            "effect": action.effect,
            "summary": action.summary,
        }
        for action in domain.actions
    ]
    values = {"domain": domain, "module": module_name(domain.name), "actions": actions}
    return {
        "row": render("docs/index_row.md.jinja", **values),
        "actions": render("docs/index_actions.md.jinja", **values),
    }


def _errors(specs: ir.Specs) -> dict[str, Any]:
    return {
        "exits": [{"code": code.value, "words": words} for code, words in EXIT_WORDS.items()],
        "errors": [
            {
                "code": error.code,
                "summary": error.summary,
                "message": error.message,
                "hint": error.hint,
                "exit": exit_code(error),
                "rpc": error.rpc,
                "retry": "yes" if error.retry else "no",
                "params": ", ".join(f"{code_span(name)} ({kind})" for name, kind in error.params.items()),
            }
            for error in specs.errors.values()
        ],
    }


def _methods(specs: ir.Specs) -> list[dict[str, Any]]:
    return [
        {
            "name": method.name,
            "summary": method.summary,
            "kind": method.kind,
            "sent_by": method.sent_by,
            "action": _action_link(method.action),
            "params": list(_parameters(method.params, specs)),
            "result": list(rows(method.result, specs, "", 0)) if method.result else [],
            "answer": method.result.description if isinstance(method.result, ir.MapSchema) else None,
        }
        for method in specs.methods.values()
    ]


def _events(specs: ir.Specs) -> list[dict[str, Any]]:
    found = []
    for row in event_rows(specs):
        link = _action_link(row["action"])
        found.append({**row, "link": None if link is None else link["link"]})
    return found


def _action_link(action: str | None) -> dict[str, str] | None:
    if action is None:
        return None
    return {"id": action, "link": f"actions/{module_name(action.partition('.')[0])}.md#{anchor(action)}"}


def _parameters(schema: ir.Schema | None, specs: ir.Specs) -> Iterator[dict[str, Any]]:
    target = resolve(schema, specs) if schema else None
    if isinstance(target, ir.ObjectSchema):
        for name, inner in target.properties.items():
            row = {"path": name, "takes": takes(inner, specs), "description": description(inner, specs)}
            yield row | {"required": name in target.required}


def _variable(variable: ir.EnvironmentVariable) -> dict[str, Any]:
    return {
        "name": variable.name,
        "summary": variable.summary,
        "example": code_span(variable.example.raw) if variable.example else "",
        "authorises": variable.authorises,
    }


def _access(specs: ir.Specs) -> dict[str, Any]:
    ranked = sorted(specs.roles.values(), key=lambda role: role.rank)
    return {
        "roles": ranked,
        "toolsets": [
            {
                "name": toolset.name,
                "summary": toolset.summary,
                "roles": toolset.roles,
                "modes": toolset.modes,
                "owner": toolset.owner,
                "always": toolset.always,
                "count": sum(1 for action in specs.actions if action.toolset == toolset.name),
            }
            for toolset in specs.toolsets.values()
        ],
        "limits": [
            {
                "name": limit.name,
                "summary": limit.summary,
                "limit": limit.limit,
                "window": seconds(limit.window),
                "per": limit.per,
            }
            for limit in specs.rate_limits.values()
        ],
    }
