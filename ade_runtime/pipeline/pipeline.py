"""The stages of a call in their order. This is the only way to reach a handler, whichever way a call came in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_generated.roles import RATE_LIMITS
from ade_runtime.contracts import ActionEntry, AdeError, Effect, JsonObject
from ade_runtime.machine.temporary import use as use_temporary
from ade_runtime.mock.choice import VARIABLE as MOCK_VARIABLE
from ade_runtime.mock.choice import refuse_choice
from ade_runtime.pipeline import receipt
from ade_runtime.pipeline.call import Call, Caller, Identity, Progress, no_progress
from ade_runtime.pipeline.capabilities import account_detectors, machine_detectors
from ade_runtime.pipeline.deadline import Deadlines
from ade_runtime.pipeline.execute import execute, inner_fault
from ade_runtime.pipeline.handlers import Handlers
from ade_runtime.pipeline.operations import Operations
from ade_runtime.pipeline.permission import check_allowed, why_forbidden
from ade_runtime.pipeline.rate_limit import RateLimits
from ade_runtime.pipeline.reach import Reach, at_home
from ade_runtime.pipeline.record import Recorder
from ade_runtime.pipeline.scope import resolve_scope
from ade_runtime.pipeline.tell import tell
from ade_runtime.pipeline.validation import read_input
from ade_runtime.pipeline.visibility import Visibility
from ade_runtime.pipeline.way import check_way

if TYPE_CHECKING:
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel


class Pipeline:
    """Calls actions. ``visibility`` and ``operations`` are shared with the actions that list and await them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._mock = services.paths.is_mock
        self._handlers = _made_up(services) if self._mock else Handlers(services)
        self._limits = RateLimits(services, RATE_LIMITS)
        self._deadlines = Deadlines()
        self.visibility = Visibility(
            ACTIONS,
            {name for entry in ACTIONS.values() for name in entry.requires} if self._mock else (),
            detectors={**account_detectors(services.paths), **machine_detectors()},
        )
        self.operations = Operations(services)
        self.reach = Reach(services)

    async def call(
        self,
        name: str,
        arguments: JsonObject,
        *,
        identity: Identity,
        caller: Caller,
        request_id: str | None = None,
        timeout: float | None = None,
        progress: Progress = no_progress,
    ) -> bytes:
        """Call an action by id or tool name; the answer is its output document as JSON.

        ``timeout`` (seconds) may shorten the action's own, never lengthen it. Raises :class:`AdeError`, nothing else but
        cancellation.
        """
        use_temporary(self._services.temporary)
        self.renew()
        if MOCK_VARIABLE in caller.env and not self._mock:
            refuse_choice(caller, name)
        action = self._find(name, identity, caller)
        caller = at_home(identity, caller)
        call = Call(action, identity, caller, request_id, progress)
        model = await self._admit(call, arguments)
        if identity.run is not None:
            await self._services.heartbeats.note(identity)
        if receipt.wanted(action, request_id):
            stored = await receipt.begin(self._services, action, identity, caller, str(request_id), arguments)
            if isinstance(stored, bytes):
                return stored
            call.receipt = stored
            try:
                return await self._perform_recorded(call, model, timeout)
            finally:
                stored.end()
        if action.effect is Effect.READ:
            return await self._perform(call, model, timeout)
        return await self._perform_recorded(call, model, timeout)

    def renew(self) -> None:
        """Take in what packs brought or took away since the last look."""
        if self._services.packs.refresh():
            self.visibility.extend(self._services.packs.entries)

    def _find(self, name: str, identity: Identity, caller: Caller) -> ActionEntry:
        try:
            return self.visibility.find(name, identity, caller)
        except errors.UnknownAction:
            changed = self._services.packs.explain(name)
            if changed is not None:
                raise changed from None
            raise

    def check(self, name: str, arguments: JsonObject, *, identity: Identity, caller: Caller) -> WireModel:
        """The validated input of a call that would be admitted; raises as :meth:`call` would. Nothing is counted or stored."""
        action = self._find(name, identity, caller)
        check_allowed(action, identity)
        check_way(action, identity, caller)
        return read_input(action, arguments)

    def may_call(self, name: str, identity: Identity, caller: Caller) -> bool:
        """Whether the caller sees the action and its role may call it, by what listing and calling go by."""
        action = self.visibility.named(name)
        if action is None or self.visibility.why_hidden(action, identity, caller) is not None:
            return False
        return why_forbidden(action, identity) is None

    async def preview(
        self, name: str, arguments: JsonObject, *, identity: Identity, caller: Caller
    ) -> JsonObject:
        """What :meth:`call` would do, without doing it: every check up to the project, then the call itself is shown."""
        model = self.check(name, arguments, identity=identity, caller=caller)
        action = self.visibility.find(name, identity, caller)
        call = Call(action, identity, at_home(identity, caller))
        if not self._mock:
            await resolve_scope(self._services, call)
        model = await self.reach.hold(call, model)
        return {
            "dry_run": True,
            "action": action.id,
            "effect": str(action.effect),
            "project": None if call.scope is None else str(call.scope.root),
            "arguments": _shown(model),
        }

    async def close(self, *, drain: bool = False) -> None:
        """Stop background operations like cancelled calls, or with ``drain`` wait for them."""
        await self.operations.close(drain=drain)

    async def _admit(self, call: Call, arguments: JsonObject) -> WireModel:
        try:
            check_allowed(call.action, call.identity)
            check_way(call.action, call.identity, call.caller)
        except errors.PolicyDenied:
            await Recorder(self._services, call).failed("policy_denied")
            raise
        model = read_input(call.action, arguments)
        if call.action.rate_limit is not None:
            await self._limits.admit(call.action, call.identity)
        return model

    async def _perform(self, call: Call, model: WireModel, timeout: float | None) -> bytes:
        """Scope, handler, output. What raises there and is no :class:`AdeError` is a fault of ADE itself."""
        try:
            if not self._mock:
                await resolve_scope(self._services, call)
            if call.identity.session is not None:
                model = await self._hold(call, model)
            handler = self._handlers.of(call.action)
            return await execute(handler, call, model, _time_limit(call.action, timeout), self._deadlines)
        except AdeError:
            raise
        except Exception as problem:
            raise inner_fault(call.action.id, problem) from problem

    async def _hold(self, call: Call, model: WireModel) -> WireModel:
        try:
            return await self.reach.hold(call, model)
        except errors.PolicyDenied:
            if (
                call.action.effect is Effect.READ and call.receipt is None
            ):  # others are recorded whatever becomes of them
                await Recorder(self._services, call).failed("policy_denied")
            raise

    async def _perform_recorded(self, call: Call, model: WireModel, timeout: float | None) -> bytes:
        recorder = call.recorder = Recorder(self._services, call)
        try:
            output = await self._perform(call, model, timeout)
        except AdeError as problem:
            await recorder.failed(problem.code)
            raise
        except asyncio.CancelledError:
            await recorder.failed("cancelled")
            raise
        await recorder.succeeded(output)
        tell(self._services, call)
        return output


def _made_up(services: Services) -> Handlers:
    from ade_runtime.mock.handlers import MockHandlers

    return MockHandlers(services)


def _time_limit(action: ActionEntry, asked: float | None) -> float:
    return action.timeout if asked is None else min(asked, action.timeout)


def _shown(model: WireModel) -> JsonObject:
    """The arguments as they may be shown; those of an action that is run by its name are that action's."""
    shown = model.shown()
    inner, named = shown.get("arguments"), ACTIONS.get(str(shown.get("action")))
    if isinstance(inner, dict) and named is not None:
        shown["arguments"] = {k: "(secret)" if k in named.secrets else v for k, v in inner.items()}
    return shown
