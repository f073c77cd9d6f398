"""What a machine can do beyond the base, found out when it is asked about, with the reason where it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ade_runtime.pipeline.surroundings import environment_of

if TYPE_CHECKING:
    from ade_runtime.machine.paths import Paths
    from ade_runtime.pipeline.call import Caller, Identity


@dataclass(frozen=True, slots=True)
class Lack:
    """Why something cannot be done here, as words that follow "lacks NAME:", and the step that would change it."""

    reason: str
    step: str


Detector = Callable[[Mapping[str, str]], Lack | None]
"""Says what is missing for a capability in an environment, ``None`` when nothing is. Asked at every listing and call of an
action that needs it, so it must be quick: tens of microseconds as a rule, or cached.
"""


def lack_for(detectors: Mapping[str, Detector], name: str, identity: Identity, caller: Caller) -> Lack | None:
    """What is missing for a capability as this caller has it: displays and programs are those of its own environment."""
    detector = detectors.get(name)
    if detector is None:
        return Lack("nothing here provides it", "Nothing the caller can do.")
    return detector(environment_of(identity, caller))


def machine_detectors() -> Mapping[str, Detector]:
    """The detectors of this machine's own capabilities, by name."""
    from ade_runtime.desktop.capabilities import DETECTORS

    return DETECTORS


def account_detectors(paths: Paths) -> Mapping[str, Detector]:
    """The detectors of services that need an account, by name; ``paths`` are where secrets of the machine are told of."""
    from ade_runtime.integrations.github.capability import github_detector
    from ade_runtime.integrations.linear.capability import linear_detector
    from ade_runtime.vault.marks import marks_of

    marks = marks_of(paths)
    return {"github": github_detector(marks), "linear": linear_detector(marks)}
