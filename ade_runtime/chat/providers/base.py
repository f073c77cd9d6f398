"""What every provider is to the chat service: a program that holds a conversation, turn by turn.

A provider reports what happens as *updates*, in order, and asks for decisions through :class:`Desk`. It knows nothing of
storage, sessions or events; the chat service knows nothing of any program's protocol.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from ade_runtime.chat.records import PermissionMode
    from ade_runtime.contracts import JsonObject
    from ade_runtime.sessions.records import CapabilityMode
    from ade_runtime.tooling.toolbox import Toolbox

EndState = Literal["completed", "interrupted", "failed", "exhausted"]
"""How a turn ended. ``exhausted`` is a quota or a budget that is used up: trying again at once cannot help."""


class ProviderError(Exception):
    """A provider cannot do what was asked. ``kind`` decides the chat's state and its next step.

    ``missing``: the program is not installed, or too old. ``refused``: it does not accept the model, the mode or the account.
    ``crashed``: it ended or broke its protocol. ``exhausted``: a quota is used up, until ``retry_after_ms`` where it said so.
    """

    def __init__(
        self,
        kind: Literal["missing", "refused", "crashed", "exhausted"],
        reason: str,
        *,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.retry_after_ms = retry_after_ms


# -- updates: what happens in a turn, in order


@dataclass(frozen=True, slots=True)
class Text:
    """A whole passage of what the model said; ``thinking`` where it is the model's reasoning."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class TextPart:
    """The next piece of a passage that is still being written: shown live, never stored."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """The model called a tool: one of ADE's or the program's own. ``call_id`` joins it with its end."""

    call_id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """What the model was given back."""

    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What the turn has cost so far. ``fill`` is the share of the model's window that the conversation takes; it and
    ``cost_usd`` are ``None`` where the program does not say."""

    input_tokens: int
    output_tokens: int
    cost_usd: float | None = None
    fill: float | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader of the transcript should know, such as a retry, a compaction or a model switch."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """Always the last update of a turn. ``reason`` is for the reader, empty where it simply completed."""

    state: EndState
    reason: str = ""
    retry_after_ms: int | None = None


Update = Text | TextPart | ToolStarted | ToolEnded | Usage | Notice | TurnEnded


# -- decisions: what a provider asks while a turn runs


@dataclass(frozen=True, slots=True)
class Approval:
    """May the program do this? ``summary`` is one line for a person; ``details`` what it gave to judge by, such as a command
    or a patch."""

    call_id: str
    tool: str
    summary: str
    details: JsonObject


@dataclass(frozen=True, slots=True)
class Verdict:
    """``message`` is what the model reads when it is refused."""

    allowed: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; without ``choices`` it is answered in free text. ``multiple`` allows several of the choices, ``free`` a
    text beside them."""

    id: str
    title: str
    text: str
    choices: tuple[Choice, ...] = ()
    multiple: bool = False
    free: bool = True


class Desk(Protocol):
    """Where a provider turns to for what only the chat service can decide. Each waits as long as it takes; a cancelled wait
    is a question withdrawn."""

    async def approve(self, approval: Approval) -> Verdict:
        """Ask for permission."""

    async def ask(self, questions: tuple[Question, ...]) -> Mapping[str, tuple[str, ...]] | None:
        """Put the program's own questions to the user: answers by question id, ``None`` when they were dismissed."""


# -- conversations


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """ADE's tools as an MCP server, lent to one program: for its ``Authorization: Bearer`` header alone is ``token``.
    ``reached()`` says whether the program has used it, ``withdraw()`` ends it."""

    url: str
    token: str = field(repr=False)
    reached: Callable[[], bool]
    withdraw: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """All a provider needs to begin, or with ``resume`` to go on with, a conversation.

    ``env`` is the whole environment of the program, session token included; ``system_prompt`` is added to the program's own.
    ``resume`` is the :attr:`Conversation.ref` of an earlier one. ``executable`` is the detected program. ``extra`` are
    options of the provider's own section of ``specs/providers.yaml``. The model's tools are those of ``toolbox``, for an
    adapter that can call it; another has ``endpoint()`` lend them, and withdraws what it was lent when it closes.
    """

    chat: str
    session: str
    cwd: Path
    env: Mapping[str, str] = field(repr=False)
    executable: Path
    model: str | None
    effort: str | None
    permission_mode: PermissionMode
    system_prompt: str
    toolbox: Toolbox
    endpoint: Callable[[], Awaitable[Endpoint]]
    desk: Desk
    resume: str | None = None
    extra: JsonObject = field(default_factory=dict)


class Conversation(Protocol):
    """A program that runs and waits for the next turn."""

    @property
    def ref(self) -> str | None:
        """What :attr:`Opening.resume` needs to go on later; ``None`` until the program has said."""

    @property
    def capability_mode(self) -> CapabilityMode:
        """Whether ADE's tools really reached the program, as it confirmed."""

    @property
    def pid(self) -> int | None:
        """The program's process, so that everything below it belongs to the session; ``None`` where it has none."""

    def turn(self, text: str) -> AsyncIterator[Update]:
        """Say ``text`` and report what happens until the turn ends; the last update is :class:`TurnEnded`.

        Raises:
            ProviderError: the program ended or broke its protocol.
        """

    async def steer(self, text: str) -> bool:
        """Say ``text`` into the running turn; false where the program cannot, or the turn is over: then it is said next."""

    async def interrupt(self) -> None:
        """End the running turn soon; it still reports :class:`TurnEnded`."""

    async def close(self) -> None:
        """End the program and everything it started. Safe to call twice."""


class Provider(Protocol):
    """One kind of agent program."""

    @property
    def name(self) -> str:
        """As in ``specs/providers.yaml``."""

    async def open(self, opening: Opening) -> Conversation:
        """Start the program.

        Raises:
            ProviderError: it cannot be started, or refuses what it was given.
        """
