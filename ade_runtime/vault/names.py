"""Rows of secrets: everything about them but their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from ade_runtime.storage.schema import projects, secret_names
from ade_runtime.storage.times import from_ms, to_ms
from ade_runtime.vault.stores import StoreName

MACHINE = "machine"
Readers = Literal["agent", "orchestrator", "cto"]
_C = secret_names.c


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretName:
    """``owner`` is a project's id or ``machine``; ``readers`` the lowest role that may have the value."""

    owner: str
    name: str
    store: StoreName
    readers: Readers
    description: str | None
    author: str
    created_at: datetime
    updated_at: datetime

    @property
    def key(self) -> str:
        """What its value is kept under."""
        return f"{self.owner}/{self.name}"


def find(db: Connection, owner: str, name: str) -> SecretName | None:
    row = db.execute(select(secret_names).where(_C.owner == owner, _C.name == name)).mappings().one_or_none()
    return None if row is None else _from(row)


def listed(db: Connection, owners: Sequence[str]) -> list[SecretName]:
    """Names in order, a project's own before the machine's."""
    query = select(secret_names).where(_C.owner.in_(owners)).order_by(_C.name, _C.owner.desc())
    return [_from(row) for row in db.execute(query).mappings()]


def put(db: Connection, secret: SecretName) -> None:
    """Add or replace the row."""
    values = {
        "store": secret.store,
        "readers": secret.readers,
        "description": secret.description,
        "author": secret.author,
        "updated_at": to_ms(secret.updated_at),
    }
    here = [_C.owner == secret.owner, _C.name == secret.name]
    if not db.execute(update(secret_names).where(*here).values(**values)).rowcount:
        key = {"owner": secret.owner, "name": secret.name, "created_at": to_ms(secret.created_at)}
        db.execute(insert(secret_names).values(**key, **values))


def remove(db: Connection, secret: SecretName) -> None:
    db.execute(delete(secret_names).where(_C.owner == secret.owner, _C.name == secret.name))


def orphans(db: Connection) -> list[SecretName]:
    """Those of projects that are no longer known."""
    known = select(projects.c.id)
    query = select(secret_names).where(_C.owner != MACHINE, _C.owner.not_in(known))
    return [_from(row) for row in db.execute(query).mappings()]


def _from(row: Any) -> SecretName:
    return SecretName(
        owner=row["owner"],
        name=row["name"],
        store=row["store"],
        readers=row["readers"],
        description=row["description"],
        author=row["author"],
        created_at=from_ms(row["created_at"]),
        updated_at=from_ms(row["updated_at"]),
    )
