"""Examples are true by their own schemas, and each action has one that works and one that fails."""

from __future__ import annotations

from codegen import ir
from codegen.checks.context import Context
from codegen.checks.documents import BUILT_IN, Judge, aliases, locate, said
from codegen.checks.fixtures import saved_by
from codegen.checks.tables import PIPELINE_ERRORS
from codegen.validate import Problem
from codegen.wording import did_you_mean, quote


def check(ctx: Context) -> None:
    judge = Judge(ctx)
    for action in ctx.to_prove:
        if action.id not in ctx.broken:
            _both_kinds(ctx, action)
        titles: set[str] = set()
        for example in action.examples:
            if example.title.raw in titles:
                span = ctx.places.at(example.span, "title")
                message = f"two examples are called {quote(example.title.raw)}"
                ctx.sink.add(span, "bad-example", message, "give each its own title")
            titles.add(example.title.raw)
            _example(ctx, judge, action, example)


def _both_kinds(ctx: Context, action: ir.Action) -> None:
    span = ctx.places.key(action.span, "examples")
    if not any(example.output is not None for example in action.examples):
        message = f"{action.id} has no success example"
        ctx.sink.add(span, "no-success-example", message, "add one with output:")
    if not any(example.error is not None for example in action.examples):
        message = f"{action.id} has no failure example"
        ctx.sink.add(span, "no-failure-example", message, "add one with error: {code: …}")


def _example(ctx: Context, judge: Judge, action: ir.Action, example: ir.Example) -> None:
    known = BUILT_IN.union(*(saved_by(ctx.specs, name) for name in example.given))
    for alias in aliases([dict(example.input), dict(example.output or {}), example.token]):
        if alias not in known and all(name in ctx.specs.fixtures for name in example.given):
            message = f"no fixture of the example saves ${{{alias}}}{did_you_mean(alias, known)}"
            ctx.sink.add(ctx.places.at(example.span, "input"), "bad-example", message)
    if example.role is not None:
        span = ctx.places.at(example.span, "role")
        ctx.known(span, "unknown-role", "role", example.role, ctx.specs.roles)
    found = judge.input(action, example.input)
    if example.error is not None:
        _failure(ctx, action, example, example.error, found)
        return
    _valid_input(ctx, example, found)
    for problem in judge.output(action, example.output or {}) or ():
        span = locate(ctx, example.span, ("output",), problem.path)
        message = f"the example does not fit the output: {said(problem)}"
        ctx.sink.add(span, "bad-example", message, "mend the example or the output")


def _valid_input(ctx: Context, example: ir.Example, found: list[Problem] | None) -> None:
    for problem in found or ():
        span = locate(ctx, example.span, ("input",), problem.path)
        message = f"the example does not fit the input: {said(problem)}"
        ctx.sink.add(span, "bad-example", message, "mend the example or the input")


def _failure(
    ctx: Context, action: ir.Action, example: ir.Example, error: ir.ExampleError, found: list[Problem] | None
) -> None:
    if error.code == "invalid_arguments":
        if found is not None:
            _refused(ctx, example, error, found)
        return
    _valid_input(ctx, example, found)
    if error.path is not None:
        span = ctx.places.key(example.span, "error", "path")
        ctx.sink.add(span, "misplaced-key", "only invalid_arguments has a path", "leave it out")
    if error.code in ctx.specs.errors and error.code not in (*action.errors, *PIPELINE_ERRORS):
        span = ctx.places.at(example.span, "error", "code")
        message = f"{action.id} does not declare the error {quote(error.code)}"
        ctx.sink.add(span, "bad-example", message, "add it to errors: of the action")


def _refused(ctx: Context, example: ir.Example, error: ir.ExampleError, found: list[Problem]) -> None:
    """The input must be refused, and for the reason the example gives."""
    span = ctx.places.at(example.span, "input")
    every = "; ".join(said(problem) for problem in found)
    if not found:
        message = "the input is valid, so it is not refused with invalid_arguments"
        ctx.sink.add(span, "bad-example", message, "make exactly the value wrong that the example is about")
    elif error.path is None and len(found) > 1:
        message = f"the input is wrong in {len(found)} ways: {every}"
        ctx.sink.add(span, "bad-example", message, "keep one fault, or name the path it is about")
    elif error.path is not None and all(problem.path != error.path for problem in found):
        message = f"nothing is wrong at {quote(error.path)}; the input is refused because of {every}"
        at = ctx.places.at(example.span, "error", "path")
        ctx.sink.add(at, "bad-example", message, f"the path is {quote(found[0].path)}")
