"""A kept sample that was put back is what building it through a way in makes, and what lives is not kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.contract.test_examples import FIXTURES
from tests.support.fingerprint import fingerprint, masked
from tests.support.kept import Samples
from tests.support.sample import Sample
from tests.support.ways import Headless, InProcess, Mcp, Socket, SocketCommand, Way

BUILT = [
    ("lane_in_merge", Socket),
    ("lane_in_rebase", Headless),
    ("lane_with_stash", SocketCommand),
    ("lane_diverged", Mcp),
    ("deleted_lane", Socket),
    ("missing_lane", InProcess),
    ("run_with_claim", SocketCommand),
    ("lane_with_proof", Headless),
    ("opened_pull", Socket),
]
LIVING = ["started_terminal", "running_process", "running_test_run"]


@pytest.fixture
def samples(tmp_path: Path) -> Samples:
    return Samples(tmp_path, FIXTURES)


@pytest.mark.parametrize(("name", "way_in"), BUILT, ids=lambda part: getattr(part, "name", part))
async def test_a_kept_sample_is_what_building_it_makes(
    samples: Samples, name: str, way_in: type[Way]
) -> None:
    async with samples.standing([name], kept=False) as (sample, built):
        assert not built
        async with way_in(sample.base / "ade-home", sample.project, sample.env) as way:
            await sample.build([name], way.call)
            expected = state(sample)
    for _ in range(2):
        async with samples.standing([name]) as (sample, built):
            assert built
            assert state(sample) == expected


@pytest.mark.parametrize("name", LIVING)
async def test_what_lives_is_built_for_each_test(samples: Samples, name: str) -> None:
    assert await samples.kept([name]) is None
    async with samples.standing([name]) as (_, built):
        assert not built


async def test_what_one_test_changes_the_next_one_does_not_see(samples: Samples) -> None:
    async with samples.standing(["lane_with_commit"]) as (sample, _):
        (sample.project / "README.md").unlink()
        (sample.base / "ade-home" / "state.db").unlink()
    async with samples.standing(["lane_with_commit"]) as (sample, built):
        assert built
        assert (sample.project / "README.md").read_text() == "# Sample\n"
        assert (sample.base / "ade-home" / "state.db").exists()


def state(sample: Sample) -> Any:
    """Repositories, database and saved names without the folder they are in, and without ids, tokens and times."""
    found = {"files": files(sample.base), "state": fingerprint(sample.base, sample.env)}
    text = repr(found | {"saved": sample.saved}).replace(str(sample.base), "BASE")
    return masked(re.sub(r"adest_[\w-]+", "TOKEN", text))


def files(base: Path) -> dict[str, str]:
    """What is in the working trees, and how it may be used."""
    return {
        re.sub(r"[0-9a-hjkmnp-tv-z]{12}", "ID", path.relative_to(base).as_posix()): (
            f"{path.stat().st_mode:o} {path.read_bytes()!r}"
        )
        for path in sorted((base / "project").rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }
