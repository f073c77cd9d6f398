"""Runs as pictures: each format says who is there and what came of them, and nobody's words change the picture."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest

from ade_runtime.runs import lineage
from ade_runtime.runs.document import Manifest
from ade_runtime.runs.drawing import edges, gantt
from tests.unit.runs.samples import NOW, with_workers

HOSTILE = 'A"]\n--> n0 <b>&amp; ; \\ \x1b[31m'
LATER = datetime(2026, 1, 31, 10, 0, tzinfo=UTC)


def with_edges() -> Manifest:
    """A lead with two workers, one of which has failed, and a validator without an edge."""
    manifest = with_workers()
    for child in ("ses_a", "ses_b"):
        lineage.add(manifest, parent="ses_lead", child=child, brief_digest="0" * 64, now=NOW)
    lineage.close(manifest, "ses_b", "failed", "It gave up:\nno passkey here.", NOW)
    return manifest


def test_a_tree_names_everybody_and_what_came_back() -> None:
    drawn = edges.text(edges.tree(with_edges())).splitlines()
    assert drawn[0].endswith("ses_lead")
    assert "├─ ses_a (worker)  ses_a  running" in drawn
    assert "├─ ses_b (worker)  ses_b  failed" in drawn
    assert any(line.endswith("It gave up: no passkey here.") for line in drawn)
    assert drawn[-1].startswith("└─ ses_v (validator)")


@pytest.mark.parametrize("name", edges.FORMATS)
def test_what_others_wrote_adds_nothing_to_the_picture(name: str) -> None:
    manifest = with_edges()
    plain = edges.FORMATS[name](edges.tree(manifest))
    manifest["agents"][1]["displayName"] = HOSTILE
    drawn = edges.FORMATS[name](edges.tree(manifest))
    assert len(drawn.splitlines()) == len(plain.splitlines())
    assert "\x1b" not in drawn
    if name == "mermaid":  # elsewhere it stands inside of a quoted string, or is only text
        assert drawn.count("-->") == plain.count("-->")


def test_svg_is_sound_and_loads_nothing() -> None:
    manifest = with_edges()
    manifest["agents"][1]["displayName"] = HOSTILE
    drawn = edges.svg(edges.tree(manifest))
    picture = ElementTree.fromstring(drawn)
    space = {"svg": "http://www.w3.org/2000/svg"}
    assert len(picture.findall("svg:rect", space)) == 4
    assert len(picture.findall("svg:path", space)) == 3
    assert "href" not in drawn


def test_graphviz_reads_the_digraph() -> None:
    manifest = with_edges()
    manifest["agents"][1]["displayName"] = HOSTILE
    drawn = edges.dot(edges.tree(manifest))
    assert '"ses_lead" -> "ses_b" [label="failed"];' in drawn
    program = shutil.which("dot")
    if program is None:
        pytest.skip("graphviz is not installed here")
    subprocess.run([program, "-Tsvg"], input=drawn.encode(), check=True, capture_output=True)


def attempt(name: str, session: str, begin: str, end: str | None, outcome: str | None) -> dict[str, Any]:
    return {
        "id": name,
        "sessionId": session,
        "startedAt": f"2026-01-31T{begin}:00.000Z",
        "endedAt": None if end is None else f"2026-01-31T{end}:00.000Z",
        "outcome": outcome,
        "evidence": [],
        "failureReason": None,
    }


def with_attempts() -> Manifest:
    manifest = with_workers()
    first, second, _ = manifest["tasks"]
    first["attempts"] = [attempt("at-1", "ses_a", "09:00", "09:30", "failed")]
    second["attempts"] = [
        attempt("at-2", "ses_b", "09:15", "09:45", "succeeded"),
        attempt("at-3", "ses_gone", "09:30", None, None),
    ]
    return manifest


def test_attempts_are_bars_on_one_scale() -> None:
    found = gantt.spans(with_attempts())
    assert [one.attempt for one in found] == ["at-1", "at-2", "at-3"]
    lines = gantt.draw(found, LATER, 80).splitlines()
    bars = {line[:14].strip(): line[14:] for line in lines[1:4]}
    widths = {name: (len(bar) - len(bar.lstrip()), bar.strip()) for name, bar in bars.items()}
    (failed, done, going) = widths.values()
    assert (failed[0], set(failed[1])) == (0, {"x"})
    assert set(done[1]) == {"█"}
    assert set(going[1]) == {"▒"}
    assert abs(len(failed[1]) - len(done[1])) <= 1, "both took half an hour"
    assert done[0] < going[0]
    assert going[0] + len(going[1]) == max(len(bar) for bar in bars.values()), "it goes on until now"


@pytest.mark.parametrize("width", [40, 80, 400])
def test_a_drawing_keeps_to_its_width(width: int) -> None:
    manifest = with_attempts()
    manifest["tasks"][0]["id"] = "任務" * 40
    manifest["agents"][1]["displayName"] = HOSTILE
    drawn = gantt.draw(gantt.spans(manifest), LATER, width)
    assert all(gantt.cells(line) <= width for line in drawn.splitlines())
    assert "\x1b" not in drawn


def test_an_attempt_of_no_length_is_seen() -> None:
    manifest = with_workers()
    manifest["tasks"][0]["attempts"] = [attempt("at-1", "ses_a", "09:00", "09:00", "interrupted")]
    assert "!" in gantt.draw(gantt.spans(manifest), LATER, 80).splitlines()[1]


def test_nobody_has_worked_yet() -> None:
    assert gantt.draw([], LATER, 80) == ""
