"""Alembic migrations, imported only when a database's schema version is not the current one."""
