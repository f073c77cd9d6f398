"""Builds domains, actions, fields, rules and examples from the nodes of ``specs/domains``."""

from __future__ import annotations

from collections.abc import Iterator

from ade_runtime.strict_yaml.reader import Sequence
from codegen import ir, naming
from codegen.ir import Span
from codegen.load.nodes import View, seconds
from codegen.load.values import ValueBuilder
from codegen.options import default_flag
from codegen.places import Places

DEFAULT_TIMEOUT = 60.0
"""Seconds after which a call is stopped when its action does not say otherwise."""
DEFAULT_TOOLSET = "base"
"""Who sees an event whose spec names no toolset."""
RULES = ("exactly_one_of", "at_most_one_of", "at_least_one_of", "requires")


class DomainBuilder:
    """One domain file → :class:`codegen.ir.Domain`. ``broken`` are ids of actions with faulty examples."""

    def __init__(self, values: ValueBuilder, places: Places) -> None:
        self.values = values
        self.places = places
        self.broken: set[str] = set()

    def build(self, view: View, file: str) -> ir.Domain:
        """The domain a file describes; its actions in the order of their names."""
        name = view.word("domain", "")
        cli = view.view("cli")
        actions = [self._action(name, key, span, entry, view) for key, span, entry in view.entries("actions")]
        self.places.note(view.span, view.node)
        return ir.Domain(
            name=name,
            file=file,
            span=view.span,
            title=view.must_text("title"),
            summary=view.must_text("summary"),
            group=cli.word("group", naming.command_name(name)),
            group_aliases=cli.words("aliases"),
            within=cli.words("within"),
            actions=tuple(sorted(actions, key=lambda action: action.name)),
            events=tuple(sorted(self._events(name, view), key=lambda event: event.name)),
        )

    def _events(self, domain: str, view: View) -> Iterator[ir.Event]:
        for name, span, entry in view.entries("events"):
            self.places.note_key(span, entry.node)
            yield ir.Event(
                type=f"{domain}.{name}",
                name=name,
                span=span,
                summary=entry.must_text("summary"),
                toolset=entry.word("toolset", DEFAULT_TOOLSET),
            )

    def _action(self, domain: str, name: str, span: Span, view: View, parent: View) -> ir.Action:
        self.places.note_key(span, view.node)
        cli = view.view("cli")
        effect = view.word("effect", "read")
        output = view.raw("output")
        return ir.Action(
            id=f"{domain}.{name}",
            name=name,
            domain=domain,
            span=span,
            summary=view.must_text("summary"),
            description=view.text("description"),
            tool=view.word("tool", f"{domain}_{name}"),
            command=cli.word("name", naming.command_name(name)),
            aliases=cli.words("aliases"),
            effect=effect,
            scope=view.word("scope", parent.word("scope", "project")),
            idempotency=view.word("idempotency", "natural" if effect == "read" else "none"),
            toolset=view.word("toolset", ""),
            min_role=view.word("min_role"),
            requires=view.words("requires"),
            hidden_in=view.words("hidden_in"),
            target=_target(view),
            moves_refs=view.word("moves_refs", False),
            rate_limit=view.word("rate_limit"),
            timeout=seconds(view.word("timeout"), DEFAULT_TIMEOUT),
            fields=tuple(self._field(key, at, entry) for key, at, entry in view.entries("input")),
            rules=self._rules(view),
            output=self.values.build(output),  # type: ignore[arg-type]  # checks/outputs.py proves the kind
            errors=view.words("errors"),
            text=view.word("text"),
            examples=self._examples(f"{domain}.{name}", view),
            guidance=view.text("guidance"),
            deprecated=self._deprecated(view),
        )

    def _field(self, name: str, span: Span, view: View) -> ir.Field:
        self.places.note_key(span, view.node)
        cli = view.view("cli")
        return ir.Field(
            name=name,
            span=span,
            schema=self.values.build(view.node),
            required=not view.word("optional", False) and "default" not in view,
            cli=ir.FieldCli(
                positional=cli.word("positional", False),
                short=cli.word("short"),
                flag=cli.word("flag", default_flag(name)),
                off=cli.word("off"),
                metavar=cli.word("metavar"),
                complete=cli.word("complete"),
                hidden=cli.word("hidden", False),
                duration=cli.word("duration", False),
            ),
            secret=view.word("secret", False),
            deprecated=self._deprecated(view),
        )

    def _deprecated(self, view: View) -> ir.Deprecation | None:
        if "deprecated" not in view:
            return None
        found = view.view("deprecated")
        self.places.note(found.span, found.node)
        return ir.Deprecation(
            since=found.word("since", ""),
            use=found.word("use"),
            remove_after=found.word("remove_after", ""),
            span=found.span,
        )

    def _rules(self, view: View) -> tuple[ir.Rule, ...]:
        rules = []
        for entry in view.items("rules"):
            kind = next((key for key in RULES if key in entry), None)
            if kind is None or entry.bad:
                continue
            if kind == "requires":
                need = entry.view(kind)
                fields = (need.word("field", ""), *need.words("fields"))
            else:
                fields = entry.words(kind)
            self.places.note(entry.span, entry.node)
            rules.append(ir.Rule(kind=kind, fields=fields, span=entry.span))  # type: ignore[arg-type]
        return tuple(rules)

    def _examples(self, action: str, view: View) -> tuple[ir.Example, ...]:
        examples = []
        for entry in view.items("examples"):
            if entry.bad:
                self.broken.add(action)
                continue
            self.places.note(entry.span, entry.node)
            error = entry.view("error")
            examples.append(
                ir.Example(
                    title=entry.must_text("title"),
                    given=entry.words("given"),
                    input=entry.data("input") or {},
                    output=entry.data("output") if "output" in entry else None,
                    error=_error(error) if "error" in entry else None,
                    span=entry.span,
                    role=entry.word("role"),
                    token=entry.data("as"),
                )
            )
        listed = view.raw("examples")
        if listed is None or not isinstance(listed, Sequence):
            self.broken.add(action)
        return tuple(examples)


def _target(view: View) -> ir.Target:
    """What the spec says; without a word of it, the input fields ``lane``, ``session`` and ``project`` as far as there are."""
    if "target" not in view:
        fields = {name: name for name, _, _ in view.entries("input")}
        return ir.Target(
            lane=fields.get("lane"), session=fields.get("session"), project=fields.get("project")
        )
    given = view.view("target")
    return ir.Target(
        lane=given.word("lane"),
        session=given.word("session"),
        project=given.word("project"),
        request=given.word("request"),
        anyone=given.word("anyone", False),
    )


def _error(view: View) -> ir.ExampleError:
    path = view.word("path")
    if path is None and "path" in view:
        path = ""
    return ir.ExampleError(code=view.word("code", ""), path=path)
