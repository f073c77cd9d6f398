"""What generated code and hand-written code agree on: action entries, the error base, the model base.

Generated modules import from here and from nowhere else in the runtime, so this module imports only the standard
library; the pydantic side of the contract lives in :mod:`ade_runtime.wire`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

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


@dataclass(frozen=True, kw_only=True)
class ActionEntry:
    """One row of the generated dispatch table: everything the pipeline must know before a handler runs.

    ``input_ref`` and ``output_ref`` are ``module:Class`` and are imported when first used. ``timeout`` is in seconds.
    ``cli`` is ``(group, command)``. ``errors`` are the codes the spec declares besides those of the pipeline itself.
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

    @cached_property
    def input_model(self) -> type[WireModel]:
        return _load(self.input_ref)

    @cached_property
    def output_model(self) -> type[WireModel]:
        return _load(self.output_ref)


def _load(ref: str) -> type[WireModel]:
    module, _, name = ref.partition(":")
    return cast("type[WireModel]", getattr(importlib.import_module(module), name))


class AdeError(Exception):
    """An error a caller is meant to read: stable code, message, and a hint that names the next step.

    Generated subclasses (``ade_generated.errors``) fill the class attributes from ``specs/errors.yaml``. ``details`` is a
    JSON object; ``retry_after_ms`` is set where waiting that long makes the same call succeed.
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
