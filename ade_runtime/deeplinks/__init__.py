"""``ade://`` links: one canonical spelling for each target, and one target for each link."""

from __future__ import annotations

from ade_runtime.deeplinks.mint import mint
from ade_runtime.deeplinks.parse import parse
from ade_runtime.deeplinks.problem import LONGEST, DeeplinkProblem

__all__ = ["LONGEST", "DeeplinkProblem", "mint", "parse"]
