"""What an ``ade`` command does in its own process: its own commands, reading texts, jq, and errors before any runtime."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ade_generated import errors
from ade_runtime.client.address import ade_home
from ade_runtime.contracts import AdeError

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXT_LIMIT = 4 * 1024 * 1024
UNREADABLE = "Name a file of UTF-8 text as @FILE, or pipe the text in and write - for standard input."
"""Most bytes of standard input or of one file that a line may send along."""


# -- showing errors that no runtime rendered


def show(problem: AdeError, *, text: bool | None = None) -> int:
    """Print an error to stderr in the mode the line asked for and give its exit code."""
    from ade_runtime.cli.run import error_text

    if _wants_text() if text is None else text:
        sys.stderr.write(error_text(problem))
    else:
        import orjson

        sys.stderr.write(orjson.dumps({"error": problem.envelope()}).decode() + "\n")
    return int(problem.exit)


def show_error(envelope: dict[str, Any]) -> int:
    """Print an error document that came over the wire."""
    code = str(envelope.get("code"))
    known = next((kind for kind in _error_classes() if kind.code == code), errors.InternalError)
    remote = type("RemoteError", (AdeError,), {"code": code, "rpc": known.rpc, "exit": known.exit})
    problem = remote(
        str(envelope.get("message")),
        hint=str(envelope.get("hint", "")),
        details=envelope.get("details"),
        retry_after_ms=envelope.get("retry_after_ms"),
    )
    return show(problem)


def show_unavailable(reason: str, environ: dict[str, str]) -> int:
    return show(errors.RuntimeUnavailable(reason=reason, log=f"{ade_home(environ)}/logs/runtime.log"))


def _error_classes() -> list[type[AdeError]]:
    found = [
        value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, AdeError)
    ]
    return [kind for kind in found if kind is not AdeError]


def _wants_text() -> bool:
    from ade_runtime.cli.sniff import output_mode

    output = output_mode(sys.argv[1:])
    return os.isatty(1) if output == "auto" else output == "text"


# -- what an answer leaves to this process


def read_texts(sources: Sequence[object]) -> dict[str, str] | int:
    """Standard input (``-``) and files that the line refers to; the exit code once a failure was shown."""
    from ade_runtime.cli.secret_input import ASKED

    texts: dict[str, str] = {}
    for source in map(str, sources):
        try:
            texts[source] = _read(source)
        except (OSError, EOFError, UnicodeDecodeError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem)
            name = source.removeprefix(ASKED) if source.startswith(ASKED) else source
            name = "standard input" if source == "-" else name
            told = f"{name} cannot be read: {reason}"
            return show(errors.InvalidArguments(problem=told, action="cli/run", hint=UNREADABLE))
    return texts


def _read(source: str) -> str:
    from ade_runtime.cli.secret_input import ASKED

    if source.startswith(ASKED):
        return _asked(source.removeprefix(ASKED))
    if source == "-" and os.isatty(0):
        raise ValueError("it is a terminal; pipe the text in, or name a file with @FILE")
    with os.fdopen(0, "rb", closefd=False) if source == "-" else Path(source).open("rb") as stream:
        data = stream.read(TEXT_LIMIT + 1)
    if len(data) > TEXT_LIMIT:
        raise ValueError(f"it holds more than {TEXT_LIMIT} bytes")
    return data.decode("utf-8")


def _asked(field: str) -> str:
    """A secret: typed unseen where there is a terminal, else standard input."""
    if os.isatty(0):
        import getpass

        text = getpass.getpass(f"{field}: ")
    else:
        text = _read("-")
    if not text.strip():
        raise ValueError("it is empty; pipe the text in, or name a file with @FILE")
    return text


def finish(answer: dict[str, Any], argv: list[str]) -> int:
    """Do what an answer of ``cli/run`` left to this process: a local command, or a jq expression."""
    if "local" in answer:
        local = answer["local"]
        return run_local(local["name"], list(local["args"]), text=bool(local["text"]))
    return _apply_jq(str(answer["jq"]), str(answer["stdout"]))


def deliver(answer: dict[str, Any], argv: list[str]) -> int:
    """Print an answer, or finish it here."""
    if "local" in answer or "jq" in answer:
        return finish(answer, argv)
    sys.stdout.write(answer["stdout"])
    sys.stderr.write(answer["stderr"])
    return int(answer["exit"])


def _apply_jq(expression: str, document: str) -> int:
    """Print what the expression picks, one value a line, texts without quotes. It runs here, never in the shared runtime:
    an expression may not end."""
    import jq
    import orjson

    try:
        found = jq.compile(expression).input_text(document).all()
    except ValueError as problem:
        refusal = errors.InvalidArguments(
            problem=f"--jq: {problem}", action="--jq", hint="See https://jqlang.org/manual."
        )
        return show(refusal, text=False)
    for value in found:
        sys.stdout.write((value if isinstance(value, str) else orjson.dumps(value).decode()) + "\n")
    return 0


# -- commands of the program itself


def run_word(argv: list[str]) -> int:
    """A line that begins with a local command, without asking the runtime to parse it."""
    text = _wants_text()
    if argv[0] == "--version":
        return run_local("version", argv[1:], text=text)
    if argv[0] == "runtime":
        return run_local(f"runtime {argv[1]}", argv[2:], text=text)
    return run_local(argv[0], argv[1:], text=text)


def run_local(name: str, args: list[str], *, text: bool) -> int:
    """Perform one of the program's own commands and give its exit code."""
    try:
        return _command(name, args, text)
    except AdeError as problem:
        return show(problem, text=text)


