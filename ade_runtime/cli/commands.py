"""The click commands behind the generated ones: a root, groups that load lazily, and actions that become
invocations.

Click reads the options; the levels, positional values and messages are handled here so that every supported
version of click behaves the same. Each level returns an outcome instead of printing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from ade_runtime.cli import help as help_pages
from ade_runtime.cli.arguments import Arguments, assign_positionals, base_input, check_complete, field_problem
from ade_runtime.cli.catalog import Catalog, GroupInfo
from ade_runtime.cli.globals import (
    ACTION_OPTIONS,
    GLOBAL_OPTIONS,
    BuiltinOption,
    flag_table,
    options_from,
    take_global,
)
from ade_runtime.cli.local_commands import LOCAL_COMMANDS
from ade_runtime.cli.outcomes import (
    HelpText,
    Invocation,
    LineState,
    LocalCommand,
    NeedsText,
    Outcome,
    UsageProblem,
)
from ade_runtime.cli.params import ErrorInfo, ExampleInfo, FieldParam, RuleInfo
from ade_runtime.cli.secret_input import read_secrets, refuse_in_document, refuse_on_line
from ade_runtime.cli.suggest import unknown_command, unknown_group
from ade_runtime.cli.tokens import Flag, Split, split_words
from ade_runtime.contracts import JsonObject

_GLOBAL_NAMES = frozenset(option.name for option in GLOBAL_OPTIONS)


class Level(click.Command):
    """A command that reads its own words with click and notes the global options among them."""

    def __init__(
        self, name: str, *, title: str, builtins: Sequence[BuiltinOption], fields: Sequence[FieldParam] = ()
    ) -> None:
        params: list[click.Parameter] = [_builtin_option(option) for option in builtins]
        params += [_field_option(_dest(index), param) for index, param in enumerate(fields) if param.flags]
        super().__init__(name, params=params, add_help_option=False)
        self.title = title
        self.flags = {**flag_table(builtins), **_field_flags(fields)}

    def read_words(
        self, words: list[str], state: LineState, *, stop_at_first: bool
    ) -> tuple[Split, dict[str, Any]]:
        """Split and read ``words``; gives what was given by parameter name, global options put into
        ``state``.
        """
        split = split_words(words, self.flags, stop_at_first=stop_at_first, where=self.title)
        state.help = state.help or split.help
        given = self._given(split.options) if split.options else {}
        _note_order(split.options, state)
        for name in _GLOBAL_NAMES & given.keys() - {"json", "text"}:
            take_global(state.given, name, given.pop(name))
        state.version = state.version or bool(state.given.get("version"))
        return split, given

    def _given(self, options: list[str]) -> dict[str, Any]:
        """What click makes of the options, by parameter name."""
        wanted = frozenset(option.partition("=")[0] for option in options)
        context = click.Context(self, info_name=self.name, obj=wanted)
        self.parse_args(context, list(options))
        return {
            name: value
            for name, value in context.params.items()
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters that stand on the line: click's parser is made anew each time, and most would
        lie idle.
        """
        wanted = ctx.obj
        if not isinstance(wanted, frozenset):
            return super().get_params(ctx)
        return [param for param in self.params if not wanted.isdisjoint((*param.opts, *param.secondary_opts))]


