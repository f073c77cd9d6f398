"""Which option of the command line a field gets when its spec names none."""

from __future__ import annotations

from codegen import naming

RESERVED = frozenset(
    {
        *("-h", "--help", "-q", "--quiet", "--version", "--json", "--text", "--jq", "--no-color"),
        *("--project", "--role", "--socket", "--host", "--headless", "--timeout", "--request-id"),
        *("--input-json", "--arg", "--arg-json", "--dry-run", "--skeleton"),
    }
)
"""Options of every command; a test holds them to those that the command line reads."""


def default_flag(name: str) -> str:
    """``--`` and the name with dashes; with ``-value`` behind where every command has that option itself.

    ``--no-x`` is looked at too: it is what a boolean ``x`` is switched off with.
    """
    flag = str(naming.flag(name))
    taken = flag in RESERVED or f"--no-{flag[2:]}" in RESERVED
    return f"{flag}-value" if taken else flag


def metavar_of(name: str, flag: str) -> str:
    """What usage lines call the value of a field that stands without its flag: ``NAME`` for ``--name``. The field's own name,
    not ``TEXT_VALUE``, where the flag is called otherwise only because the command line has it already."""
    shown = naming.flag(name) if flag == default_flag(name) else flag
    return str(shown).removeprefix("--").replace("-", "_").upper()
