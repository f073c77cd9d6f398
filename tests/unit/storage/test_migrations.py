"""Every migration goes up and down with rows in the tables, whole or not at all, whoever is killed or gets in first."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Column, MetaData, Table, create_engine, insert, select, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import NullPool

from ade_runtime.storage.copies import copies
from ade_runtime.storage.engine import open_database
from ade_runtime.storage.migrations.apply import configuration, downgrade, upgrade
from ade_runtime.storage.schema import HEAD
from ade_runtime.storage.soundness import inspect_whole_file

Rows = dict[str, list[dict[str, Any]]]
SCRIPTS = list(reversed(list(ScriptDirectory.from_config(configuration()).walk_revisions())))
CHAIN = [script.revision for script in SCRIPTS]


def at_version(path: Path, version: str) -> Path:
    """A database at one version, filled."""
    path.touch()
    upgrade(path, version)
    fill(path)
    return path


def value(column: Column[Any], number: int) -> Any:
    for key in column.foreign_keys:
        return value(key.column, number)
    kind = column.type.python_type
    return number if kind is int else (float(number) if kind is float else f"{column.name} {number}")


def engine_of(path: Path) -> Any:
    return create_engine(f"sqlite:///{path}", poolclass=NullPool)


def fill(path: Path) -> None:
    """Two rows in every table; what a row refers to has the same number."""
    engine = engine_of(path)
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            if table.name == "alembic_version" or connection.execute(select(table)).first():
                continue
            for number in (1, 2):
                row = {column.name: value(column, number) for column in table.columns}
                connection.execute(insert(table).values(row))


def rows(path: Path) -> Rows:
    engine = engine_of(path)
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        return {
            name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for name, table in metadata.tables.items()
            if name != "alembic_version"
        }


def kept(before: Rows, after: Rows) -> None:
    """Every row there was is there, with every column that both versions have."""
    for name in before.keys() & after.keys():
        common = before[name][0].keys() & after[name][0].keys()
        assert [{c: row[c] for c in common} for row in after[name]] == [
            {c: row[c] for c in common} for row in before[name]
        ]


def test_the_chain_is_straight_and_ends_at_head() -> None:
    assert CHAIN[-1] == HEAD
    assert [script.down_revision for script in SCRIPTS] == [None, *CHAIN[:-1]]


@pytest.mark.parametrize("version", CHAIN)
def test_up_and_down_keep_what_is_there(tmp_path: Path, version: str) -> None:
    path = tmp_path / "state.db"
    position = CHAIN.index(version)
    before: Rows = {}
    if position:
        at_version(path, CHAIN[position - 1])
        before = rows(path)
    path.touch()
    upgrade(path, version)
    kept(before, rows(path))
    assert inspect_whole_file(path) == version
    fill(path)
    after = rows(path)
    assert all(len(found) == 2 for found in after.values())
    downgrade(path, CHAIN[position - 1] if position else "base")
    if position:
        kept(after, rows(path))
        assert rows(path).keys() == before.keys()
        assert inspect_whole_file(path) == CHAIN[position - 1]


@pytest.mark.parametrize("version", CHAIN[:-1])
def test_opening_migrates_from_every_version_and_copies_first(tmp_path: Path, version: str) -> None:
    path = at_version(tmp_path / "state.db", version)
    before = rows(path)
    open_database(path).close()
    assert inspect_whole_file(path) == HEAD
    kept(before, rows(path))
    (copy,) = copies(path)
    assert (copy.schema, rows(copy.path)) == (version, before)
    open_database(path).close()
    assert len(copies(path)) == 1


def test_what_turns_used_is_read_out_of_the_words_it_was_written_in(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.touch()
    upgrade(path, "0019")
    fill(path)
    engine, metadata = engine_of(path), MetaData()
    metadata.reflect(engine, only=["chat_entries"])
    entries = metadata.tables["chat_entries"]
    said = [
        "1200 tokens in, 34 out",
        "7 tokens in, 8 out, 0.0123 USD",
        "12 tokens",
        "1 tokens in, 2 out, much USD",
    ]
    with engine.begin() as connection:
        (row,) = connection.execute(select(entries).limit(1)).mappings()
        for number, words in enumerate(said, 10):
            values = dict(row) | {"id": number, "kind": "usage", "text": words, "at": number}
            connection.execute(insert(entries).values(values))
    upgrade(path, "0020")
    session = row["session_id"]
    assert [tuple(found.values()) for found in rows(path)["chat_usage"]] == [
        (10, session, 1200, 34, None, 10),
        (11, session, 7, 8, 0.0123, 11),
    ]


KILLER = textwrap.dedent(
    """
    import json, os, shutil, signal, sys
    from pathlib import Path
    from sqlalchemy import event
    from sqlalchemy.engine import Engine
    from ade_runtime.storage.engine import open_database
    from ade_runtime.storage.migrations import apply
    from ade_runtime.storage.soundness import inspect_whole_file

    source, target, most = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])

    def attempt(point, counted):
        passed = 0
        def step(*_):
            nonlocal passed
            passed += 1
            if passed == point:
                os.kill(os.getpid(), signal.SIGKILL)
        for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
            event.listen(Engine, name, step)
        sys.addaudithook(lambda name, _: step() if name in ("os.rename", "os.remove", "sqlite3.connect") else None)
        open_database(target)
        os.write(counted, str(passed).encode())

    def killed(point):
        shutil.rmtree(target.parent)
        target.parent.mkdir()
        shutil.copy(source, target)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            attempt(point, writer)
            os._exit(0)
        os.close(writer)
        _, status = os.waitpid(child, 0)
        with os.fdopen(reader) as told:
            return int(told.read() or 0), os.WIFSIGNALED(status)

    steps, _ = killed(0)
    found = []
    for point in range(1, steps + 1, max(1, steps // most)):
        assert killed(point) == (0, True)
        version = inspect_whole_file(target)
        open_database(target).close()
        found.append([version, inspect_whole_file(target)])
    print(json.dumps(found))
    """
)


@pytest.mark.parametrize(
    "most", [25, pytest.param(100_000, marks=(pytest.mark.stress, pytest.mark.timeout(1800)))]
)
def test_killed_at_any_step_it_is_the_old_version_or_the_new_one(tmp_path: Path, most: int) -> None:
    """At about ``most`` steps from the first to the last: SQL statements before and after, commits, files."""
    source = at_version(tmp_path / "old.db", CHAIN[0])
    (tmp_path / "home").mkdir()
    target = tmp_path / "home" / "state.db"
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(source), str(target), str(most)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    killed = json.loads(done.stdout)
    assert len(killed) >= 25
    assert {version for version, _ in killed} == {CHAIN[0], HEAD}
    assert {version for _, version in killed} == {HEAD}
    kept(rows(source), rows(target))


def test_processes_that_migrate_at_once_migrate_once(tmp_path: Path) -> None:
    path = at_version(tmp_path / "state.db", CHAIN[0])
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from ade_runtime.storage.engine import open_database
        open_database(Path(sys.argv[1])).close()
        """
    )
    started = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(4)]
    assert [process.wait(timeout=60) for process in started] == [0] * 4
    assert inspect_whole_file(path) == HEAD
    assert [copy.schema for copy in copies(path)] == [CHAIN[0]]