class ActionCommand(Level):
    """One action as a command.

    It only parses: reading it gives an :class:`Invocation`, help, or what stands in the way.
    """

    def __init__(
        self,
        name: str,
        *,
        group: str,
        action: str,
        tool: str,
        effect: str,
        scope: str,
        summary: str,
        description: str,
        fields: Sequence[FieldParam],
        rules: Sequence[RuleInfo],
        errors: Sequence[ErrorInfo],
        examples: Sequence[ExampleInfo],
        skeleton: JsonObject,
        aliases: Sequence[str] = (),
        guidance: str = "",
        deprecated: str | None = None,
    ) -> None:
        super().__init__(
            name, title=f"ade {group} {name}", builtins=(*GLOBAL_OPTIONS, *ACTION_OPTIONS), fields=fields
        )
        self.action = action
        self.tool = tool
        self.effect = effect
        self.scope = scope
        self.summary = summary
        self.description = description
        self.fields = tuple(fields)
        self.rules = tuple(rules)
        self.errors = tuple(errors)
        self.examples = tuple(examples)
        self.skeleton = skeleton
        self.aliases = tuple(aliases)
        self.guidance = guidance
        self.notice = deprecated

    def read(self, words: list[str], state: LineState, catalog: Catalog) -> Outcome:
        """Read what follows the command's name."""
        split, given = self.read_words(words, state, stop_at_first=False)
        options = options_from(state.given)
        if state.help:
            return HelpText(text=help_pages.action_help(self, state.width), options=options)
        if state.version:
            return LocalCommand(name="version", args=(), options=options)
        if given.get("skeleton"):
            return HelpText(text=help_pages.skeleton_text(self.skeleton), options=options)
        return self.invocation(split, given, state, catalog)

    def invocation(
        self, split: Split, given: Mapping[str, Any], state: LineState, catalog: Catalog
    ) -> Outcome:
        """The call itself, or the text that is needed before it can be put together."""
        base = base_input(given["input_json"], state) if "input_json" in given else {}
        options = options_from(state.given)
        if isinstance(base, str):
            return NeedsText(sources=(base,), options=options)
        refuse_in_document(self.fields, given.get("input_json"), base)
        values = self.collect(base, split, given)
        ask = "input_json" not in given
        if needed := read_secrets(self.fields, values, base, state, self.title, ask=ask):
            check_complete(self.fields, self.rules, {**needed, **values}, self.title)
            return NeedsText(sources=tuple(needed.values()), options=options)
        check_complete(self.fields, self.rules, values, self.title)
        return Invocation(
            action_id=self.action, arguments=values, options=options, dry_run=bool(given.get("dry_run"))
        )

    def collect(self, base: JsonObject, split: Split, given: Mapping[str, Any]) -> JsonObject:
        """The arguments from every way they can be given."""
        arguments = Arguments(self.fields, base)
        self.put_typed(arguments, split, given)
        put_assigned(arguments, self.fields, given)
        return arguments.values

    def put_typed(self, arguments: Arguments, split: Split, given: Mapping[str, Any]) -> None:
        """Put what flags and positional words gave."""
        by_flag = {
            param.field: given[_dest(index)]
            for index, param in enumerate(self.fields)
            if _dest(index) in given
        }
        for param, words in assign_positionals(self.fields, split.positionals, by_flag, self.title):
            arguments.put(param.field, _read(param, words, param.metavar, self.title), param.metavar)
        for param in self.fields:
            if param.field in by_flag:
                value = by_flag[param.field]
                if not param.is_switch:
                    value = _read(param, value if param.many else [value], param.flag, self.title)
                arguments.put(param.field, value, param.flag)


class RunCommand(ActionCommand):
    """``ade actions run ID``: --arg, --arg-json and --input-json give the fields of the action that is
    named.
    """

    def invocation(
        self, split: Split, given: Mapping[str, Any], state: LineState, catalog: Catalog
    ) -> Outcome:
        """The named action's own call; a call of ``actions.run`` where its own options (to run it apart) are
        given.
        """
        own = Arguments(self.fields, {})
        self.put_typed(own, split, given)
        if "action" not in own.values:
            check_complete(self.fields, self.rules, own.values, self.title)
        name = own.values.pop("action")
        base = (
            base_input(given["input_json"], state)
            if "input_json" in given
            else _object(own.values.pop("arguments", {}))
        )
        options = options_from(state.given)
        if isinstance(base, str):
            return NeedsText(sources=(base,), options=options)
        found = catalog.action(name)
        target = catalog.command(*found) if found else None
        values = self._target_values(target, base, given)
        if target is not None:
            where = f"{self.title} {name}"
            ask = "input_json" not in given
            if needed := read_secrets(target.fields, values, base, state, where, ask=ask):
                check_complete(target.fields, target.rules, {**needed, **values}, where)
                return NeedsText(sources=tuple(needed.values()), options=options)
            check_complete(target.fields, target.rules, values, where)
        dry_run = bool(given.get("dry_run"))
        action_id = target.action if target else name
        if any(own.values.values()):
            wrapped = {"action": action_id, "arguments": values, **own.values}
            return Invocation(action_id=self.action, arguments=wrapped, options=options, dry_run=dry_run)
        return Invocation(action_id=action_id, arguments=values, options=options, dry_run=dry_run)

    def _target_values(
        self, target: ActionCommand | None, base: JsonObject, given: Mapping[str, Any]
    ) -> JsonObject:
        fields = target.fields if target is not None else _untyped(given)
        refuse_in_document(fields, given.get("input_json", ""), base)
        arguments = Arguments(fields, base)
        put_assigned(arguments, fields, given)
        return arguments.values


