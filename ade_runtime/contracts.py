"""What generated code and hand-written code agree on: action entries, the error base, the model base.

Generated modules import from here and from nowhere else in the runtime, so this module imports only the
standard library; the pydantic side of the contract lives in :mod:`ade_runtime.wire`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

if TYPE_CHECKING:
    from ade_runtime.wire import WireModel

JsonObject = dict[str, Any]


class Effect(StrEnum):
    """What a call may do to the world; drives permission, audit and dry runs."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"
    SECRET = "secret"


class Scope(StrEnum):
    """Whether an action works on one project or on the whole machine."""

    PROJECT = "project"
    MACHINE = "machine"


class Idempotency(StrEnum):
    """How a retry is made safe: not at all, by its nature, or by a receipt under a request id."""

    NONE = "none"
    NATURAL = "natural"
    REQUEST_ID = "request_id"


class Exit(IntEnum):
    """Exit codes of the ``ade`` command (DESIGN section 9)."""

    OK = 0
    FAILED = 1
    USAGE = 2
    DENIED = 3
    NOT_FOUND = 4
    CONFLICT = 5
    RATE_LIMITED = 6
    UNAVAILABLE = 7
    TIMED_OUT = 124
    INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an action changes, each as the input field that names it.

    An absent value of ``lane``, ``session`` or ``project`` means the caller's own. ``request`` names something that was asked
    for and is decided about. ``anyone`` says that what is changed belongs to no lane or session; a target without anything
    is more than a session bound to a lane may change.
    """

    lane: str | None = None
    session: str | None = None
    project: str | None = None
    request: str | None = None
    anyone: bool = False


NO_TARGET = Target()


@dataclass(frozen=True, kw_only=True)
class ActionEntry:
    """One row of the generated dispatch table: everything the pipeline must know before a handler runs.

    ``input_ref`` and ``output_ref`` are ``module:Class`` and are imported when first used. ``timeout`` is in
    seconds. ``cli`` is ``(group, command)``. ``errors`` are the codes the spec declares besides those of the
    pipeline itself. ``secrets`` are the input fields whose values nothing may show or keep. ``deprecated`` says that the action
    will go and what to use instead, ``deprecated_fields`` the same of input fields by their names.
    """

    id: str
    tool: str
    domain: str
    method: str
    summary: str
    effect: Effect
    scope: Scope
    idempotency: Idempotency
    toolset: str
    min_role: str | None
    requires: tuple[str, ...]
    hidden_in: tuple[str, ...]
    rate_limit: str | None
    timeout: float
    input_ref: str
    output_ref: str
    errors: tuple[str, ...]
    text: str | None
    cli: tuple[str, str]
    target: Target = NO_TARGET
    moves_refs: bool = False
    secrets: tuple[str, ...] = ()
    deprecated: str | None = None
    deprecated_fields: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def input_model(self) -> type[WireModel]:
        return _load(self.input_ref)

    @cached_property
    def output_model(self) -> type[WireModel]:
        return _load(self.output_ref)


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A row of ``ade_generated.roles.ROLES``.

    ``effects`` are what the role may call without a spec opening more.
    """

    name: str
    rank: int
    summary: str
    effects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolset:
    """A row of ``ade_generated.roles.TOOLSETS``: which roles see it, and under which tool server it is
    offered. Of sessions in role agent only those in one of the interaction ``modes`` see it, where it has any;
    with ``owner`` the owner's own shell sees it, too, in any role from agent up; ``always`` are ids of the
    actions that a model is shown from the start, empty for none of them.
    """

    name: str
    summary: str
    roles: tuple[str, ...]
    modes: tuple[str, ...] = ()
    owner: bool = False
    server: str
    always: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType:
    """A row of ``ade_generated.events.EVENTS``: something the runtime tells of.

    ``category`` is its domain; whoever sees ``toolset`` sees it. ``from_action`` tells the event of an action that worked,
    which the pipeline publishes, from those that handlers publish.
    """

    type: str
    category: str
    summary: str
    toolset: str
    from_action: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """A row of ``ade_generated.roles.RATE_LIMITS``: ``limit`` calls in any ``window`` seconds, counted per
    ``per``; they count towards the limit ``also``, too.
    """

    name: str
    summary: str
    limit: int
    window: float
    per: str
    also: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One labelled value of a text layout; ``field`` is a dotted path into the output."""

    field: str
    label: str
    format: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A row of ``ade_generated.layouts.LAYOUTS``: how ``--text`` prints an output (``card``, ``table``, ``list``, ``block``, or
    ``page``, which shows its ``parts`` one below the other).
    """

    kind: str
    headline: str | None = None
    rows: str | None = None
    body: str | None = None
    empty: str | None = None
    columns: tuple[Column, ...] = ()
    parts: tuple[Layout, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentVariable:
    """A row of ``ade_generated.environment.ENVIRONMENT``.

    Only one that ``authorises`` may raise what a caller may do.
    """

    name: str
    summary: str
    example: str | None
    authorises: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalTool:
    """A row of ``ade_generated.external_tools.EXTERNAL_TOOLS``: an agent program to look for.

    ``programs`` are file names, the likeliest first. Folders may begin with ``~``; one called ``*`` is any folder. The one
    group of ``version_pattern``, searched in each line of what the program prints with ``version_args``, is the version.
    ``excluded`` are names that are not this program although they look so, each with the reason.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    known_folders: tuple[str, ...]
    version_args: tuple[str, ...]
    version_pattern: str
    version_environment: Mapping[str, str]
    excluded: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTerminal:
    """How a provider's own program is started in a terminal: ``arguments`` that it always gets, those of each permission mode
    of ADE, and the options for a model, a file for the system prompt and tools allowed unasked, ``""`` where it has none."""

    arguments: tuple[str, ...]
    permission_modes: Mapping[str, tuple[str, ...]]
    model: str
    brief: str
    allowed_tools: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderAcp:
    """What the program of a row of ``PROVIDERS`` does in a way of its own over the Agent Client Protocol.

    ``tool_names`` are how it calls a tool of ADE, with ``{tool}`` in the place of the name. ``writes_as_edits``: it calls the
    use of a tool that writes an edit. ``undeclared_tools``: it takes tool servers over HTTP without saying so.
    ``late_tools``: it comes for their tools only after the session has begun. ``plan_environment`` are variables of plan
    mode.
    """

    tool_names: tuple[str, ...]
    writes_as_edits: bool = False
    undeclared_tools: bool = False
    late_tools: bool = False
    plan_environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderEntry:
    """A row of ``ade_generated.providers.PROVIDERS``: an agent program that ADE holds chats with.

    ``program`` is its external tool, ``adapter`` the module that speaks to it, ``arguments`` what makes it speak that way,
    ``environment`` the variables of the runtime that it gets besides the usual ones.
    ``permission_modes`` are those of ADE it can hold, each with the program's own word. ``models`` are those known to work,
    the usual one first; ``efforts`` its words for how long to think, the least first. ``acp`` is there for the adapter of that
    name; ``terminal`` says how ``agent.spawn`` starts its program, ``None`` where it does not.
    """

    name: str
    title: str
    summary: str
    program: str
    adapter: str
    arguments: tuple[str, ...]
    environment: tuple[str, ...]
    tools: Literal["in_process", "declared", "mcp", "none"]
    steer: bool
    permission_modes: Mapping[str, str]
    efforts: tuple[str, ...]
    models: tuple[str, ...]
    hint: str
    acp: ProviderAcp | None = None
    terminal: ProviderTerminal | None = None


_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
LONGEST_SLOT = 2000


def fill(template: str, values: Mapping[str, str | int | float | bool] = MappingProxyType({})) -> str:
    """``template`` with its ``{name}`` slots filled, in one pass: braces in a value stay as they are.

    Control and direction marks in a value are shown as escapes and values are cut at 2,000 characters, so
    that a name from outside can neither steer a terminal nor flood an answer. An unknown ``{word}`` stays as
    it is.
    """

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        given = values[found[1]]
        text = ("true" if given else "false") if isinstance(given, bool) else str(given)
        text = text if len(text) <= LONGEST_SLOT else text[: LONGEST_SLOT - 1] + "…"
        return _CONTROL.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)

    return _SLOT.sub(value, template)


def _load(ref: str) -> type[WireModel]:
    module, _, name = ref.partition(":")
    return cast("type[WireModel]", getattr(importlib.import_module(module), name))


class AdeError(Exception):
    """An error a caller is meant to read: stable code, message, and a hint that names the next step.

    Generated subclasses (``ade_generated.errors``) fill the class attributes from ``specs/errors.yaml``.
    ``details`` is a JSON object; ``retry_after_ms`` is set where waiting that long makes the same call
    succeed.
    """

    code: ClassVar[str]
    rpc: ClassVar[int]
    exit: ClassVar[Exit]
    retry: ClassVar[bool] = False

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        details: Mapping[str, Any] | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: JsonObject = dict(details or {})
        self.retry_after_ms = retry_after_ms

    def envelope(self) -> JsonObject:
        """The error document of every surface: ``{code, message, hint, retry_after_ms?, details?}``."""
        out: JsonObject = {"code": self.code, "message": self.message, "hint": self.hint}
        if self.retry_after_ms is not None:
            out["retry_after_ms"] = self.retry_after_ms
        if self.details:
            out["details"] = self.details
        return out