def test_both_constraints_of_lanes_have_a_name_of_their_own_and_hold(tmp_path: Path) -> None:
    path = at_version(tmp_path / "state.db", "0015")
    before = rows(path)["lanes"]
    assert _uniques(path) == ["uq_lanes_project_id", "uq_lanes_project_id"]
    upgrade(path, "0016")
    assert _uniques(path) == ["uq_lanes_project_id_name_key", "uq_lanes_project_id_path"]
    assert rows(path)["lanes"] == before
    for column in ("name_key", "path"):
        twin = before[0] | {"id": "twin", "name_key": "other", "path": "other", column: before[0][column]}
        assert _refused(path, twin)
    downgrade(path, "0015")
    assert _uniques(path) == ["uq_lanes_project_id", "uq_lanes_project_id"]
    assert rows(path)["lanes"] == before


def _uniques(path: Path) -> list[str]:
    """Names of the unique constraints of lanes, as the file has them."""
    with engine_of(path).connect() as connection:
        made = connection.execute(text("SELECT sql FROM sqlite_master WHERE name = 'lanes'")).scalar_one()
    return sorted(re.findall(r"CONSTRAINT (\w+) UNIQUE", made))


def _refused(path: Path, row: dict[str, Any]) -> bool:
    lanes = Table("lanes", MetaData(), autoload_with=engine_of(path))
    try:
        with engine_of(path).begin() as connection:
            connection.execute(insert(lanes).values(row))
    except IntegrityError:
        return True
    return False
