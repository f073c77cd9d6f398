"""What a call may take from its caller's environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ade_generated.roles import ROLES

if TYPE_CHECKING:
    from ade_runtime.pipeline.call import Caller, Identity


def environment_of(identity: Identity, caller: Caller) -> Mapping[str, str]:
    """Whose variables decide which programs are run and which folders are looked into: the caller's own, for a caller that
    may act. One that may only read gets the runtime's, since with variables of its choice it would run a program or read a
    folder of its choice.
    """
    acts = "write" in ROLES[identity.role].effects
    return caller.env if acts and caller.env else os.environ
