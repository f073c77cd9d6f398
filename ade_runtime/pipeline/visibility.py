"""Stage 2: which actions exist for a caller. Listing and calling ask the same function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType

from ade_generated import errors
from ade_generated.roles import ROLES, TOOLSETS
from ade_runtime.contracts import ActionEntry, Toolset
from ade_runtime.packs.records import PackEntry
from ade_runtime.pipeline.call import Caller, Identity
from ade_runtime.pipeline.capabilities import Detector, Lack, lack_for
from ade_runtime.pipeline.identity import OWNER_ROLE

SUGGESTIONS = 3
NO_DETECTORS: Mapping[str, Detector] = MappingProxyType({})


class Visibility:
    """``actions`` is the dispatch table by id; ``capabilities`` are what this machine can do beyond the base, ``detectors``
    find out about further ones when they are asked about."""

    def __init__(
        self,
        actions: Mapping[str, ActionEntry],
        capabilities: Iterable[str] = (),
        toolsets: Mapping[str, Toolset] = TOOLSETS,
        detectors: Mapping[str, Detector] = NO_DETECTORS,
    ) -> None:
        self._own = actions
        self._actions = actions
        self._by_name = {**{entry.tool: entry for entry in actions.values()}, **actions}
        self._roles = {name: frozenset(toolset.roles) for name, toolset in toolsets.items()}
        self._modes = {name: frozenset(toolset.modes) for name, toolset in toolsets.items() if toolset.modes}
        self._owners = {name for name, toolset in toolsets.items() if toolset.owner}
        self.capabilities = frozenset(capabilities)
        self._detectors = detectors
        self.on_change: Callable[[], None] | None = None
        """Told when capabilities came or went."""

    def change_capabilities(self, capabilities: Iterable[str]) -> None:
        """What this machine can do from now on. Clients of the runtime whose list of actions this changes are told."""
        before, self.capabilities = self.capabilities, frozenset(capabilities)
        if before != self.capabilities and self.on_change is not None:
            self.on_change()

    def extend(self, further: Mapping[str, ActionEntry]) -> None:
        """Have these actions besides ADE's own, in the place of those given before; ADE's own win where a name is the same."""
        self._actions = {**further, **self._own}
        tools = {entry.tool: entry for entry in (*further.values(), *self._own.values())}
        self._by_name = {**tools, **self._actions}
        if self.on_change is not None:
            self.on_change()

    @property
    def ids(self) -> Mapping[str, ActionEntry]:
        """Every action there is, by id."""
        return self._actions

    def find(self, name: str, identity: Identity, caller: Caller) -> ActionEntry:
        """The action with this id or tool name. A hidden one is as unknown as one that does not exist."""
        entry = self._by_name.get(name)
        if entry is None or self.why_hidden(entry, identity, caller):
            raise self._unknown(name, identity, caller)
        return entry

    def exists(self, name: str, identity: Identity, caller: Caller) -> ActionEntry:
        """The action with this id or tool name, hidden or not: for who may know of every action."""
        entry = self.named(name)
        if entry is None:
            raise self._unknown(name, identity, caller)
        return entry

    def named(self, name: str) -> ActionEntry | None:
        """The action with this id or tool name, hidden or not."""
        return self._by_name.get(name)

    def visible(self, identity: Identity, caller: Caller) -> Iterator[ActionEntry]:
        """What the caller may see, by id. What the machine lacks is found out once for all of them."""
        asked: dict[str, Lack | None] = {}
        return (
            e for _, e in sorted(self._actions.items()) if not self.why_hidden(e, identity, caller, asked)
        )

    def why_hidden(
        self,
        entry: ActionEntry,
        identity: Identity,
        caller: Caller,
        asked: dict[str, Lack | None] | None = None,
    ) -> str | None:
        """What hides the action from this caller, ``None`` when it is visible. Filters in the order of DESIGN section 7.

        ``asked`` is what the machine was found to lack for this caller a moment ago, by name; what is found out is added.
        """
        owned = entry.toolset in self._owners and in_own_shell(identity)
        if identity.role not in self._roles[entry.toolset] and not owned:
            return f"Toolset {entry.toolset} is not for role {identity.role}."
        modes = self._modes.get(entry.toolset)
        if modes is not None and identity.role == OWNER_ROLE and identity.mode not in modes and not owned:
            return f"Toolset {entry.toolset} is for sessions in mode {' or '.join(sorted(modes))}."
        asked = {} if asked is None else asked
        for name in entry.requires:
            if name not in asked:
                asked[name] = self._lack(name, identity, caller)
            if (lack := asked[name]) is not None:
                return f"This machine lacks {name}: {lack.reason}."
        if entry.hidden_in and "standalone_chat" in entry.hidden_in and in_standalone_chat(identity, caller):
            return "It is hidden in a standalone chat."
        return entry.why_not_for(identity) if isinstance(entry, PackEntry) else None

    def what_helps(self, entry: ActionEntry, identity: Identity, caller: Caller) -> str | None:
        """What would bring an action back that is hidden because the machine lacks something; else ``None``."""
        lacks = (self._lack(name, identity, caller) for name in entry.requires)
        return next((lack.step for lack in lacks if lack is not None), None)

    def _lack(self, name: str, identity: Identity, caller: Caller) -> Lack | None:
        return None if name in self.capabilities else lack_for(self._detectors, name, identity, caller)

    def _unknown(self, name: str, identity: Identity, caller: Caller) -> errors.UnknownAction:
        import difflib

        shown = [n for entry in self.visible(identity, caller) for n in (entry.id, entry.tool)]
        close = difflib.get_close_matches(name[:100], shown, n=SUGGESTIONS, cutoff=0.6)
        hint = f"Did you mean {', '.join(close)}?" if close else None
        return errors.UnknownAction(name=name[:100], details={"did_you_mean": close}, hint=hint)


def sees_as(identity: Identity) -> Hashable:
    """What of an identity decides which actions it sees: two with the same, asking from the same place, see the same."""
    proved = identity.session is not None
    return identity.role, proved, identity.mode, identity.standalone, identity.project


def in_own_shell(identity: Identity) -> bool:
    """Whether it is the owner in person, in a role that may change something: in no session, and nobody's program."""
    return identity.session is None and ROLES[identity.role].rank >= ROLES[OWNER_ROLE].rank


def in_standalone_chat(identity: Identity, caller: Caller) -> bool:
    """Whether the caller is a chat that works on nothing. Of a session ADE knows; the owner's shell may say so of itself."""
    return identity.standalone if identity.session is not None else caller.chat is not None
