"""Nothing keeps the tables out of PostgreSQL: its dialect can write each of them, and no statement is SQLite's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from ade_runtime.storage.schema import metadata

RUNTIME = Path(__file__).parents[3] / "ade_runtime"
OF_SQLITE = re.compile(
    r"exec_driver_sql|dialects\.sqlite|\bsqlite_insert\b|\btext\(\s*[\"'](?i:select|insert|update|delete)"
)
BELOW = {"storage/engine.py", "storage/migrations/apply.py"}
"""What opens the file is SQLite's business."""


@pytest.mark.parametrize("name", sorted(metadata.tables))
def test_every_table_can_be_made_there(name: str) -> None:
    table = metadata.tables[name]
    dialect = postgresql.dialect()
    made = str(CreateTable(table).compile(dialect=dialect))
    assert " INTEGER" not in made, "four bytes are too few for a time"
    assert all(str(CreateIndex(index).compile(dialect=dialect)) for index in table.indexes)
    longest = max((len(str(one.name)) for one in (*table.indexes, *table.constraints)), default=0)
    assert longest <= 63


def test_index_names_are_unique_in_the_whole_schema() -> None:
    names = [index.name for table in metadata.tables.values() for index in table.indexes]
    assert len(names) == len(set(names))


def test_statements_are_sqlalchemy_core() -> None:
    found = [
        str(path.relative_to(RUNTIME))
        for path in RUNTIME.rglob("*.py")
        if OF_SQLITE.search(path.read_text()) and "versions" not in path.parts
    ]
    assert set(found) <= BELOW, found
