"""Services that run on this machine in place of the real ones, for as long as a sample is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from typing import Any

import pytest


@contextmanager
def linear() -> Iterator[Any]:
    """Linear, with a key in the environment of this process, which is the runtime's."""
    from tests.support.linear.server import KEY, LinearStandIn

    with LinearStandIn() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINEAR_API_KEY", KEY)
        patch.setenv("ADE_LINEAR_API_URL", server.address)
        yield server


@contextmanager
def github() -> Iterator[Any]:
    """GitHub, with this process signed in."""
    from tests.support.github.hub import signed_in

    with signed_in() as hub:
        yield hub


STAND_INS: dict[str, Callable[[], AbstractContextManager[Any]]] = {"linear": linear, "github": github}
"""By the names that a ``stand_in`` step has."""
_STATE = {"linear": "workspace", "github": "repositories"}


def known_by(name: str, server: Any) -> Any:
    """A copy of all that the stand-in of that name knows, and that calls change."""
    return deepcopy(getattr(server, _STATE[name]))


def tell(name: str, server: Any, known: Any) -> None:
    """Have the stand-in of that name know what was :func:`known_by` one before."""
    setattr(server, _STATE[name], deepcopy(known))
