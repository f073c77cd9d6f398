"""The proof actions: one small module a group, composed into :class:`ProofHandlers`."""

from __future__ import annotations

from ade_runtime.domains.proof.keeping import KeepActions
from ade_runtime.domains.proof.limits import LimitActions
from ade_runtime.domains.proof.screen import ScreenActions
from ade_runtime.domains.proof.showing import ShowActions

__all__ = ["ProofHandlers"]


class ProofHandlers(KeepActions, ShowActions, LimitActions, ScreenActions):
    """Handlers of the proof domain."""
