"""``ade doctor``: what works on this machine and what does not, each with the next step.

One module a concern; each check yields rows and changes nothing. To add one, write ``def check(place) -> Iterator[Row]`` and
name it in :data:`ade_runtime.machine.doctor.command.CHECKS`.
"""

from ade_runtime.machine.doctor.command import run_doctor

__all__ = ["run_doctor"]
