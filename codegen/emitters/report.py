"""``ade_generated/REPORT.md``: what the specs amount to, so that the consequences of a change are seen in review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from codegen import ir
from codegen.checks.tables import PIPELINE_ERRORS
from codegen.failure import GenerationError
from codegen.plan import PlannedFile
from codegen.projections import PROFILES, Loss, losses, problems
from codegen.templating import render

_OPENED = ("read", "write")
"""Effects that ``min_role`` can open to a role that has them not by itself."""

_NAMED = 3
"""Actions that are named of those with an error."""


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    """The report. Raises :class:`GenerationError` where a client would refuse a tool or take one for another."""
    if found := problems(specs):
        raise GenerationError("tools that a client does not take:\n" + "\n".join(found))
    roles = sorted(specs.roles.values(), key=lambda role: role.rank)
    lost = [losses(domain, specs) for domain in specs.domains]
    every = {name: [loss for part in lost for loss in part[name]] for name in PROFILES}
    content = render(
        "report.md.jinja",
        counts=list(_counts(specs)),
        roles=roles,
        rows=[
            (action.id, [access(action, role, specs) for role in roles], more(action, specs))
            for action in specs.actions
        ],
        untried=_untried(specs),
        unraised=_undeclared(specs),
        deprecated=list(_deprecated(specs)),
        losses=[(name, PROFILES[name].title, *_summed(found)) for name, found in every.items()],
        unsaid=sorted(
            {
                (loss.tool, loss.path, loss.keyword)
                for found in every.values()
                for loss in found
                if not loss.said
            }
        ),
    )
    yield PlannedFile(PurePosixPath("ade_generated/REPORT.md"), content, tuple(sorted(specs.sources)))


def access(action: ir.Action, role: ir.Role, specs: ir.Specs) -> str:
    """``yes``, ``no`` where the role sees the action but may not call it, ``-`` where it does not see it."""
    toolset = specs.toolsets.get(action.toolset)
    if toolset is None or role.name not in toolset.roles:
        return "-"
    if action.min_role is not None:
        if role.rank < specs.roles[action.min_role].rank:
            return "no"
        if action.effect in _OPENED:
            return "yes"
    return "yes" if action.effect in role.effects else "no"


def more(action: ir.Action, specs: ir.Specs) -> str:
    """What besides the role decides who sees it."""
    toolset = specs.toolsets.get(action.toolset)
    words = [*(toolset.modes if toolset else ()), *(["owner"] if toolset and toolset.owner else [])]
    words += [f"needs {name}" for name in action.requires] + [f"not in {name}" for name in action.hidden_in]
    return ", ".join(words)


def _counts(specs: ir.Specs) -> Iterator[tuple[str, str]]:
    actions = specs.actions
    yield "Domains", str(len(specs.domains))
    yield "Actions", _of(len(actions), Counter(action.effect for action in actions))
    yield "Toolsets", _of(len(specs.toolsets), Counter(action.toolset for action in actions))
    yield "Input fields", str(sum(len(action.fields) for action in actions))
    examples = [example for action in actions for example in action.examples]
    kinds = Counter("failure" if example.error is not None else "success" for example in examples)
    yield "Examples", _of(len(examples), kinds)
    for word, table in (
        ("Types", specs.types),
        ("Errors", specs.errors),
        ("Events besides those of actions", [event for domain in specs.domains for event in domain.events]),
        ("JSON-RPC methods", specs.methods),
        ("Text layouts", specs.layouts),
        ("Fixtures", specs.fixtures),
        ("Environment variables", specs.environment),
    ):
        yield word, str(len(table))


def _of(total: int, parts: Counter[str]) -> str:
    return f"{total}: " + ", ".join(f"{parts[name]} {name}" for name in sorted(parts))


def _untried(specs: ir.Specs) -> list[tuple[str, str]]:
    """Errors that no example of any action ends with, each with the actions that declare it."""
    tried = {example.error.code for action in specs.actions for example in action.examples if example.error}
    return [
        (code, _first([action.id for action in specs.actions if code in action.errors]))
        for code in specs.errors
        if code not in tried and code not in PIPELINE_ERRORS
    ]


def _first(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _undeclared(specs: ir.Specs) -> list[str]:
    declared = {code for action in specs.actions for code in action.errors}
    return [code for code in specs.errors if code not in declared and code not in PIPELINE_ERRORS]


def _deprecated(specs: ir.Specs) -> Iterator[tuple[str, str, str]]:
    for action in specs.actions:
        for name, found in (
            (action.id, action.deprecated),
            *((f"{action.id}.{f.name}", f.deprecated) for f in action.fields),
        ):
            if found is not None:
                yield name, found.since, found.remove_after


def _summed(found: list[Loss]) -> tuple[Any, ...]:
    kinds = Counter(loss.keyword for loss in found)
    return (
        len(found),
        sum(not loss.said for loss in found),
        ", ".join(f"{kinds[name]} {name}" for name in sorted(kinds)),
    )
