"""What keeps the audit append-only in the database itself, whichever program writes to it, and how long rows are kept.

A row may go once it is older than :data:`KEPT_DAYS`, or once :data:`KEPT_ROWS` newer ones are there. Nothing stops who owns the
file from taking the triggers away; it takes that, not a slip in the code.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import DDL, event

from ade_runtime.storage.schema.calls import audit

KEPT_DAYS = 90
KEPT_ROWS = 500_000
REFUSAL = "the audit is append-only"

_CUTOFF = f"(CAST(strftime('%s', 'now') AS INTEGER) - {KEPT_DAYS * 24 * 3600}) * 1000"
_OLD = f"{{row}}at < {_CUTOFF} OR {{row}}id <= (SELECT max(id) FROM audit) - {KEPT_ROWS}"
OLD_ROW = _OLD.format(row="")
"""The condition under which a row may go, in SQLite's words."""

_WHEN = {
    "update": "",
    "delete": f"WHEN NOT ({_OLD.format(row='OLD.')})",
    "insert": "WHEN NEW.id IN (SELECT id FROM audit)",  # REPLACE removes rows without asking a trigger for DELETE
}
ADD = tuple(
    f"CREATE TRIGGER audit_no_{verb} BEFORE {verb.upper()} ON audit {when} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    for verb, when in _WHEN.items()
)
REMOVE = tuple(f"DROP TRIGGER audit_no_{verb}" for verb in _WHEN)

for _statement in ADD:
    _ddl: Any = DDL(_statement.replace("%", "%%"))  # type: ignore[no-untyped-call]
    event.listen(audit, "after_create", _ddl.execute_if(dialect="sqlite"))
