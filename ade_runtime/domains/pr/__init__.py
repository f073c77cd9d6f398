"""Pull requests: each method finds one, has the work done in :mod:`ade_runtime.pulls`, and shows the outcome."""

from ade_runtime.domains.pr.changing import ChangeActions
from ade_runtime.domains.pr.merging import MergeActions
from ade_runtime.domains.pr.opening import OpenActions
from ade_runtime.domains.pr.reading import ReadActions
from ade_runtime.domains.pr.reviewing import ReviewActions
from ade_runtime.domains.pr.watching import WatchActions


class PrHandlers(OpenActions, ReadActions, ChangeActions, ReviewActions, MergeActions, WatchActions):
    """Every action of the domain."""