class GroupCommand(Level):
    """A group of actions, from the index alone; the module of its domain is loaded for the command that is
    used.
    """

    def __init__(self, info: GroupInfo) -> None:
        super().__init__(info.name, title=f"ade {info.name}", builtins=GLOBAL_OPTIONS)
        self.info = info

    def read(self, words: list[str], state: LineState, catalog: Catalog) -> Outcome:
        """Read what follows the group's name."""
        split, _ = self.read_words(words, state, stop_at_first=True)
        options = options_from(state.given)
        if not split.positionals:
            if state.version and not state.help:
                return LocalCommand(name="version", args=(), options=options)
            text = help_pages.group_help(self.info, catalog, state.width)
            return HelpText(text=text, options=options)
        name, rest = split.positionals[0], split.positionals[1:]
        found = catalog.find(self.info, name)
        if found is not None:
            return catalog.command(self.info, found).read(rest, state, catalog)
        inner = catalog.inner(self.info, name)
        if inner is not None:
            return catalog.level(inner).read(rest, state, catalog)
        local = f"{self.info.name} {name}"
        if local in LOCAL_COMMANDS:
            return _local(local, rest, state)
        raise unknown_command(self.info, name, catalog)


class Root(Level):
    """``ade`` itself."""

    def __init__(self) -> None:
        super().__init__("ade", title="ade", builtins=GLOBAL_OPTIONS)

    def read(self, words: list[str], state: LineState, catalog: Catalog) -> Outcome:
        """Read a whole line."""
        split, _ = self.read_words(words, state, stop_at_first=True)
        options = options_from(state.given)
        if not split.positionals:
            if state.version and not state.help:
                return LocalCommand(name="version", args=(), options=options)
            return HelpText(text=help_pages.root_help(catalog, state.width), options=options)
        name, rest = split.positionals[0], split.positionals[1:]
        group = catalog.group(name)
        if group is not None:
            return catalog.level(group).read(rest, state, catalog)
        if name in LOCAL_COMMANDS:
            return _local(name, rest, state)
        if name == "help":
            state.help = True
            return self.read(rest, state, catalog)
        raise unknown_group(name, catalog)


def _local(name: str, rest: Sequence[str], state: LineState) -> LocalCommand:
    args = ("--help", *rest) if state.help else tuple(rest)
    return LocalCommand(name=name, args=args, options=options_from(state.given))


def _note_order(words: Sequence[str], state: LineState) -> None:
    """Of --json and --text the later one counts; click keeps no order."""
    for word in words:
        if word in ("--json", "--text"):
            take_global(state.given, word[2:], True)


def _read(param: FieldParam, words: Sequence[str], way: str, where: str) -> Any:
    values: list[Any] = []
    for word in words:
        try:
            values.append(param.read(word))
        except ValueError as error:
            path = f"{param.field}.{len(values)}" if param.many else param.field
            raise field_problem(f"{way}: {error}.", f"See `{where} --help`.", {path: str(error)}) from None
    return values if param.many else values[-1]


def put_assigned(arguments: Arguments, fields: Sequence[FieldParam], given: Mapping[str, Any]) -> None:
    """Put what --arg and --arg-json gave; a secret is refused there."""
    for option, put in (("arg", arguments.add_text), ("arg_json", arguments.add_json)):
        for assignment in given.get(option, ()):
            refuse_on_line(fields, (assignment.partition("=")[0],), f"--{option.replace('_', '-')}")
            put(assignment)


def _object(value: Any) -> JsonObject:
    if not isinstance(value, dict):
        raise UsageProblem("--arguments must hold a JSON object.", hint="See `ade actions run --help`.")
    return value


def _untyped(given: Mapping[str, Any]) -> list[FieldParam]:
    """Fields of an action that is not known here: text stays text, and the runtime says that there is no such
    action.
    """
    names = {str(word).partition("=")[0] for word in (*given.get("arg", ()), *given.get("arg_json", ()))}
    return [
        FieldParam(field=name, kind="text", flags=(), metavar="", help="", limits="")
        for name in sorted(names)
    ]


def _dest(index: int) -> str:
    """Click's name of a field: never the wire name, which may be any word, a keyword included."""
    return f"field_{index}"


def _builtin_option(option: BuiltinOption) -> click.Option:
    names = [option.name, *option.flags]
    if option.metavar is None:
        return click.Option(names, is_flag=True)
    return click.Option(names, type=click.UNPROCESSED, multiple=option.repeats)


def _field_option(dest: str, param: FieldParam) -> click.Option:
    if param.is_switch:
        flags = [*param.flags[:-1], f"{param.flag}/{param.off_flag}" if param.off_flag else param.flag]
        return click.Option([dest, *flags], is_flag=True, default=None, hidden=param.hidden)
    return click.Option(
        [dest, *param.flags], type=click.UNPROCESSED, multiple=param.many, hidden=param.hidden
    )


def _field_flags(fields: Sequence[FieldParam]) -> dict[str, Flag]:
    table = {}
    for param in fields:
        for spelling in param.flags:
            table[spelling] = Flag(canonical=param.flag, takes_value=not param.is_switch, off=param.off_flag)
        if param.off_flag:
            table[param.off_flag] = Flag(canonical=param.off_flag, takes_value=False, off=param.flag)
    return table
