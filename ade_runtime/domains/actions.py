"""Actions about actions: listing, describing, searching, running by name, and awaiting background runs."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from ade_generated import errors
from ade_generated.models.actions import (
    ActionsDescribeInput,
    ActionsExplainInput,
    ActionsExplainOutput,
    ActionsListInput,
    ActionsListOutput,
    ActionsRunInput,
    ActionsSearchInput,
    ActionsSearchOutput,
    ActionsStatusInput,
)
from ade_generated.models.types import ActionDetail, ActionRun, OperationStatus
from ade_runtime.contracts import Effect
from ade_runtime.pipeline.listing import Pages, command_of, pack_of, summary_of
from ade_runtime.pipeline.permission import why_forbidden
from ade_runtime.pipeline.schemas import argument_names, input_schema, output_schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ade_runtime.contracts import ActionEntry
    from ade_runtime.pipeline.call import Call, Identity, Progress
    from ade_runtime.pipeline.pipeline import Pipeline
    from ade_runtime.services import Services

_WORD = re.compile(r"[a-z0-9]+")
_TOO_COMMON = frozenset(
    [
        "a",
        "an",
        "and",
        "for",
        "i",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "what",
        "with",
    ]
)


class ActionsHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services
        self._pages = Pages()

    async def list(self, call: Call, args: ActionsListInput) -> ActionsListOutput:
        found = [entry for entry in self._visible(call) if _matches(entry, args)]
        rest = [entry for entry in found if args.cursor is None or entry.id > args.cursor]
        page = rest[: args.limit]
        after = page[-1].id if len(rest) > len(page) else None
        answer, call.wire = self._pages.of(page, args.schemas, len(found), after)
        return answer

    async def describe(self, call: Call, args: ActionsDescribeInput) -> ActionDetail:
        entry = self._pipeline.visibility.find(args.action, call.identity, call.caller)
        return ActionDetail(
            id=entry.id,
            tool=entry.tool,
            summary=summary_of(entry),
            effect=entry.effect.value,
            pack=pack_of(entry),
            scope=entry.scope.value,
            idempotency=entry.idempotency.value,
            command=command_of(entry),
            toolset=entry.toolset,
            min_role=entry.min_role,
            timeout_seconds=entry.timeout,
            errors=list(entry.errors),
            deprecated=entry.deprecated,
            input=input_schema(entry),
            output=output_schema(entry),
        )

    async def search(self, call: Call, args: ActionsSearchInput) -> ActionsSearchOutput:
        words = [word for word in _words(args.words) if word not in _TOO_COMMON] or _words(args.words)
        ranked = [(_score(entry, words), entry) for entry in self._visible(call)]
        fitting = sorted((pair for pair in ranked if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].id))
        best = [self._pages.summary(entry, True) for _, entry in fitting[: args.limit]]
        return ActionsSearchOutput(items=best, total=len(fitting), next=None)

    async def explain(self, call: Call, args: ActionsExplainInput) -> ActionsExplainOutput:
        who = call.identity
        if args.as_role is not None and args.as_role != who.role:
            if who.source != "owner":
                reason = "Only the owner's shell may ask for another role."
                raise errors.PolicyDenied(role=who.role, action=call.action.id, reason=reason)
            who = replace(who, role=args.as_role)
        visibility = self._pipeline.visibility
        if call.identity.source == "owner":
            entry = visibility.exists(args.action, who, call.caller)
        else:
            entry = visibility.find(args.action, who, call.caller)
        hidden = visibility.why_hidden(entry, who, call.caller)
        return _explanation(entry, who, hidden, visibility.what_helps(entry, who, call.caller))

    async def run(self, call: Call, args: ActionsRunInput) -> ActionRun:
        entry = self._pipeline.visibility.find(args.action, call.identity, call.caller)
        if args.background and entry.effect is Effect.SECRET:  # its answer would be kept with the operation
            problem = (
                f"{entry.id} answers a secret, which is given once and never kept; run it without background."
            )
            raise errors.InvalidArguments(problem=problem, action=call.action.id)
        if entry is call.action:
            problem = "actions.run cannot run itself; name the action to run."
            raise errors.InvalidArguments(problem=problem, action=call.action.id)

        async def perform(progress: Progress) -> bytes:
            return await self._pipeline.call(
                entry.id,
                args.arguments,
                identity=call.identity,
                caller=call.caller,
                request_id=call.request_id,
                progress=progress,
            )

        if not args.background:
            output = await perform(call.progress)
            return ActionRun(action=entry.id, result=orjson.loads(output), operation=None)
        self._pipeline.check(entry.id, args.arguments, identity=call.identity, caller=call.caller)
        operation = await self._pipeline.operations.start(entry.id, call.identity, perform)
        return ActionRun(action=entry.id, result=None, operation=operation)

    async def status(self, call: Call, args: ActionsStatusInput) -> OperationStatus:
        found = await self._pipeline.operations.status(args.operation, call.identity, args.wait)
        return OperationStatus(
            operation=found.id,
            action=found.action,
            state=found.state,
            message=found.message,
            fraction=found.fraction,
            result=found.output,
            error=found.error,
            started_at=_moment(found.started_at),
            finished_at=None if found.finished_at is None else _moment(found.finished_at),
        )

    @property
    def _pipeline(self) -> Pipeline:
        return self._services.pipeline

    def _visible(self, call: Call) -> Iterator[ActionEntry]:
        return self._pipeline.visibility.visible(call.identity, call.caller)


def _explanation(
    entry: ActionEntry, who: Identity, hidden: str | None, helps: str | None
) -> ActionsExplainOutput:
    """What decided about an action, stage by stage, up to the one that refused. ``helps`` would bring it back."""
    forbidden = why_forbidden(entry, who)
    if hidden is not None:
        nothing = "Nothing the caller can do; it is hidden from this role, mode or machine."
        reasons, after = [hidden], helps or nothing
    elif forbidden is not None:
        reasons = [f"Toolset {entry.toolset} is for role {who.role}.", forbidden]
        after = "Ask a session or a person with the role it needs; nobody can raise their own."
    else:
        reasons = [f"Toolset {entry.toolset} is for role {who.role}.", f"Role {who.role} may {entry.effect}."]
        reasons += _bounds(entry, who)
        after = f"Call it; see `ade {entry.cli[0]} {entry.cli[1]} --help`."
    return ActionsExplainOutput(
        action=entry.id,
        role=who.role,
        visible=hidden is None,
        callable=hidden is None and forbidden is None,
        reasons=reasons,
        next=after,
    )


def _bounds(entry: ActionEntry, who: Identity) -> list[str]:
    if who.session is None:
        return ["The owner's shell is bound to no project, lane or session."]
    bounds = [f"Your session stays in project {who.project}."] if who.project else []
    if entry.effect is not Effect.READ and who.lane and not entry.target.anyone:
        bounds.append(f"As an agent it changes only lane {who.lane} and what belongs to your session.")
    return bounds


def _matches(entry: ActionEntry, args: ActionsListInput) -> bool:
    return (
        (args.domain is None or entry.domain == args.domain)
        and (args.effect is None or entry.effect == args.effect)
        and (args.contains is None or args.contains.casefold() in _text(entry))
    )


def _text(entry: ActionEntry) -> str:
    return f"{entry.id} {entry.tool} {entry.summary}".casefold()


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _score(entry: ActionEntry, words: list[str]) -> float:
    """How well an action fits: a word in its name counts three times one in its summary, the start of a word half."""
    names = set(_words(f"{entry.id} {entry.tool} {entry.cli[0]} {entry.cli[1]}".replace("_", " ")))
    summary = set(_words(f"{entry.summary} {argument_names(entry)}".replace("_", " ")))
    return sum(3 * _fit(word, names) + _fit(word, summary) for word in set(words))


def _fit(word: str, among: set[str]) -> float:
    if word in among:
        return 1.0
    if len(word) >= 3 and any(
        other.startswith(word) or (len(other) >= 3 and word.startswith(other)) for other in among
    ):
        return 0.5
    return 0.0


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
