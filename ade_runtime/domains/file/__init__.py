"""The file actions: one small module a group, composed into :class:`FileHandlers`."""

from __future__ import annotations

from ade_runtime.domains.file.deleting import DeleteActions
from ade_runtime.domains.file.finding import FindActions
from ade_runtime.domains.file.looking import LookActions
from ade_runtime.domains.file.writing import WriteActions

__all__ = ["FileHandlers"]


class FileHandlers(LookActions, FindActions, WriteActions, DeleteActions):
    """Handlers of the file domain."""
