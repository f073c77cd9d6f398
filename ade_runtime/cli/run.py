"""One command line from argv to what goes to stdout and stderr. The socket's ``cli/run`` and --headless both come here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from ade_generated import errors
from ade_runtime.cli.catalog import default_catalog
from ade_runtime.cli.clean import clean
from ade_runtime.cli.flagged import in_flags
from ade_runtime.cli.local_commands import CONTINUED
from ade_runtime.cli.outcomes import (
    GlobalOptions,
    HelpText,
    Invocation,
    LocalCommand,
    NeedsText,
    UsageProblem,
)
from ade_runtime.cli.parse import parse
from ade_runtime.cli.render import Screen, render
from ade_runtime.contracts import AdeError, JsonObject
from ade_runtime.pipeline.call import Caller, Identity, Progress, Transport, no_progress
from ade_runtime.pipeline.identify import TOKEN_VARIABLE, Attempt, Origin
from ade_runtime.pipeline.notices import notices

if TYPE_CHECKING:
    from ade_runtime.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A command line and where it was typed. ``texts`` holds standard input or files the line refers to, once read."""

    argv: tuple[str, ...]
    cwd: str
    width: int = 80
    terminal_out: bool = False
    terminal_err: bool = False
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    transport: Transport = "socket"

    @classmethod
    def from_wire(cls, params: JsonObject) -> Line:
        """From the parameters of ``cli/run``; raises ``invalid_arguments`` for a client that does not follow the protocol."""
        argv, cwd, env = params.get("argv"), params.get("cwd"), params.get("env", {})
        texts, width = params.get("texts", {}), params.get("width", 80)
        sound = (
            _texts(argv)
            and isinstance(cwd, str)
            and isinstance(env, dict)
            and _texts(list(env.values()))
            and isinstance(texts, dict)
            and _texts(list(texts.values()))
            and type(width) is int
        )
        if not sound:
            problem = "argv, cwd, env, texts or width is missing or of the wrong type"
            raise errors.InvalidArguments(problem=problem, action="cli/run")
        return cls(
            argv=tuple(argv),  # type: ignore[arg-type]
            cwd=str(cwd),
            width=min(max(width, 20), 1000),
            terminal_out=params.get("terminal_out") is True,
            terminal_err=params.get("terminal_err") is True,
            env=env,
            texts=texts,
        )

    def screen(self, options: GlobalOptions) -> Screen:
        plain = options.no_color or self.env.get("NO_COLOR") or self.env.get("TERM") == "dumb"
        return Screen(self.width, self.terminal_out, self.terminal_out and not plain)

    def wants_text(self, options: GlobalOptions) -> bool:
        if options.output == "auto":
            return self.terminal_out
        return options.output == "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the command prints and ends with, or what its own process must do instead.

    ``jq`` is an expression to apply to ``stdout`` (a JSON document) in the caller's process. ``local`` is a command of the
    program itself. ``need`` names texts to read and send with the same line.
    """

    stdout: str = ""
    stderr: str = ""
    exit: int = 0
    jq: str | None = None
    local: JsonObject | None = None
    need: tuple[str, ...] = ()

    def to_wire(self) -> JsonObject:
        wire: JsonObject = {"stdout": self.stdout, "stderr": self.stderr, "exit": self.exit}
        if self.jq is not None:
            wire["jq"] = self.jq
        if self.local is not None:
            wire["local"] = self.local
        if self.need:
            wire["need"] = list(self.need)
        return wire


class Typist(Protocol):
    """Where a line comes from: the process that sent it, and the session that it introduced itself as, if any."""

    origin: Origin
    session: str | None


class Here:
    """This process, whose own ancestors say who types."""

    def __init__(self) -> None:
        self.origin = Origin.here()
        self.session: str | None = None


async def run_line(
    services: Services, line: Line, progress: Progress = no_progress, typist: Typist | None = None
) -> Answer:
    """Parse, call, render. Every :class:`AdeError` becomes an answer; nothing is printed here.

    Without a ``typist`` it is this process.
    """
    services.pipeline.renew()
    catalog = services.packs.catalog()
    outcome = parse(line.argv, width=line.width, cwd=line.cwd, texts=line.texts, catalog=catalog)
    if isinstance(outcome, UsageProblem):
        changed = services.packs.explain(next((word for word in line.argv if word[:1] != "-"), ""))
        return error_answer(changed or outcome, line, outcome.options)
    if isinstance(outcome, HelpText):
        return Answer(stdout=outcome.text if outcome.text.endswith("\n") else outcome.text + "\n")
    if isinstance(outcome, LocalCommand):
        return Answer(local=local_wire(outcome, line))
    if isinstance(outcome, NeedsText):
        return Answer(need=outcome.sources)
    try:
        return await _invoke(services, line, outcome, progress, typist or Here())
    except AdeError as problem:
        told = in_flags(problem, outcome.action_id, line.argv, catalog or default_catalog())
        return error_answer(told, line, outcome.options)


async def _invoke(
    services: Services, line: Line, invocation: Invocation, progress: Progress, typist: Typist
) -> Answer:
    options = invocation.options
    who = await line_identity(services, line, options.role, typist, invocation.action_id)
    caller = line_caller(line, options.project)
    pipeline = services.pipeline
    if invocation.dry_run:
        shown = await pipeline.preview(
            invocation.action_id, invocation.arguments, identity=who, caller=caller
        )
        return _success(orjson.dumps(shown), None, line, options)
    text = line.wants_text(options)
    output = await pipeline.call(
        invocation.action_id,
        invocation.arguments,
        identity=who,
        caller=caller,
        request_id=options.request_id,
        timeout=options.timeout,
        progress=progress if text and line.terminal_err and not options.quiet else no_progress,
    )
    answer = _success(output, invocation.action_id, line, options)
    warned = () if options.quiet else notices(invocation.action_id, invocation.arguments)
    return replace(answer, stderr=warnings(warned, as_text=text)) if warned else answer


async def line_identity(
    services: Services, line: Line, role: str | None, typist: Typist, action: str
) -> Identity:
    """Who typed the line, in the role that the line or ADE_DEFAULT_ROLE asks for, which never is a higher one than its own."""
    identification, attempt = services.identification, Attempt(action, line.transport)
    token = line.env.get(TOKEN_VARIABLE) or None
    wanted = role or line.env.get("ADE_DEFAULT_ROLE") or None
    if typist.session is None:
        return await identification.identify(typist.origin, attempt, token=token, wanted=wanted)
    return await identification.again(typist.session, typist.origin, attempt, token=token, wanted=wanted)


def line_caller(line: Line, project: str | None) -> Caller:
    """Where the line was typed."""
    return Caller(
        transport=line.transport,
        cwd=line.cwd,
        project=project,
        lane=line.env.get("ADE_LANE_ID") or None,
        project_root=line.env.get("ADE_PROJECT_ROOT") or None,
        chat=line.env.get("ADE_CHAT_SESSION_ID") or None,
        env=line.env,
    )


def _success(output: bytes, action: str | None, line: Line, options: GlobalOptions) -> Answer:
    if options.jq is not None:
        return Answer(stdout=output.decode(), jq=options.jq)
    if action in CONTINUED and line.terminal_out and line.wants_text(options):
        return Answer(local={"name": CONTINUED[action], "args": [output.decode()], "text": True})
    if not line.wants_text(options):
        if line.terminal_out:
            output = orjson.dumps(orjson.loads(output), option=orjson.OPT_INDENT_2)
        return Answer(stdout=output.decode() + "\n")
    return Answer(stdout=render(orjson.loads(output), _layout(action), line.screen(options)))


def _layout(action: str | None) -> Any:
    from ade_generated.layouts import LAYOUTS
    from ade_runtime.packs.records import entry_of

    entry = entry_of(str(action))
    name = None if entry is None else entry.text
    return None if name is None else LAYOUTS[name]


def warnings(said: tuple[str, ...], *, as_text: bool) -> str:
    """What standard error says of a call that worked: a line each, or one JSON document."""
    if as_text:
        return "".join(f"warning: {clean(one)}\n" for one in said)
    return orjson.dumps({"warnings": list(said)}).decode() + "\n"


def error_answer(problem: AdeError, line: Line, options: GlobalOptions) -> Answer:
    """The error as one JSON document, or as a line of text with its hint; stdout stays empty."""
    if line.wants_text(options):
        return Answer(stderr=error_text(problem), exit=int(problem.exit))
    document = orjson.dumps({"error": problem.envelope()}, default=str).decode()
    return Answer(stderr=document + "\n", exit=int(problem.exit))


def error_text(problem: AdeError) -> str:
    """``error: message`` and the hint, each problem of a refused input on a line of its own."""
    lines = [f"error: {problem.message}"]
    problems = problem.details.get("problems")
    if isinstance(problems, list) and len(problems) > 1:
        lines += [f"  {one.get('path')}: {one.get('message')}" for one in problems if isinstance(one, dict)]
    if problem.hint:
        lines.append(f"hint: {problem.hint}")
    return clean("\n".join(lines)) + "\n"


def local_wire(command: LocalCommand, line: Line) -> JsonObject:
    return {
        "name": command.name,
        "args": list(command.args),
        "text": line.wants_text(command.options),
        "role": command.options.role,
    }


def _texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


async def complete(services: Services, line: Line, shell: str, typist: Typist | None = None) -> str:
    """What the completion script of ``shell`` reads for the words in ``line.argv``; no candidates where something is wrong."""
    from ade_runtime.cli import complete as completion

    words = completion.shell_words(shell, line.argv)
    services.pipeline.renew()
    found = completion.complete(words, catalog=services.packs.catalog())
    candidates = found.candidates
    if found.live is not None:
        action = found.live.completer.action
        try:
            output = await services.pipeline.call(
                action,
                dict(found.live.completer.input),
                identity=await line_identity(services, line, None, typist or Here(), action),
                caller=line_caller(line, found.live.project),
            )
            candidates = completion.live_candidates(found, orjson.loads(output))
        except AdeError:
            candidates = ()
    return completion.render(found, candidates, shell)
