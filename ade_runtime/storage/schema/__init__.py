"""All tables, a module for each concern. Times are integers, milliseconds since the epoch in UTC; documents are JSON text.

A change here needs a migration in :mod:`ade_runtime.storage.migrations` and a new ``HEAD``; a test holds both to the same
result.
"""

from __future__ import annotations

from ade_runtime.storage.schema.base import metadata
from ade_runtime.storage.schema.calls import audit, operations, rate_windows, receipts
from ade_runtime.storage.schema.owner import owner
from ade_runtime.storage.schema.projects import deleted_lanes, lanes, projects
from ade_runtime.storage.schema.sessions import session_log, session_processes, sessions

HEAD = "0004"

__all__ = [
    "HEAD",
    "audit",
    "deleted_lanes",
    "lanes",
    "metadata",
    "operations",
    "owner",
    "projects",
    "rate_windows",
    "receipts",
    "session_log",
    "session_processes",
    "sessions",
]
