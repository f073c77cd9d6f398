"""The providers: which there are, and the adapter and the program of each."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, cast

from ade_generated import errors
from ade_generated.providers import PROVIDERS
from ade_runtime.chat.providers.base import ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import ModuleType

    from ade_runtime.chat.providers.base import Provider
    from ade_runtime.contracts import ProviderEntry


def provider_entry(name: str) -> ProviderEntry:
    """The declaration of a provider; raises ``unknown_provider``."""
    entry = PROVIDERS.get(name)
    if entry is None:
        raise errors.UnknownProvider(provider=name, known=", ".join(PROVIDERS))
    return entry


def check_mode(entry: ProviderEntry, mode: str) -> None:
    """Refuse a permission mode that a provider cannot hold; raises ``unsupported_mode``."""
    if mode not in entry.permission_modes:
        known = ", ".join(entry.permission_modes)
        raise errors.UnsupportedMode(provider=entry.name, mode=mode, known=known)


async def adapter(entry: ProviderEntry) -> Provider:
    """The object that speaks to a provider's program. Its module has a ``provider(entry)``.

    Raises:
        ProviderError: of kind ``missing``, where a library that the adapter needs is not installed.
    """
    return cast("Provider", (await _module(entry)).provider(entry))


async def executable(entry: ProviderEntry, environ: Mapping[str, str]) -> Path:
    """The provider's program: the user's own, else one that came with the adapter's library.

    Raises:
        ProviderError: of kind ``missing``.
    """
    from ade_runtime.machine.tools.detect import detect

    found = (await detect(environ, {entry.program})).tools[entry.program]
    if found.candidates:
        return found.candidates[0].path
    module = await _module(entry)
    path: Path | None = getattr(module, "bundled", lambda: None)()
    if path is None:
        raise ProviderError("missing", f"{entry.title} is not installed. {entry.hint}")
    return path


async def bundled(entry: ProviderEntry) -> Path | None:
    """The program that came with the adapter's library, if the library is there and brought one."""
    try:
        module = await _module(entry)
    except ProviderError:
        return None
    path: Path | None = getattr(module, "bundled", lambda: None)()
    return path


async def _module(entry: ProviderEntry) -> ModuleType:
    """The adapter's module, loaded on another thread: what it needs may take a second to load."""
    try:
        return await asyncio.to_thread(importlib.import_module, f"ade_runtime.chat.providers.{entry.adapter}")
    except ModuleNotFoundError as problem:
        reason = f"The library {problem.name} is not installed; `pip install 'ade-control-plane[{entry.adapter}]'` brings it."
        raise ProviderError("missing", reason) from problem
