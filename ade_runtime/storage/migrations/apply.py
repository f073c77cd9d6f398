"""Running migrations on a database file, without an alembic.ini."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from ade_generated import errors
from ade_runtime.storage.engine import make_engine


def configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def known_versions() -> set[str]:
    """Every schema version this build can migrate from."""
    return {script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()}


def upgrade(path: Path, version: str = "head") -> None:
    """Bring the database at ``path`` to ``version`` in one transaction."""
    _run(path, lambda config: command.upgrade(config, version))


def downgrade(path: Path, version: str) -> None:
    """Take the database at ``path`` back to ``version`` (``base`` for nothing) in one transaction."""
    _run(path, lambda config: command.downgrade(config, version))


def _run(path: Path, step: Callable[[Config], None]) -> None:
    """One transaction. References are checked at its end, not on the way: changing a table in SQLite may mean to make it anew,
    and dropping the old one must not take the rows with it that refer to it."""
    engine = make_engine(path, references=False)
    config = configuration()
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            step(config)
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if broken is not None:
                reason = f"after the migration rows of {broken[0]} would refer to nothing"
                raise errors.StorageFailed(reason=reason, path=str(path))
    finally:
        engine.dispose()
