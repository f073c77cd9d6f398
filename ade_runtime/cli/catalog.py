"""The index of commands as plain data, and the lazy way from a name to its click command.

``ade_generated.cli.index`` holds the data; the module of a domain is imported only when one of its commands
is used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ade_runtime.cli.commands import ActionCommand, GroupCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInfo:
    """One command of a group; ``action`` is the canonical id, ``tool`` the model-facing name."""

    name: str
    action: str
    tool: str
    summary: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupInfo:
    """One group of commands; ``module`` is imported when one of them is used.

    ``within`` holds its names inside other groups, such as ``chats scheduled-work``.
    """

    name: str
    module: str
    title: str
    summary: str
    commands: tuple[CommandInfo, ...]
    aliases: tuple[str, ...] = ()
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleterInfo:
    """Live completion: call ``action`` with ``input``, take ``value`` (and ``help``) of each element at
    the dotted path ``items``.
    """

    action: str
    items: str
    value: str
    help: str | None = None
    input: Mapping[str, Any] = field(default_factory=dict)


class Catalog:
    """Groups and commands by every name they answer to."""

    def __init__(
        self,
        groups: Iterable[GroupInfo],
        completers: Mapping[str, CompleterInfo],
        *,
        load: Callable[[str], ModuleType] = importlib.import_module,
    ) -> None:
        self.groups = tuple(groups)
        self.completers = completers
        self._load = load
        self._by_name = {name: group for group in self.groups for name in (group.name, *group.aliases)}
        self._inner = {name: group for group in self.groups for name in group.within}
        self._by_action = {
            name: (group, info)
            for group in self.groups
            for info in group.commands
            for name in (info.tool, info.action)
        }
        self._commands: dict[str, ActionCommand] = {}
        self._levels: dict[str, GroupCommand] = {}

    def group(self, name: str) -> GroupInfo | None:
        """The group called ``name``, by its own name or an alias."""
        return self._by_name.get(name)

    def inner(self, group: GroupInfo, name: str) -> GroupInfo | None:
        """The group that stands inside ``group`` as ``name``."""
        return self._inner.get(f"{group.name} {name}")

    def inside(self, group: GroupInfo) -> tuple[tuple[str, GroupInfo], ...]:
        """The groups inside ``group``, each with its name there."""
        prefix = f"{group.name} "
        return tuple(
            (name.removeprefix(prefix), one) for name, one in self._inner.items() if name.startswith(prefix)
        )

    def find(self, group: GroupInfo, name: str) -> CommandInfo | None:
        """The command of ``group`` called ``name``, by its own name or an alias."""
        return next((info for info in group.commands if name == info.name or name in info.aliases), None)

    def action(self, name: str) -> tuple[GroupInfo, CommandInfo] | None:
        """Where the action with this id or tool name stands."""
        return self._by_action.get(name)

    def command(self, group: GroupInfo, info: CommandInfo) -> ActionCommand:
        """The click command, built once."""
        found = self._commands.get(info.action)
        if found is None:
            factories = self._load(group.module).COMMANDS
            found = self._commands[info.action] = cast("ActionCommand", factories[info.name]())
        return found

    def level(self, group: GroupInfo) -> GroupCommand:
        """The click command of a group, built once."""
        found = self._levels.get(group.name)
        if found is None:
            from ade_runtime.cli.commands import GroupCommand

            found = self._levels[group.name] = GroupCommand(group)
        return found

    def names(self) -> tuple[str, ...]:
        """Every group name and alias."""
        return tuple(self._by_name)


@cache
def default_catalog() -> Catalog:
    """The catalogue of the installed specs."""
    index = importlib.import_module("ade_generated.cli.index")
    return Catalog(index.GROUPS, index.COMPLETERS)
