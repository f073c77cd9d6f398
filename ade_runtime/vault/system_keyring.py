"""Values in the system's keyring: the Keychain, the Secret Service, KWallet or Windows' own.

Each use is a short process of its own, since a keyring may wait for a person or a bus that never answers: it is ended when
its time is over, and the runtime never loads the libraries. Values go through its pipes, never its arguments.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from ade_generated import errors

STORE = "the keyring"
PROBE_SECONDS = 3.0
USE_SECONDS = 20.0
"""Long enough for a person to unlock it."""


class SystemKeyring:
    """The keyring, with entries for one ADE_HOME. ``command`` is what performs a use; tests put another in its place."""

    def __init__(
        self,
        home: str,
        environ: Mapping[str, str],
        command: tuple[str, ...] = (sys.executable, "-I", "-m", "ade_runtime.vault.keyring_process"),
        probe_seconds: float = PROBE_SECONDS,
        use_seconds: float = USE_SECONDS,
    ) -> None:
        self._service = "ade-" + hashlib.sha256(home.encode()).hexdigest()[:12]
        self._environ = dict(environ)
        self._command = command
        self._probe_seconds = probe_seconds
        self._use_seconds = use_seconds
        self._usable: bool | None = None

    async def usable(self) -> bool:
        """Whether there is a keyring that keeps values safely; asked once."""
        if self._usable is None:
            try:
                answer = await self._use({"do": "probe"}, self._probe_seconds)
                self._usable = answer.get("usable") is True
            except errors.SecretStoreFailed:
                self._usable = False
        return self._usable

    async def get(self, key: str) -> str | None:
        value = (await self._use({"do": "get", "key": key}, self._use_seconds)).get("value")
        return value if isinstance(value, str) else None

    async def put(self, key: str, value: str) -> None:
        await self._use({"do": "put", "key": key, "value": value}, self._use_seconds)

    async def delete(self, key: str) -> None:
        await self._use({"do": "delete", "key": key}, self._use_seconds)

    async def _use(self, request: dict[str, str], seconds: float) -> dict[str, Any]:
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environ,
            cwd="/",
            start_new_session=True,
        )
        message = json.dumps({**request, "service": self._service}).encode()
        try:
            async with asyncio.timeout(seconds):
                output, _ = await process.communicate(message)
        except TimeoutError:
            self._usable = None
            raise _failed(f"it did not answer within {seconds:g} seconds") from None
        finally:
            await _end(process)
        return _read(output)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End what is left of the process and of what it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _read(output: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(output)
    except ValueError:
        raise _failed("its process ended without an answer") from None
    if not isinstance(answer, dict) or "failed" in answer:
        raise _failed(
            str(answer.get("failed")) if isinstance(answer, dict) else "its answer is not understood"
        )
    return answer


def _failed(reason: str) -> errors.SecretStoreFailed:
    return errors.SecretStoreFailed(store=STORE, reason=reason)
