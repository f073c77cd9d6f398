"""A pack's files, read and checked together with ADE's own specs, so that nothing of a pack takes a name that is taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ade_runtime.strict_yaml.reader import Mapping as MappingNode
from ade_runtime.strict_yaml.reader import Node
from codegen import ir
from codegen.diagnostics import Diagnostic, SpecErrors
from codegen.load import SpecLoader
from codegen.load.files import SpecFile
from codegen.load.nodes import View
from codegen.packs.rules import check_domain
from codegen.packs.runs import Run, read_run

ROOT = next(
    folder for folder in (Path(__file__).parents[2], Path(__file__).parents[1]) if (folder / "specs").is_dir()
)
"""Where ADE's specs lie: beside the generator in a checkout, inside it where it is installed."""


_FORM = frozenset(
    ["missing-key", "misplaced-key", "unknown-key", "bad-name", "wrong-type", "wrong-value", "schema-keyword"]
)
"""Codes of what keeps an action from being read whole."""


class Pack:
    """``specs`` are ADE's with the pack's ``domains`` among them; ``runs`` are its commands by action id."""

    def __init__(self, specs: ir.Specs, domains: tuple[ir.Domain, ...], runs: Mapping[str, Run]) -> None:
        self.specs = specs
        self.domains = domains
        self.runs = runs


def load_pack(files: Mapping[str, bytes], *, commands: bool) -> Pack:
    """Read and check a pack. ``files`` are its spec files by name; with ``commands`` its actions are commands, else they are
    performed by Python. Raises :class:`SpecErrors` with all that is wrong."""
    return _PackLoader(files, commands).load_pack()


class _PackLoader(SpecLoader):
    def __init__(self, files: Mapping[str, bytes], commands: bool) -> None:
        super().__init__(ROOT)
        self._files = [SpecFile(name, "domain", data) for name, data in sorted(files.items())]
        self._commands = commands
        self._run_nodes: dict[str, Node] = {}
        self._own: set[str] = set()

    def load_pack(self) -> Pack:
        try:
            specs = self.load()
        except SpecErrors as problem:
            self._check_whole(problem)
            raise SpecErrors(self._blamed(self.sink.items), self.texts) from None
        domains = tuple(domain for domain in specs.domains if domain.file in self._own)
        runs: dict[str, Run] = {}
        for domain in domains:
            check_domain(domain, self.places, self.sink, commands=self._commands)
            for action in domain.actions:
                self._check_run(action, specs, runs)
        if self.sink.items:
            raise SpecErrors(self.sink.items, self.texts)
        return Pack(specs, domains, runs)

    def further_files(self) -> list[SpecFile]:
        return self._files

    def take_out(self, file: SpecFile, node: MappingNode) -> None:
        """Keep what only packs say of an action, which the schema of spec files does not know."""
        if file not in self._files:
            return
        self._own.add(file.name)
        domain, actions = node.get("domain"), node.get("actions")
        if isinstance(actions, MappingNode):
            for name, (_, action) in actions.entries.items():
                if isinstance(action, MappingNode) and "run" in action.entries:
                    said = getattr(domain, "value", "")
                    self._run_nodes[f"{said}.{name}"] = action.entries.pop("run")[1]

    def _check_whole(self, problem: SpecErrors) -> None:
        """What no pack may do, of the actions that could be read: told together with what else is wrong."""
        faulty = {(one.span.file, one.span.line) for one in problem.diagnostics if one.code in _FORM}
        for domain in self.domains.values():
            if domain.file in self._own:
                actions = sorted(domain.actions, key=lambda action: action.span.line)
                ends = [*(action.span.line for action in actions[1:]), len(self.texts[domain.file])]
                whole = [
                    action
                    for action, end in zip(actions, ends, strict=False)
                    if not any((domain.file, line) in faulty for line in range(action.span.line, end))
                ]
                part = replace(domain, actions=tuple(whole))
                check_domain(part, self.places, self.sink, commands=self._commands)

    def _check_run(self, action: ir.Action, specs: ir.Specs, runs: dict[str, Run]) -> None:
        node = self._run_nodes.get(action.id)
        if node is None:
            if self._commands:
                message = f"{action.id} does not say what it runs"
                self.sink.add(action.span, "missing-key", message, "add run: {argv: [PROGRAM, …]}")
            return
        if not self._commands:
            message = "the actions of a Python package are its functions"
            self.sink.add(node.span, "misplaced-key", message, "remove run:")
            return
        run = read_run(View(node, set()), action, specs, self.sink)
        if run is not None:
            runs[action.id] = run

    def _blamed(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Faults at their place in the pack: of two names that collide it is the pack's that has to go."""
        own = next(iter(sorted(self._own)), self._files[0].name if self._files else "")
        return [
            one
            if one.span.file in self._own or any(one.span.file == file.name for file in self._files)
            else replace(one, span=ir.Span(own, 1, 1), message=f"{one.message} (seen at {one.span})")
            for one in found
        ]
