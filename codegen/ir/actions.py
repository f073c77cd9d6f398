"""Domains, their actions and their events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ade_runtime.strict_yaml.places import Span
from codegen.ir.schemas import ObjectSchema, RefSchema, Schema
from codegen.text import SpecText


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """That something will go. ``use`` is what to use instead, ``None`` where there is nothing; ``remove_after`` the last
    version that still has it.
    """

    since: str
    use: str | None
    remove_after: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCli:
    """How the command line takes a field. A ``duration`` is written like 12m or 2h30m and sent as whole seconds;
    ``off`` turns a switch off.
    """

    positional: bool = False
    short: str | None = None
    flag: str
    off: str | None = None
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
    deprecated: Deprecation | None = None


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
    token: str | None = None
    """Alias of the token of the session that calls, ``None`` for the owner's own shell."""


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
    moves_refs: bool
    """Whether it may move or remove refs besides the branch that its target lane has checked out, before and after."""
    rate_limit: str | None
    timeout: float
    fields: tuple[Field, ...]
    rules: tuple[Rule, ...]
    output: ObjectSchema | RefSchema
    errors: tuple[str, ...]
    text: str | None
    examples: tuple[Example, ...]
    guidance: SpecText | None
    deprecated: Deprecation | None = None


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
    within: tuple[str, ...]
    """Where the group also stands inside another one, as the words after ``ade``: ``chats scheduled-work``."""
    actions: tuple[Action, ...]
    events: tuple[Event, ...] = ()
