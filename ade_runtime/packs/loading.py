"""From a trusted content to what the runtime shows and calls: entries, commands and tools, each made when first needed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from ade_generated.roles import TOOLSETS
from ade_runtime.contracts import Effect, Idempotency, Scope, Target
from ade_runtime.packs.records import PackEntry
from ade_runtime.pipeline.notices import short

if TYPE_CHECKING:
    from ade_runtime.cli.catalog import GroupInfo
    from ade_runtime.packs.records import Known
    from ade_runtime.packs.sources import Source
    from ade_runtime.tooling.definitions import Tool
    from ade_runtime.wire import WireModel

TOOLSET = "base"
MODULE = "ade_pack:"
"""What the names of modules begin with that hold a pack's commands; no file is called that."""


class Models:
    """The models of one domain, made from their source when one is first asked for."""

    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._source = source
        self._module: ModuleType | None = None

    def named(self, name: str) -> type[WireModel]:
        """The class of that name; of ADE's shared types where it begins with ``types:``."""
        if name.startswith("types:"):
            from ade_generated.models import types

            return cast("type[WireModel]", getattr(types, name.removeprefix("types:")))
        if self._module is None:
            module = ModuleType(self._name)
            sys.modules[self._name] = module  # pydantic looks there for what annotations mean
            exec(compile(self._source, f"<{self._name}>", "exec"), vars(module))
            self._module = module
        return cast("type[WireModel]", getattr(self._module, name))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A pack that is trusted and whose content is what was trusted. ``watched`` are its files as they were when it was read."""

    known: Known
    entries: tuple[PackEntry, ...]
    domains: tuple[dict[str, Any], ...]
    watched: tuple[tuple[str, tuple[int, int, int]], ...]


def load(known: Known, compiled: dict[str, Any], source: Source) -> Loaded:
    """The entries of a pack; nothing of it is imported or run."""
    domains = tuple(compiled["domains"])
    handlers = dict(source.handlers)
    entries = tuple(
        _entry(known, domain, action, models, handlers.get(domain["name"]))
        for domain in domains
        for models in (_models(known, domain),)
        for action in domain["actions"]
    )
    return Loaded(known, entries, domains, source.watched)


def _models(known: Known, domain: dict[str, Any]) -> Models:
    return Models(f"ade_pack_{str(known.hash)[7:23]}_{domain['name']}", domain["models"])


def _entry(
    known: Known, domain: dict[str, Any], action: dict[str, Any], models: Models, handler: str | None
) -> PackEntry:
    prefix = "types:" if action["shared_output"] else ""
    return PackEntry(
        id=action["id"],
        tool=action["tool"],
        domain=domain["name"],
        method=action["method"],
        summary=marked(action["summary"], known),
        effect=Effect(action["effect"]),
        scope=Scope(action["scope"]),
        idempotency=Idempotency(action["idempotency"]),
        toolset=TOOLSET,
        min_role=action["min_role"],
        requires=tuple(action["requires"]),
        hidden_in=tuple(action["hidden_in"]),
        rate_limit=action["rate_limit"],
        timeout=action["timeout"],
        input_ref=action["input"],
        output_ref=prefix + action["output"],
        errors=tuple(action["errors"]),
        text=action["text"],
        cli=(action["cli"][0], action["cli"][1]),
        target=Target(**action["target"]),
        moves_refs=action["moves_refs"],
        deprecated=action["deprecated"],
        deprecated_fields=action["deprecated_fields"],
        pack=known,
        content=str(known.hash),
        run=action["run"],
        handler=handler,
        schemas=action["schemas"],
        models=models,
    )


def marked(summary: str, known: Known) -> str:
    """A summary that says whose it is, where only a line is shown."""
    return f"{summary} [pack {known.name}]"


def told(text: str, known: Known) -> str:
    """A description that says first whose it is."""
    return f"Of pack {known.name}, from {known.origin}; it is not part of ADE.\n{text}".rstrip()


def groups(loaded: Loaded) -> list[GroupInfo]:
    """The groups of commands of a pack."""
    from ade_runtime.cli.catalog import CommandInfo, GroupInfo

    return [
        GroupInfo(
            name=domain["group"],
            module=MODULE + domain["name"],
            title=domain["title"],
            summary=marked(domain["summary"], loaded.known),
            aliases=tuple(domain["aliases"]),
            commands=tuple(
                CommandInfo(
                    name=action["command"]["command"],
                    action=action["id"],
                    tool=action["tool"],
                    summary=short(marked(action["summary"], loaded.known), action["deprecated"]),
                    aliases=tuple(action["command"]["aliases"]),
                )
                for action in domain["actions"]
            ),
        )
        for domain in loaded.domains
    ]


def commands(loaded: Loaded, domain: dict[str, Any]) -> ModuleType:
    """What a generated module of commands would be for a domain of a pack."""
    module = ModuleType(MODULE + domain["name"])
    made = {action["command"]["command"]: action["command"] for action in domain["actions"]}
    vars(module)["COMMANDS"] = {
        name: lambda values=values: _command(loaded, domain, values) for name, values in made.items()
    }
    return module


def _command(loaded: Loaded, domain: dict[str, Any], values: dict[str, Any]) -> object:
    from ade_runtime.cli.commands import ActionCommand
    from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo

    def field(given: dict[str, Any]) -> FieldParam:
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in given.items()
        }
        return FieldParam(**values)

    return ActionCommand(
        values["command"],
        group=domain["group"],
        action=values["id"],
        tool=values["tool"],
        effect=values["effect"],
        scope=values["scope"],
        summary=values["summary"],
        deprecated=values["deprecated"],
        description=told(values["description"], loaded.known),
        guidance=values["guidance"],
        aliases=tuple(values["aliases"]),
        fields=[field(one) for one in values["fields"]],
        rules=[RuleInfo(kind=rule["kind"], fields=tuple(rule["fields"])) for rule in values["rules"]],
        errors=[ErrorInfo(**error) for error in values["errors"]],
        examples=[ExampleInfo(**example) for example in values["examples"]],
        skeleton=values["skeleton"],
    )


def tools(loaded: Loaded) -> list[Tool]:
    """The tools of a pack as models see them."""
    from ade_runtime.tooling.definitions import Tool

    found = []
    for action in (action for domain in loaded.domains for action in domain["actions"]):
        definition = action["definition"]
        title = marked(definition["annotations"]["title"], loaded.known)
        found.append(
            Tool(
                name=definition["name"],
                action=action["id"],
                server=TOOLSETS[TOOLSET].server,
                always=False,
                title=title,
                hint=marked(action["summary"], loaded.known),
                description=told(definition["description"], loaded.known),
                input_schema=definition["inputSchema"],
                output_schema=definition["outputSchema"],
                annotations={**definition["annotations"], "title": title, "openWorldHint": True},
            )
        )
    return found
