"""What every table hangs on."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Integer, MetaData
from sqlalchemy.ext.compiler import compiles

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@compiles(Integer, "postgresql")
def eight_bytes(_type: Integer, _compiler: Any, **_: Any) -> str:
    """Integers have eight bytes in SQLite; PostgreSQL's INTEGER has four, too few for milliseconds since the epoch."""
    return "BIGINT"
