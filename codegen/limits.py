"""The range of numbers every consumer of a spec can hold."""

from __future__ import annotations

import sys

INT64 = (-(2**63), 2**63 - 1)
FINITE = (-sys.float_info.max, sys.float_info.max)
