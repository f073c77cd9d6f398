"""The typed intermediate model: what every check reads and every emitter prints.

The loader builds it from YAML; nothing after the loader sees a raw mapping. All nodes are frozen. Text an author wrote is
a :class:`SpecText`, which refuses to be printed until the context it lands in is named (see :mod:`codegen.text`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ade_runtime.strict_yaml.places import Span as Span
from codegen.text import SpecText

ScalarKind = Literal["string", "integer", "number", "boolean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Base of all schema nodes. ``default`` is ``None`` when there is none: a default of null cannot be written."""

    span: Span
    title: SpecText | None = None
    description: SpecText | None = None
    nullable: bool = False
    default: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StringSchema(Schema):
    enum: tuple[str, ...] = ()
    const: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: Literal["date", "date-time"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberSchema(Schema):
    """``kind`` tells integers from numbers; bounds are always present after normalisation unless exclusive ones are."""

    kind: Literal["integer", "number"]
    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BooleanSchema(Schema):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class ArraySchema(Schema):
    items: Schema
    min_items: int | None = None
    max_items: int | None = None
    unique: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectSchema(Schema):
    """A closed object. ``required`` keeps the order of ``properties``."""

    properties: Mapping[str, Schema]
    required: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSchema(Schema):
    """An object with free keys. ``values`` is ``None`` for a free JSON object (any value)."""

    values: Schema | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefSchema(Schema):
    """A reference to a named type of ``specs/types``; the target is found in :attr:`Specs.types`."""

    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionSchema(Schema):
    """A tagged union of object types; each branch has ``discriminator`` as a required const string."""

    branches: tuple[RefSchema, ...]
    discriminator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCli:
    """How the command line takes a field. A ``duration`` is written like 12m or 2h30m and sent as whole seconds."""

    positional: bool = False
    short: str | None = None
    flag: str
    metavar: str | None = None
    complete: str | None = None
    hidden: bool = False
    duration: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One input field. ``required`` is false when the spec says ``optional: true`` or gives a default.

    A ``secret`` one is text that the command line reads from a file, standard input or a prompt, and nothing ever shows.
    """

    name: str
    span: Span
    schema: Schema
    required: bool
    cli: FieldCli
    secret: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule across fields. For ``requires`` the first of ``fields`` is the one that, when given, needs the others."""

    kind: Literal["exactly_one_of", "at_most_one_of", "at_least_one_of", "requires"]
    fields: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleError:
    """``path`` is dotted (``labels.0``), empty for the whole input, ``None`` when the example leaves it out."""

    code: str
    path: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    title: SpecText
    given: tuple[str, ...]
    input: Mapping[str, Any]
    output: Mapping[str, Any] | None
    error: ExampleError | None
    span: Span
    role: str | None = None
    """Role of the caller, ``None`` for the owner's own shell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an action changes, each as the input field that names it.

    ``anyone`` says that it belongs to no lane or session. A target without anything is more than a session may change.
    """

    lane: str | None = None
    session: str | None = None
    project: str | None = None
    request: str | None = None
    anyone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    id: str
    name: str
    domain: str
    span: Span
    summary: SpecText
    description: SpecText | None
    tool: str
    command: str
    aliases: tuple[str, ...]
    effect: Literal["read", "write", "destructive", "secret"]
    scope: Literal["project", "machine"]
    idempotency: Literal["none", "natural", "request_id"]
    toolset: str
    min_role: str | None
    requires: tuple[str, ...]
    hidden_in: tuple[str, ...]
    target: Target
    rate_limit: str | None
    timeout: float
    fields: tuple[Field, ...]
    rules: tuple[Rule, ...]
    output: ObjectSchema | RefSchema
    errors: tuple[str, ...]
    text: str | None
    examples: tuple[Example, ...]
    guidance: SpecText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something the runtime tells of besides actions that worked. ``type`` is ``<domain>.<name>``; whoever sees the toolset
    sees the event.
    """

    type: str
    name: str
    span: Span
    summary: SpecText
    toolset: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    name: str
    file: str
    span: Span
    title: SpecText
    summary: SpecText
    group: str
    group_aliases: tuple[str, ...]
    actions: tuple[Action, ...]
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedType:
    """A shared type. ``is_class`` is true for PascalCase names, which become model classes; others are inlined."""

    name: str
    file: str
    span: Span
    schema: Schema
    is_class: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSpec:
    code: str
    span: Span
    summary: SpecText
    message: SpecText
    hint: SpecText
    exit: Literal[
        "failed",
        "usage",
        "denied",
        "not_found",
        "conflict",
        "rate_limited",
        "unavailable",
        "timed_out",
        "interrupted",
    ]
    rpc: int
    retry: bool
    params: Mapping[str, ScalarKind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """``rank`` orders roles, lowest first; ``effects`` are what the role may call without a spec opening more."""

    name: str
    span: Span
    rank: int
    summary: SpecText
    effects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """Actions seen together. ``modes`` are the interaction modes whose sessions see it, empty for every caller; ``always`` are
    ids of the actions that a model is shown from the start, in the order it is shown them.
    """

    name: str
    span: Span
    summary: SpecText
    roles: tuple[str, ...]
    modes: tuple[str, ...] = ()
    server: str
    always: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """``limit`` calls in any window of ``window`` seconds, counted per ``per``; they count towards the limit ``also``, too."""

    name: str
    span: Span
    summary: SpecText
    limit: int
    window: float
    per: Literal["session", "machine"]
    also: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentVariable:
    name: str
    span: Span
    summary: SpecText
    example: SpecText | None
    authorises: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalTool:
    """A program of somebody else's to look for. ``version_pattern`` has one group, the version; ``excluded`` are names that
    are not its program, with the reason.
    """

    name: str
    span: Span
    title: SpecText
    programs: tuple[str, ...]
    known_folders: tuple[str, ...]
    version_args: tuple[str, ...]
    version_pattern: str
    version_environment: Mapping[str, str]
    excluded: Mapping[str, SpecText]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """``field`` is a dotted path into the output; ``format`` names a formatter of the renderer."""

    field: str
    label: SpecText
    format: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLayout:
    """How ``--text`` prints an output: a card of fields, a table of rows, or one text block.

    ``rows`` is the dotted path of the list for a table; ``body`` the dotted path of the text for a block; ``empty`` what to
    say when the list is empty; ``headline`` a template with ``{field}`` slots.
    """

    name: str
    span: Span
    kind: Literal["card", "table", "block"]
    headline: SpecText | None
    rows: str | None
    body: str | None
    empty: SpecText | None
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Completer:
    """Live shell completion: call ``action`` with ``input``, take ``value`` (and ``help``) of each element at ``items``."""

    name: str
    span: Span
    action: str
    input: Mapping[str, Any] = field(default_factory=dict)
    items: str
    value: str
    help: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A JSON-RPC method that is no action itself. With ``action`` its parameters and result are that action's input and
    output; otherwise ``params`` and ``result`` hold them, ``None`` where there are none.
    """

    name: str
    span: Span
    summary: SpecText
    kind: Literal["request", "notification"]
    sent_by: Literal["client", "server"]
    action: str | None
    params: Schema | None
    result: Schema | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A named starting point for examples; ``steps`` are interpreted by the contract tests."""

    name: str
    span: Span
    summary: SpecText
    steps: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidanceText:
    """One prose file of ``specs/guidance``; ``{{slot}}`` marks are filled by the guidance emitter."""

    name: str
    file: str
    text: SpecText


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillText:
    """One of ADE's own skills, a file of ``specs/skills`` named after it. It is made only where all its ``domains`` exist.
    ``line`` is where ``text``, the body, begins in the file; ``{{slot}}`` marks in it are filled by the skills emitter.
    """

    name: str
    file: str
    span: Span
    description: SpecText
    domains: tuple[str, ...]
    text: SpecText
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An agent program that ADE holds chats with. ``permission_modes`` are those of ADE it can hold, each with the program's own
    word; ``tools`` says how ADE's tools reach its model."""

    name: str
    span: Span
    title: SpecText
    summary: SpecText
    program: str
    adapter: str
    arguments: tuple[str, ...]
    environment: tuple[str, ...]
    tools: str
    steer: bool
    permission_modes: Mapping[str, str]
    efforts: tuple[str, ...]
    models: tuple[str, ...]
    hint: SpecText


@dataclass(frozen=True, slots=True, kw_only=True)
class Specs:
    """Everything the specs say, sorted by name so that the order of files and keys never shows in the output."""

    root: Path
    domains: tuple[Domain, ...]
    types: Mapping[str, NamedType]
    errors: Mapping[str, ErrorSpec]
    roles: Mapping[str, Role]
    toolsets: Mapping[str, Toolset]
    rate_limits: Mapping[str, RateLimit]
    environment: tuple[EnvironmentVariable, ...]
    layouts: Mapping[str, TextLayout]
    completers: Mapping[str, Completer]
    fixtures: Mapping[str, Fixture]
    guidance: tuple[GuidanceText, ...]
    skills: tuple[SkillText, ...] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    external_tools: Mapping[str, ExternalTool] = field(default_factory=dict)
    providers: Mapping[str, Provider] = field(default_factory=dict)
    known_folders: tuple[str, ...] = ()
    """Folders looked into for every external tool, after its own."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each spec file by its path relative to the project root."""

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(action for domain in self.domains for action in domain.actions)
