"""The smaller spec files: types, errors, roles, limits, layouts, prose and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ade_runtime.strict_yaml.places import Span
from codegen.ir.schemas import ScalarKind, Schema
from codegen.text import SpecText


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
    """Actions seen together. Of sessions in role agent only those in one of ``modes`` see it, where it has any; the
    ``owner``'s own shell may see it in any role that writes; ``always`` are ids of the actions that a model is shown from the
    start, in the order it is shown them.
    """

    name: str
    span: Span
    summary: SpecText
    roles: tuple[str, ...]
    modes: tuple[str, ...] = ()
    owner: bool = False
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
    """How ``--text`` prints an output: a card of fields, a table of rows, a list of cards, one text block, or a page of other
    layouts, its ``parts``.

    ``rows`` is the dotted path of the list for a table or list; ``body`` the dotted path of the text for a block; ``empty``
    what to say when the list is empty; ``headline`` a template with ``{field}`` slots.
    """

    name: str
    span: Span
    kind: Literal["card", "table", "list", "block", "page"]
    headline: SpecText | None
    rows: str | None
    body: str | None
    empty: SpecText | None
    columns: tuple[Column, ...]
    parts: tuple[str, ...] = ()


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
class ProviderTerminal:
    """How a provider's program is started in a terminal: arguments that it always gets, those of each permission mode, and
    the options that take a model, a file for the system prompt and a list of tools, ``""`` where it has none."""

    span: Span
    arguments: tuple[str, ...]
    permission_modes: Mapping[str, tuple[str, ...]]
    model: str
    brief: str
    allowed_tools: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAcp:
    """What a provider's program does in a way of its own over the Agent Client Protocol. ``tool_names`` hold ``{tool}``."""

    tool_names: tuple[str, ...]
    writes_as_edits: bool
    undeclared_tools: bool
    late_tools: bool
    plan_environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An agent program that ADE holds chats with.

    ``permission_modes`` are those of ADE it can hold, each with the program's own word; ``tools`` says how ADE's tools reach
    its model.
    """

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
    acp: ProviderAcp | None = None
    terminal: ProviderTerminal | None = None
