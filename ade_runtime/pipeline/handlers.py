"""From an action to the method that performs it, and the proof that both sides have the same names."""

from __future__ import annotations

import importlib
import inspect
import keyword
from typing import TYPE_CHECKING, Any, cast

from ade_generated.dispatch import ACTIONS
from ade_runtime.contracts import ActionEntry
from ade_runtime.packs.records import PackEntry

if TYPE_CHECKING:
    from ade_runtime.pipeline.execute import Handler
    from ade_runtime.services import Services


def method_name(action_name: str) -> str:
    """The Python name of an action's method: the action's own, with ``_`` appended where that is a keyword."""
    return action_name + "_" if keyword.iskeyword(action_name) else action_name


def handler_class(domain: str) -> type[Any]:
    """``ade_runtime.domains.<domain>``'s handler class, ``LaneHandlers`` for ``lane``."""
    module = importlib.import_module(f"ade_runtime.domains.{domain}")
    name = "".join(part.capitalize() for part in domain.split("_")) + "Handlers"
    return cast("type[Any]", getattr(module, name))


class Handlers:
    """Handler objects, one a domain, made when the domain is first called."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._objects: dict[str, Any] = {}
        self._methods: dict[str, Handler] = {}

    def of(self, action: ActionEntry) -> Handler:
        if isinstance(action, PackEntry):
            return self._services.packs.handler(action)
        found = self._methods.get(action.id)
        if found is None:
            target = self._objects.get(action.domain)
            if target is None:
                target = self._objects[action.domain] = handler_class(action.domain)(self._services)
            found = self._methods[action.id] = getattr(target, action.method)
        return found


def registry_problems() -> list[str]:
    """Every action without a handler and every handler without an action. Empty when the registry is whole."""
    problems: list[str] = []
    for domain in sorted({entry.domain for entry in ACTIONS.values()}):
        try:
            handlers = handler_class(domain)
        except (ImportError, AttributeError) as problem:
            problems.append(f"domain {domain} has no handlers: {problem}")
            continue
        wanted = {entry.method for entry in ACTIONS.values() if entry.domain == domain}
        offered = {
            name
            for name, _ in inspect.getmembers(handlers, inspect.iscoroutinefunction)
            if not name.startswith("_")
        }
        problems += [f"{domain}.{name} has a spec and no handler" for name in sorted(wanted - offered)]
        problems += [f"{domain}.{name} has a handler and no spec" for name in sorted(offered - wanted)]
    return problems
