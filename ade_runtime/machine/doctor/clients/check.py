"""One row for each agent program: what it speaks, drops and reaches, by what it did with the probe."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ade_runtime.machine.doctor.clients.probe import STRUCTURED, TEXT, Probe, Seen
from ade_runtime.machine.doctor.clients.runs import LIMIT_SECONDS, PREPARE, Ended, run
from ade_runtime.machine.doctor.rows import Place, Row

SERVED = ("2025-06-18", "2025-11-25", "2026-07-28")
"""Revisions of MCP that ADE's endpoint answers."""


def check(place: Place) -> Iterator[Row]:
    """Run every known program that is installed."""
    found = place.agents.tools
    for name in PREPARE:
        one = found.get(name)
        if one is None or not one.candidates:
            yield Row(f"client {name}", "ok", "not installed, so not run")
            continue
        yield probe(name, one.candidates[0].path, place.environ.get("PATH", ""))


def probe(name: str, program: Path, path: str) -> Row:
    """Run one program against a probe of its own; nothing of the user's is read or written by it."""
    with (
        tempfile.TemporaryDirectory(prefix="ade-doctor-", ignore_cleanup_errors=True) as home,
        Probe(secrets.token_urlsafe(24)) as asked,
    ):
        try:
            ended = run(name, program, asked, Path(home).resolve(), path)
        except OSError as problem:
            step = f"Run it once by hand: {program} --version"
            return Row(f"client {name}", "fail", f"it could not be started: {problem.strerror}", step)
        return judge(name, program, asked.seen, ended)


def judge(name: str, program: Path, seen: Seen, ended: Ended) -> Row:
    """What it did, as a row."""
    check = f"client {name}"
    if not seen.asked_model:
        how = f"it took more than {LIMIT_SECONDS} s" if ended.code is None else f"it ended with {ended.code}"
        said = f"; it said: {ended.said}" if ended.said else ""
        step = f"Run it once by hand: {program} --version; a newer version may work."
        return Row(check, "fail", f"{how} and never asked the model{said}", step)
    step = f"See `ade mcp config {name}`; without MCP its commands can use `ade` in a shell."
    if not seen.authorised:
        return Row(check, "fail", "it asked the model, but never reached the MCP server with its token", step)
    speaks = f"it speaks MCP {', '.join(seen.versions) or 'of no stated revision'}"
    if seen.shown is None:
        return Row(check, "warn", f"{speaks}, but its model was not shown the server's tool", step)
    if not seen.called:
        return Row(check, "warn", f"{speaks} and shows the tool, but did not call it: {ended.said}", step)
    found = f"{speaks}, sends the token, calls tools; {_shown(seen)}; {_dropped(seen)}"
    if not set(seen.versions) & set(SERVED):
        newer = f"ADE answers {', '.join(SERVED)}: update {name}, or ADE."
        return Row(check, "warn", found, newer)
    return Row(check, "ok", found)


def _shown(seen: Seen) -> str:
    ways = [
        word for word, mark in (("text", TEXT), ("structured content", STRUCTURED)) if mark in seen.result
    ]
    return f"its model sees the {' and the '.join(ways)} of a result" if ways else "its model sees no result"


def _dropped(seen: Seen) -> str:
    dropped = seen.dropped
    return f"of a schema it drops {', '.join(dropped)}" if dropped else "of a schema it drops nothing"
