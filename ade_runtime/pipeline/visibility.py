"""Stage 2: which actions exist for a caller. Listing and calling ask the same function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ade_generated import errors
from ade_generated.roles import TOOLSETS
from ade_runtime.contracts import ActionEntry, Toolset
from ade_runtime.pipeline.call import Caller, Identity

SUGGESTIONS = 3


class Visibility:
    """``actions`` is the dispatch table by id; ``capabilities`` are what this machine can do beyond the base."""

    def __init__(
        self,
        actions: Mapping[str, ActionEntry],
        capabilities: Iterable[str] = (),
        toolsets: Mapping[str, Toolset] = TOOLSETS,
    ) -> None:
        self._actions = actions
        self._by_name = {**{entry.tool: entry for entry in actions.values()}, **actions}
        self._roles = {name: frozenset(toolset.roles) for name, toolset in toolsets.items()}
        self._modes = {name: frozenset(toolset.modes) for name, toolset in toolsets.items() if toolset.modes}
        self.capabilities = frozenset(capabilities)

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
        """What the caller may see, by id."""
        return (e for _, e in sorted(self._actions.items()) if not self.why_hidden(e, identity, caller))

    def why_hidden(self, entry: ActionEntry, identity: Identity, caller: Caller) -> str | None:
        """What hides the action from this caller, ``None`` when it is visible. Filters in the order of DESIGN section 7."""
        if identity.role not in self._roles[entry.toolset]:
            return f"Toolset {entry.toolset} is not for role {identity.role}."
        modes = self._modes.get(entry.toolset)
        if modes is not None and identity.mode not in modes:
            return f"Toolset {entry.toolset} is for sessions in mode {' or '.join(sorted(modes))}."
        if entry.requires and not self.capabilities.issuperset(entry.requires):
            missing = sorted(set(entry.requires) - self.capabilities)
            return f"This machine lacks {', '.join(missing)}."
        if entry.hidden_in and "standalone_chat" in entry.hidden_in and in_standalone_chat(identity, caller):
            return "It is hidden in a standalone chat."
        return None

    def _unknown(self, name: str, identity: Identity, caller: Caller) -> errors.UnknownAction:
        import difflib

        shown = [n for entry in self.visible(identity, caller) for n in (entry.id, entry.tool)]
        close = difflib.get_close_matches(name[:100], shown, n=SUGGESTIONS, cutoff=0.6)
        hint = f"Did you mean {', '.join(close)}?" if close else None
        return errors.UnknownAction(name=name[:100], details={"did_you_mean": close}, hint=hint)


def in_standalone_chat(identity: Identity, caller: Caller) -> bool:
    """Whether the caller is a chat that works on nothing. Of a session ADE knows; the owner's shell may say so of itself."""
    return identity.standalone if identity.session is not None else caller.chat is not None
