"""The git actions: one small module a group, composed into :class:`GitHandlers`."""

from __future__ import annotations

from ade_runtime.domains.git.branching import BranchActions
from ade_runtime.domains.git.committing import CommitActions
from ade_runtime.domains.git.discarding import DiscardActions
from ade_runtime.domains.git.history import HistoryActions
from ade_runtime.domains.git.moving import MoveActions
from ade_runtime.domains.git.picking import PickActions
from ade_runtime.domains.git.rebasing import RebaseActions
from ade_runtime.domains.git.receiving import ReceiveActions
from ade_runtime.domains.git.sending import SendActions
from ade_runtime.domains.git.staging import StageActions
from ade_runtime.domains.git.stashing import StashActions
from ade_runtime.domains.git.status import StatusActions
from ade_runtime.domains.git.unfinished import UnfinishedActions

__all__ = ["GitHandlers"]


class GitHandlers(
    StatusActions,
    HistoryActions,
    BranchActions,
    ReceiveActions,
    SendActions,
    StageActions,
    DiscardActions,
    CommitActions,
    PickActions,
    MoveActions,
    StashActions,
    RebaseActions,
    UnfinishedActions,
):
    """Handlers of the git domain."""
