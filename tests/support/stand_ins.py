"""Services that run on this machine in place of the real ones, for as long as a sample is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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


STAND_INS: dict[str, Callable[[], AbstractContextManager[Any]]] = {"linear": linear}
"""By the names that a ``stand_in`` step has."""
