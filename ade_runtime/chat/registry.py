"""The providers: which there are, and the adapter and the program of each."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

from ade_generated import errors
from ade_generated.providers import PROVIDERS
from ade_runtime.chat.providers.base import ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ade_runtime.chat.providers.base import Provider
    from ade_runtime.contracts import ProviderEntry
    from ade_runtime.machine.tools.detect import Detected


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


def adapter(entry: ProviderEntry) -> Provider:
    """The object that speaks to a provider's program. Its module has a ``provider(entry)``."""
    module = importlib.import_module(f"ade_runtime.chat.providers.{entry.adapter}")
    return cast("Provider", module.provider(entry))


async def detected(entry: ProviderEntry, environ: Mapping[str, str]) -> Detected:
    """What is known of a provider's program on this machine."""
    from ade_runtime.machine.tools.detect import detect

    return (await detect(environ, {entry.program})).tools[entry.program]


async def executable(entry: ProviderEntry, environ: Mapping[str, str]) -> Path:
    """The provider's program.

    Raises:
        ProviderError: of kind ``missing``.
    """
    found = await detected(entry, environ)
    if not found.candidates:
        raise ProviderError("missing", f"{entry.title} is not installed. {entry.hint}")
    return found.candidates[0].path
