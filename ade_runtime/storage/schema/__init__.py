"""All tables, a module for each concern. Times are integers, milliseconds since the epoch in UTC; documents are JSON text.

A change here needs a migration in :mod:`ade_runtime.storage.migrations` and a new ``HEAD``; a test holds both to the same
result.
"""

from __future__ import annotations

from ade_runtime.storage.schema import audit_guard as audit_guard
from ade_runtime.storage.schema.base import metadata
from ade_runtime.storage.schema.calls import audit, operations, rate_windows, receipts
from ade_runtime.storage.schema.chats import chat_approvals, chat_entries, chat_messages, chat_usage, chats
from ade_runtime.storage.schema.config import config_trust
from ade_runtime.storage.schema.cto import cto_identities
from ade_runtime.storage.schema.holders import holders
from ade_runtime.storage.schema.issues import issue_links
from ade_runtime.storage.schema.linear import linear_events, linear_items, linear_policies, linear_syncs
from ade_runtime.storage.schema.mcp import mcp_leases
from ade_runtime.storage.schema.memory import memory_core, memory_discoveries, memory_facts, memory_state
from ade_runtime.storage.schema.outside import outside_items
from ade_runtime.storage.schema.owner import owner
from ade_runtime.storage.schema.projects import deleted_lanes, lanes, projects
from ade_runtime.storage.schema.proof import proof_limits, proofs
from ade_runtime.storage.schema.pull_queues import pull_queues
from ade_runtime.storage.schema.pulls import github_answers, pull_links, pull_lists
from ade_runtime.storage.schema.questions import questions
from ade_runtime.storage.schema.run_heartbeats import run_heartbeats
from ade_runtime.storage.schema.run_outbox import run_outbox, run_receipts
from ade_runtime.storage.schema.run_outside import run_outside
from ade_runtime.storage.schema.runs import run_history, run_tasks, runs
from ade_runtime.storage.schema.schedules import schedule_firings, schedule_pauses, schedules
from ade_runtime.storage.schema.sessions import session_log, session_processes, sessions
from ade_runtime.storage.schema.vault import secret_names

HEAD = "0026"

__all__ = [
    "HEAD",
    "audit",
    "chat_approvals",
    "chat_entries",
    "chat_messages",
    "chat_usage",
    "chats",
    "config_trust",
    "cto_identities",
    "deleted_lanes",
    "github_answers",
    "holders",
    "issue_links",
    "lanes",
    "linear_events",
    "linear_items",
    "linear_policies",
    "linear_syncs",
    "mcp_leases",
    "memory_core",
    "memory_discoveries",
    "memory_facts",
    "memory_state",
    "metadata",
    "operations",
    "outside_items",
    "owner",
    "projects",
    "proof_limits",
    "proofs",
    "pull_links",
    "pull_lists",
    "pull_queues",
    "questions",
    "rate_windows",
    "receipts",
    "run_heartbeats",
    "run_history",
    "run_outbox",
    "run_outside",
    "run_receipts",
    "run_tasks",
    "runs",
    "schedule_firings",
    "schedule_pauses",
    "schedules",
    "secret_names",
    "session_log",
    "session_processes",
    "sessions",
]
