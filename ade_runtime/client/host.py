"""``--host user@machine``: the command is performed by the runtime of another machine, over one ssh connection.

ssh starts ``ade serve --stdio`` there. Paths on the line are that machine's; standard input and files the line refers to are
this one's. The token of a session never leaves its machine, and from inside a session nothing is sent elsewhere at all: over
there it would be the owner.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from typing import IO, Any

import orjson

from ade_generated import errors
from ade_runtime.cli.clean import clean_line
from ade_runtime.cli.globals import HOST_PATTERN
from ade_runtime.client.build import PROTOCOL
from ade_runtime.client.local import deliver, read_texts, show, show_error
from ade_runtime.client.main import INTERRUPTED, LOCAL, line_params, show_progress
from ade_runtime.client.outside import require_outside
from ade_runtime.contracts import AdeError, JsonObject

REMOTE = """sh -c 'PATH="$HOME/.local/bin:$PATH"; export PATH; exec ade serve --stdio'"""
"""Run by the other machine's shell, whatever it is; shells that are no login shells often lack the user's own folder."""

SSH = ("ssh", "-T", "-o", "ConnectTimeout=15")
SENT = ("NO_COLOR", "TERM", "LANG", "ADE_DEFAULT_ROLE", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL")
SENT_PREFIXES = ("LC_", "GIT_COMMITTER_")
NOISE_LIMIT = 64 * 1024
"""Bytes that a login script of the other machine may print before the runtime's first answer."""

TRIES = 2
_UNREACHED, _NOT_FOUND, _NOT_RUNNABLE = 255, 127, 126


def run_on_host(argv: list[str], environ: Mapping[str, str]) -> int:
    """Perform the line on the machine its ``--host`` names and give the exit code."""
    try:
        host, words = take_host(argv)
        require_outside("--host")
        return _perform(host, words, environ)
    except AdeError as problem:
        return show(problem)
    except KeyboardInterrupt:
        return INTERRUPTED


def take_host(argv: list[str]) -> tuple[str, list[str]]:
    """The machine and the line without ``--host``. Raises ``invalid_arguments`` for what may not be handed to ssh."""
    end = argv.index("--") if "--" in argv else len(argv)
    words, rest, host = list(argv[:end]), argv[end:], ""
    while (at := _position(words)) is not None:
        name, equals, value = words[at].partition("=")
        taken = 1 if equals else 2
        host = value if equals else "".join(words[at + 1 : at + 2])
        if not re.fullmatch(HOST_PATTERN, host):
            problem = f"{name} needs user@machine or a name of your ssh configuration, not {host[:80]!r}"
            raise errors.InvalidArguments(
                problem=problem, action=name, hint="For example --host ada@build-7."
            )
        del words[at : at + taken]
    for flag in ("--headless", "--socket"):
        if any(word == flag or word.startswith(flag + "=") for word in words):
            raise errors.InvalidArguments(problem=f"{flag} does not go with --host", action="--host")
    if words and words[0] in LOCAL:
        raise _here_only(host, words[0])
    return host, words + rest


def _position(words: list[str]) -> int | None:
    return next((at for at, word in enumerate(words) if word == "--host" or word.startswith("--host=")), None)


def _here_only(host: str, command: str) -> AdeError:
    return errors.InvalidArguments(
        problem=f"`ade {command}` is about the machine it runs on",
        action="--host",
        hint=f"Run it there: ssh {host} ade {command}",
    )


def _perform(host: str, words: list[str], environ: Mapping[str, str]) -> int:
    params = line_params(words, dict(environ))
    del params["build"]
    params |= {"cwd": "/", "elsewhere": True, "env": sent_environment(environ)}
    for _ in range(TRIES):
        with Remote(host) as remote:
            answer = remote.run(params, words)
        if answer is None:
            continue  # that runtime was just ending
        if isinstance(answer, int):
            return answer
        if "local" in answer:
            raise _here_only(host, str(answer["local"]["name"]))
        return deliver(answer, words)
    raise errors.HostUnreachable(host=host, reason="its runtime ended again and again")


def sent_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What another machine is told: how to print and who commits. Nothing that names places or proves anything here."""
    return {n: v for n, v in environ.items() if n in SENT or n.startswith(SENT_PREFIXES)}


class Remote:
    """One ssh process with a runtime's connection on its standard input and output."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object
        self._number = 0
        argv = [*SSH, "--", host, REMOTE]
        try:
            self._process = subprocess.Popen(
                argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said
            )
        except FileNotFoundError as problem:
            self._said.close()
            raise errors.SshMissing(host=host) from problem
        except OSError as problem:
            self._said.close()
            raise errors.HostUnreachable(host=host, reason=f"ssh: {problem.strerror}") from problem

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
        self._process.terminate()
        self._process.wait()
        self._said.close()

    def run(self, params: JsonObject, words: list[str]) -> JsonObject | int | None:
        """The answer of ``cli/run``, an exit code once a failure was shown, ``None`` where the runtime ends just now."""
        told = self._ask("ade/initialize", {"protocol": PROTOCOL})
        if told is None:
            return None
        if "error" in told:
            return self._refused(told["error"])
        while True:
            told = self._ask("cli/run", params)
            if told is None:
                return None
            if "error" in told:
                return self._refused(told["error"])
            answer: JsonObject = told["result"]
            if not answer.get("need"):
                return answer
            texts = read_texts(answer["need"])
            if isinstance(texts, int):
                return texts
            params["texts"] = texts

    def _ask(self, method: str, params: JsonObject) -> JsonObject | None:
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        try:
            stdin.write(orjson.dumps(request) + b"\n")
            stdin.flush()
        except BrokenPipeError:
            raise self._failure() from None
        shown, noise = False, 0
        while line := stdout.readline():
            message = _message(line)
            if message is None:
                noise += len(line)
                if noise > NOISE_LIMIT:
                    raise errors.HostUnreachable(
                        host=self._host, reason="something else than ade answers there"
                    )
            elif message.get("method") == "runtime/closing":
                return None
            elif message.get("method") == "$/progress":
                shown = show_progress(message["params"], shown)
            elif message.get("id") == self._number:
                return message
        raise self._failure()

    def _refused(self, error: JsonObject) -> int | None:
        data = error.get("data")
        envelope = data if isinstance(data, dict) else {"code": "internal_error", **error}
        if envelope.get("code") == "shutting_down":
            return None
        if envelope.get("code") == "incompatible_protocol":
            theirs = envelope.get("details", {}).get("runtime", {}).get("protocol", 0)
            raise errors.IncompatibleProtocol(
                peer=f"ADE on {self._host}",
                theirs=int(theirs),
                mine=PROTOCOL,
                advice="Use the same version of ADE on both machines.",
            )
        return show_error(envelope)

    def _failure(self) -> AdeError:
        """Why ssh, or what it started, ended without an answer."""
        code = self._process.wait()
        self._said.seek(0)
        lines = [line for line in self._said.read().decode("utf-8", "replace").splitlines() if line.strip()]
        last = lines[-1].strip() if lines else f"ssh ended with {code}"
        if code in (_NOT_FOUND, _NOT_RUNNABLE):
            return errors.AdeMissingOnHost(host=self._host)
        told = _message(last.encode())
        if code != _UNREACHED and told is not None and isinstance(told.get("error"), dict):
            found: JsonObject = told["error"]
            last = f"its runtime does not start: {found.get('message')} {found.get('hint', '')}".strip()
        return errors.HostUnreachable(host=self._host, reason=clean_line(last)[:500].rstrip("."))


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        found = orjson.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
