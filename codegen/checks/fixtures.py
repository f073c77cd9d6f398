"""Fixtures can be built: their calls fit their actions, and what they use and save exists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codegen import ir
from codegen.checks.context import Context
from codegen.checks.documents import BUILT_IN, Judge, aliases, locate, said
from codegen.checks.paths import follow
from codegen.wording import did_you_mean, quote


def check(ctx: Context) -> None:
    judge = Judge(ctx)
    for fixture in ctx.specs.fixtures.values():
        known = set(BUILT_IN)
        for index, step in enumerate(fixture.steps):
            _step(ctx, judge, fixture, index, step, known)
    _cycles(ctx)


def saved_by(specs: ir.Specs, name: str, trail: tuple[str, ...] = ()) -> set[str]:
    """The aliases that are known after a fixture, those of the fixtures it uses included."""
    fixture = specs.fixtures.get(name)
    if fixture is None or name in trail:
        return set()
    saved: set[str] = set()
    for step in fixture.steps:
        if isinstance(step.get("use"), str):
            saved |= saved_by(specs, step["use"], (*trail, name))
        saved |= set(_mapping(step.get("save")))
    return saved


def _step(
    ctx: Context, judge: Judge, fixture: ir.Fixture, index: int, step: Mapping[str, Any], known: set[str]
) -> None:
    place = ("steps", index)
    if isinstance(step.get("use"), str):
        span = ctx.places.at(fixture.span, *place, "use")
        ctx.known(span, "unknown-fixture", "fixture", step["use"], ctx.specs.fixtures)
        known |= saved_by(ctx.specs, step["use"])
    filled = [step.get("git"), step.get("input"), step.get("as")]
    for alias in aliases(filled):
        if alias not in known:
            message = f"no step before saves ${{{alias}}}{did_you_mean(alias, known)}"
            ctx.sink.add(ctx.places.at(fixture.span, *place), "bad-fixture", message)
    if isinstance(step.get("call"), str):
        _call(ctx, judge, fixture, index, step)
    known |= set(_mapping(step.get("save")))


def _call(ctx: Context, judge: Judge, fixture: ir.Fixture, index: int, step: Mapping[str, Any]) -> None:
    actions = judge.actions
    place = ("steps", index)
    span = ctx.places.at(fixture.span, *place, "call")
    if not ctx.known(span, "unknown-action", "action", step["call"], actions):
        return
    action = actions[step["call"]]
    for problem in judge.input(action, _mapping(step.get("input"))) or ():
        at = locate(ctx, fixture.span, (*place, "input"), problem.path)
        ctx.sink.add(at, "bad-fixture", f"the input does not fit {action.id}: {said(problem)}")
    if not ctx.sound(action.output):
        return
    for alias, path in _mapping(step.get("save")).items():
        found = follow(action.output, str(path), ctx.specs)
        if isinstance(found, str):
            message = f"{quote(str(path))} is not in the output of {action.id}: {found}"
            ctx.sink.add(ctx.places.at(fixture.span, *place, "save", alias), "bad-fixture", message)


def _cycles(ctx: Context) -> None:
    for fixture in ctx.specs.fixtures.values():
        for index, step in enumerate(fixture.steps):
            if isinstance(step.get("use"), str) and _reaches(ctx, step["use"], fixture.name, set()):
                span = ctx.places.at(fixture.span, "steps", index, "use")
                message = f"the fixture {quote(fixture.name)} uses itself"
                ctx.sink.add(span, "bad-fixture", message, "put the shared steps into a third fixture")


def _reaches(ctx: Context, start: str, goal: str, seen: set[str]) -> bool:
    if start == goal:
        return True
    if start in seen or start not in ctx.specs.fixtures:
        return False
    seen.add(start)
    steps = ctx.specs.fixtures[start].steps
    return any(_reaches(ctx, step["use"], goal, seen) for step in steps if isinstance(step.get("use"), str))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
