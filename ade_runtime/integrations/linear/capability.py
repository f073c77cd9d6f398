"""Whether this machine can speak to Linear, asked at every listing and call of what needs it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.integrations.linear.account import KEY_VARIABLE, is_signed_in
from ade_runtime.pipeline.capabilities import Lack

if TYPE_CHECKING:
    from ade_runtime.pipeline.capabilities import Detector

LACK = Lack(
    f"there is no key for Linear in {KEY_VARIABLE} of the runtime's environment, none is stored, and nobody is signed in",
    f"Store one with `ade secrets set {KEY_VARIABLE} --machine --readers cto`, or sign in with `ade linear sign-in`.",
)


def linear_detector(secret_names: Path) -> Detector:
    """``secret_names`` is the folder that tells which secrets the machine has. The caller's environment does not count: its key
    would be sent to wherever the runtime's environment says."""

    def lack(environ: Mapping[str, str]) -> Lack | None:
        return None if is_signed_in(secret_names) else LACK

    return lack
