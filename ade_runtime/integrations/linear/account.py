"""Who ADE is to Linear: the key, and the address it is sent to.

Both come from the runtime's own environment or from what its owner stored, never from a caller's: whoever chose the address
would be sent the key.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ade_generated import errors

if TYPE_CHECKING:
    from ade_runtime.services import Services

KEY_VARIABLE = "LINEAR_API_KEY"
"""Also the name of the secret of the machine that is taken where the variable is not set."""

GRANT = "LINEAR_OAUTH"
"""Name of the machine's secret that holds what somebody allowed ADE in a browser."""

SIGNED_IN = "the sign-in"
"""Source of an account that such a grant is for."""

ADDRESS_VARIABLE = "ADE_LINEAR_API_URL"
ADDRESS = "https://api.linear.app/graphql"
_KEY = re.compile(r"[A-Za-z0-9._~+/=-]{8,4096}")
_PERSONAL = "lin_api_"


@dataclass(frozen=True, slots=True)
class Account:
    """A key and where it is good for. ``source`` says where the key came from, for people."""

    address: str
    key: str = field(repr=False)
    source: str

    @property
    def authorization(self) -> str:
        """The header as Linear wants it: a personal key by itself, a token of OAuth as bearer."""
        return self.key if self.key.startswith(_PERSONAL) else f"Bearer {self.key}"


async def sign_in(services: Services, environ: Mapping[str, str] = os.environ) -> Account:
    """The account to use now: a key of the environment, else a stored one, else who is signed in. Raises
    ``linear_key_missing``, ``linear_key_malformed``, ``linear_address_unsafe``, and for a sign-in ``linear_sign_in_over`` and
    ``linear_unavailable``."""
    address = api_address(environ)
    key = environ.get(KEY_VARIABLE, "").strip()
    source = KEY_VARIABLE
    if not key:
        key, source = (await _stored(services)).strip(), "the stored secret"
    if not key:
        grant = await services.linear_sign_in.current()
        if grant is None:
            raise errors.LinearKeyMissing()
        key, source = grant.access_token, SIGNED_IN
    if not _KEY.fullmatch(key):
        raise errors.LinearKeyMalformed(source=source)
    return Account(address, key, source)


def is_signed_in(secret_names: Path, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether there is a key or a grant, without reading it. ``secret_names`` is the folder that tells which secrets there
    are."""
    named = bool(environ.get(KEY_VARIABLE, "").strip())
    return named or any((secret_names / name).exists() for name in (KEY_VARIABLE, GRANT))


def api_address(environ: Mapping[str, str] = os.environ) -> str:
    """Where requests go: Linear, or what the runtime's environment names. In clear only to this very machine."""
    named = environ.get(ADDRESS_VARIABLE, "").strip()
    if not named:
        return ADDRESS
    parts = urlsplit(named)
    if parts.username or parts.password or not parts.hostname:
        raise errors.LinearAddressUnsafe(reason="it holds a user or lacks a host")
    if parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname)):
        return named
    raise errors.LinearAddressUnsafe(reason="only https is safe away from this machine")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _stored(services: Services) -> str:
    from ade_runtime.vault.names import MACHINE

    secret = await services.vault.find((MACHINE,), KEY_VARIABLE)
    return "" if secret is None else await services.vault.value(secret)
