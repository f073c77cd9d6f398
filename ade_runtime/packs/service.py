"""The packs of one ADE_HOME: which are trusted now, and what they bring."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.dispatch import ACTIONS
from ade_runtime.packs import records
from ade_runtime.packs.records import Known, PackEntry, State
from ade_runtime.packs.store import Store

if TYPE_CHECKING:
    from ade_runtime.cli.catalog import Catalog
    from ade_runtime.packs.loading import Loaded
    from ade_runtime.packs.sources import Source
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pipeline.execute import Handler
    from ade_runtime.services import Services
    from ade_runtime.tooling.definitions import Tool
    from ade_runtime.wire import WireModel

Watched = tuple[tuple[str, tuple[int, int, int]], ...]


class Packs:
    """``entries`` are the actions of all packs that are trusted and as they were when they were. Made for an ADE_HOME without
    packs it costs one look whether that is still so."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.store = Store(services.paths.home)
        self._mark: tuple[int, int, int] | None = None
        self._loaded: list[Loaded] = []
        self._astray: list[tuple[Known, State, Watched]] = []
        """Packs that are not what was trusted of them, and the files by which it was found; none where they cannot be read."""
        self._names: dict[str, Known] = {}
        self._catalog: Catalog | None = None
        self.states: dict[str, State] = {}
        """State of each added pack as of the last look."""
        self.entries: dict[str, PackEntry] = {}

    # -- looking

    def refresh(self) -> bool:
        """Look whether packs came, went or changed; whether ``entries`` are others than before."""
        mark = self.store.mark()
        if mark == self._mark and not self._changed():
            return False
        self._mark = mark
        before = self.entries
        self._load()
        return before.keys() != self.entries.keys() or any(
            before[name].content != entry.content for name, entry in self.entries.items()
        )

    def _changed(self) -> bool:
        if not self._loaded and not self._astray:
            return False
        from ade_runtime.packs.sources import status_of

        watched = [one.watched for one in self._loaded] + [seen for _, _, seen in self._astray]
        if any(status_of(path) != seen for files in watched for path, seen in files):
            return True
        return any(not seen and self._judge(known)[0] != state for known, state, seen in self._astray)

    def look_again(self) -> None:
        """Have the next :meth:`refresh` read every pack anew, as after something that no file's status tells."""
        self._mark = None

    def _load(self) -> None:
        from ade_runtime.packs.loading import load

        self._catalog = None
        self._loaded, self._astray, self.states, self.entries = [], [], {}, {}
        for known in sorted(self.store.known(), key=lambda known: known.trusted_at or ""):
            self.states[known.name], source = self._judge(known)
            if self.states[known.name] in ("changed", "missing"):
                self._astray.append(
                    (known, self.states[known.name], () if source is None else source.watched)
                )
            compiled = None if known.hash is None else self.store.compiled(known.hash)
            if self.states[known.name] == "trusted" and compiled is None:
                self.states[known.name] = "untrusted"
            for domain in compiled["domains"] if compiled is not None else ():
                self._names |= dict.fromkeys((domain["name"], *_words(domain)), known)
                self._names |= dict.fromkeys((action["tool"] for action in domain["actions"]), known)
            if self.states[known.name] != "trusted" or source is None or compiled is None:
                continue
            one = load(known, compiled, source)
            if self._taken(one):
                self.states[known.name] = "conflict"
                continue
            self._loaded.append(one)
            self.entries |= {entry.id: entry for entry in one.entries}
        for entry in self.entries.values():
            records.rows[entry.id] = records.rows[entry.tool] = entry

    def _judge(self, known: Known) -> tuple[State, Source | None]:
        if known.hash is None:
            return "untrusted", None
        try:
            source = self.read(known)
        except errors.PackUnreadable:
            return "missing", None
        if source.hash != known.hash:
            return "changed", source
        return "trusted", source

    def _taken(self, one: Loaded) -> bool:
        """Whether a name of a pack is taken: by ADE, maybe since a later version, or by a pack that was trusted before it."""
        from ade_runtime.cli.catalog import default_catalog

        others: dict[str, object] = {**ACTIONS, **self.entries}
        tools = {entry.tool.lower() for entry in (*ACTIONS.values(), *self.entries.values())}
        words = set(default_catalog().names())
        words |= {word for other in self._loaded for domain in other.domains for word in _words(domain)}
        ours = {word for domain in one.domains for word in _words(domain)}
        named = any(entry.id in others or entry.tool.lower() in tools for entry in one.entries)
        return named or bool(words & ours)

    def read(self, known: Known) -> Source:
        """The files of a pack as they are now; raises ``pack_unreadable``."""
        from ade_runtime.packs.sources import read_package, read_project

        if known.kind == "project":
            return read_project(known.name, Path(known.root))
        return read_package(known.name)

    def explain(self, name: str) -> errors.PackChanged | None:
        """Why an action or group of commands that a pack brought is no more: its content changed. ``None`` for other names."""
        known = self._names.get(name) or self._names.get(name.partition(".")[0])
        if known is None or self.states.get(known.name) not in ("changed", "missing"):
            return None
        return errors.PackChanged(pack=known.name, origin=known.origin)

    # -- what packs bring

    def catalog(self) -> Catalog | None:
        """Every group of commands, the packs' among them; ``None`` where no pack brings any."""
        if not self._loaded:
            return None
        if self._catalog is None:
            from ade_runtime.cli.catalog import Catalog, default_catalog
            from ade_runtime.packs.loading import groups

            usual = default_catalog()
            added = [group for one in self._loaded for group in groups(one)]
            self._catalog = Catalog([*usual.groups, *added], usual.completers, load=self._module)
        return self._catalog

    def _module(self, name: str) -> ModuleType:
        from ade_runtime.packs.loading import MODULE, commands

        for one in self._loaded:
            for domain in one.domains:
                if name == MODULE + domain["name"]:
                    return commands(one, domain)
        return importlib.import_module(name)

    def tools(self) -> list[Tool]:
        """The packs' tools, by name."""
        if not self._loaded:
            return []
        from ade_runtime.packs.loading import tools

        return sorted((tool for one in self._loaded for tool in tools(one)), key=lambda tool: tool.name)

    def handler(self, entry: PackEntry) -> Handler:
        """What performs an action of a pack, once its content was found to be what is trusted."""

        async def perform(call: Call, model: WireModel) -> WireModel:
            from ade_runtime.packs import command, python
            from ade_runtime.workspace.threads import in_thread

            state, _ = await in_thread(lambda: self._judge(entry.pack))
            if state != "trusted":
                self.look_again()
                raise errors.PackChanged(pack=entry.pack.name, origin=entry.pack.origin)
            if entry.run is None:
                return await python.perform(self._services, entry, call, model)
            files = self.store.content(entry.content) / "files"
            return await command.perform(self._services, entry, call, model, files)

        return perform

    # -- what the owner decides

    def find(self, name: str) -> Known:
        """The added pack of that name; raises ``pack_not_found``."""
        known = next((one for one in self.store.known() if one.name == name), None)
        if known is None:
            raise errors.PackNotFound(pack=name)
        return known

    def add(self, known: Known) -> None:
        """Note a pack, which is not trusted by that. One that is known already stays as it is; raises ``pack_name_taken``."""
        with self.store.changing() as packs:
            for other in packs:
                if other.name == known.name and (other.kind, other.root) != (known.kind, known.root):
                    raise errors.PackNameTaken(pack=known.name, origin=other.origin)
            if all(other.name != known.name for other in packs):
                packs.append(known)

    def trust(self, name: str, hash_: str, at: str) -> None:
        """Trust exactly that content, which was kept before."""
        self._replace(name, lambda known: replace(known, hash=hash_, trusted_at=at))

    def remove(self, name: str) -> None:
        """Forget a pack and what was trusted of it."""
        known = self.find(name)
        with self.store.changing() as packs:
            packs[:] = [one for one in packs if one.name != name]
        if known.hash is not None:
            self.store.drop(known.hash)

    def distrust(self, name: str) -> None:
        """Trust no content of a pack, which stays known."""
        self._replace(name, lambda known: replace(known, hash=None, trusted_at=None))

    def _replace(self, name: str, change: Callable[[Known], Known]) -> None:
        with self.store.changing() as packs:
            packs[:] = [change(one) if one.name == name else one for one in packs]


def _words(domain: Mapping[str, object]) -> tuple[str, ...]:
    aliases = domain["aliases"]
    assert isinstance(aliases, list)
    return (str(domain["group"]), *map(str, aliases))
