"""Which events a reader may know of, and which of these it wants."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.events import EVENTS
from ade_generated.roles import TOOLSETS
from ade_runtime.pipeline.visibility import in_own_shell

if TYPE_CHECKING:
    from ade_runtime.contracts import EventType
    from ade_runtime.events.event import Trace
    from ade_runtime.pipeline.call import Identity

CATEGORIES = frozenset(kind.category for kind in EVENTS.values())


def known_categories(asked: Collection[str] | None) -> frozenset[str]:
    """The categories a reader asked for, all of them where it named none. Raises ``unknown_category``: nothing would ever
    come of a misspelt one."""
    for category in asked or ():
        if category not in CATEGORIES:
            raise errors.UnknownCategory(category=category, known=", ".join(sorted(CATEGORIES)))
    return frozenset(asked or CATEGORIES)


class View:
    """The events of one reader: those of the toolsets it sees, in the project its session is bound to, and of nobody
    else's privacy. ``categories`` are the ones it asked for; see
    :func:`known_categories`.
    """

    def __init__(self, identity: Identity, categories: Collection[str] = CATEGORIES) -> None:
        self.project = identity.project
        self._session = identity.session
        self._role, self._mode = identity.role, identity.mode
        self._in_own_shell = in_own_shell(identity)
        self._categories = frozenset(categories)
        self._kinds: dict[str, bool] = {}

    def wants(self, trace: Trace) -> bool:
        """Whether the reader may know of the event and asked for it."""
        kind = self._kinds.get(trace.kind.type)
        if kind is None:
            kind = self._kinds[trace.kind.type] = self._sees(trace.kind)
        return kind and self._reaches(trace)

    def _sees(self, kind: EventType) -> bool:
        if kind.category not in self._categories:
            return False
        toolset = TOOLSETS[kind.toolset]
        seen = self._role in toolset.roles or (toolset.owner and self._in_own_shell)
        return seen and (not toolset.modes or self._mode in toolset.modes)

    def _reaches(self, trace: Trace) -> bool:
        """A session that is bound to a project knows of that project, and of the machine only what concerns itself."""
        if self._session is None:
            return True
        if trace.readers is not None and self._session not in trace.readers:
            return False
        if self.project is None or trace.project == self.project:
            return True
        return trace.project is None and trace.session == self._session
