"""What to say when a line names no command: the names it may have been meant as, wherever they stand."""

from __future__ import annotations

from ade_runtime.cli.catalog import Catalog, GroupInfo
from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from ade_runtime.cli.outcomes import UsageProblem
from ade_runtime.cli.values import closest, join_words, shown


def unknown_group(word: str, catalog: Catalog) -> UsageProblem:
    """``word`` is the first word of a line and neither a group nor a command of the program."""
    exact = catalog.action(word)
    if exact is not None:
        ways = [f"ade {exact[0].name} {exact[1].name}"]
    else:
        near = closest(word, [*catalog.names(), *LOCAL_COMMANDS])
        ways = [f"ade {name}" for name in near] + _commands_like(word, catalog)
    return UsageProblem(
        f"ade has no command {shown(word)}.",
        hint=_hint(ways, "See `ade --help`, or `ade actions list --text`."),
    )


def unknown_command(group: GroupInfo, word: str, catalog: Catalog) -> UsageProblem:
    """``word`` follows a group and is none of its commands."""
    names = {name: info.name for info in group.commands for name in (info.name, *info.aliases)}
    names |= {name: name for name, _ in catalog.inside(group)}
    near = list(dict.fromkeys(names[name] for name in closest(word, list(names))))
    ways = _switches(group, word, catalog) + [f"ade {group.name} {name}" for name in near]
    ways = ways or _commands_like(word, catalog)
    return UsageProblem(
        f"ade {group.name} has no command {shown(word)}.", hint=_hint(ways, f"See `ade {group.name} --help`.")
    )


def _switches(group: GroupInfo, word: str, catalog: Catalog) -> list[str]:
    """Commands of the group that have ``word`` as a switch: to steer is to send with ``--steer``."""
    commands = (catalog.command(group, info) for info in group.commands)
    return [
        f"ade {group.name} {command.name} {param.flag}"
        for command in commands
        for param in command.fields
        if param.is_switch and param.flag == f"--{word}" and not param.hidden
    ]


def _commands_like(word: str, catalog: Catalog) -> list[str]:
    """Commands of any group that are called ``word`` or whose tool name or id is close to it."""
    dashed = word.replace("_", "-")
    same = [f"ade {group.name} {dashed}" for group in catalog.groups if catalog.find(group, dashed)]
    if same:
        return same[:3]
    spelled = {}
    for group in catalog.groups:
        for info in group.commands:
            spelled[info.tool] = spelled[info.action] = f"ade {group.name} {info.name}"
    near = closest(word.replace("-", "_"), list(spelled))
    return list(dict.fromkeys(spelled[name] for name in near))


def _hint(ways: list[str], fallback: str) -> str:
    if not ways:
        return fallback
    return f"Did you mean {join_words([f'`{way}`' for way in ways[:3]], 'or')}? {fallback}"