def _command(name: str, args: list[str], text: bool) -> int:
    if name in ("serve", "runtime stop", "runtime restart"):
        gc.disable()  # loading makes much and drops nothing; a runtime turns it on once all is loaded
        from ade_runtime.client import serve

        perform = {
            "serve": serve.run_serve,
            "runtime stop": serve.run_stop,
            "runtime restart": serve.run_restart,
        }
        return perform[name](args)
    if name == "doctor":
        from ade_runtime.machine.doctor import run_doctor

        return run_doctor(args, text=text)
    if name in ("install", "uninstall"):
        from ade_runtime.machine.install import command as install

        return (install.run_install if name == "install" else install.run_uninstall)(args, text=text)
    if name == "service":
        from ade_runtime.machine.service.command import run_service

        return run_service(args, text=text)
    if name == "events tail":
        from ade_runtime.client.tail import run_tail

        return run_tail(args, text=_wants_text())  # --text may stand behind the words that the runtime read
    if name == "inbox":
        from ade_runtime.client.inbox.command import run_inbox

        return run_inbox(args, text=_wants_text())
    if name == "runs watch":
        from ade_runtime.client.watch.command import run_watch

        return run_watch(args, text=_wants_text())
    if name == "storage":
        from ade_runtime.storage.command import run_storage

        return run_storage(args, text=text)
    if name == "mcp serve":
        from ade_runtime.client.mcp import run_mcp

        return run_mcp(args, dict(os.environ))
    if name == "terminals attach":
        import orjson

        from ade_runtime.client.attach import run_attach

        return run_attach(orjson.loads(args[0]))
    if name in ("guidance", "completion"):
        from ade_runtime.client import printed

        return printed.print_guidance(args) if name == "guidance" else printed.print_completion(args)
    return _version()


def _version() -> int:
    from ade_runtime.machine.facts import PROTOCOL, package_version

    sys.stdout.write(f"ade {package_version()} (protocol {PROTOCOL})\n")
    return 0


def usage(problem: str, command: str) -> errors.InvalidArguments:
    """A refusal of a local command's arguments."""
    return errors.InvalidArguments(problem=problem, action=command, hint=f"See `ade {command} --help`.")
