"""Conflicts of a merge as answers show them, within a budget that keeps an answer readable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ade_generated.models.types import ConflictFile, ConflictRegion
from ade_runtime.comparisons.show import exact_text
from ade_runtime.integrations.git.merge_tree import ConflictEntry
from ade_runtime.integrations.git.regions import Region, Regions, Sides, find_regions
from ade_runtime.integrations.git.repository import Repository
from ade_runtime.integrations.git.text import show_path
from ade_runtime.lanes.failures import translated

REGIONS_SHOWN = 20
TEXT_SHOWN = 2000
MESSAGE_SHOWN = 500
_FILES = ("100644", "100755")


@dataclass(slots=True)
class Budget:
    """What one answer may still show: ``files`` described, ``paths`` named, characters of ``text`` from the
    files."""

    files: int
    paths: int = 5000
    text: int = 256 * 1024

    def take_files(self, wanted: int) -> int:
        taken = min(self.files, wanted)
        self.files -= taken
        return taken

    def take_paths(self, most: int, wanted: int) -> int:
        taken = min(self.paths, most, wanted)
        self.paths -= taken
        return taken

    def take_text(self, lines: list[bytes]) -> tuple[str, bool]:
        """The lines as text and whether they were cut."""
        room = min(TEXT_SHOWN, self.text)
        data = b"".join(lines)
        text = exact_text(data[: room * 4])[0][:room]
        self.text -= len(text)
        return text, len(text) < len(data.decode("utf-8", "replace"))


async def describe(
    main: Repository, env: Mapping[str, str], entries: list[ConflictEntry], budget: Budget
) -> list[ConflictFile]:
    """As many of the conflicts as the budget has files for, with the lines in which both sides collide."""
    chosen = entries[: budget.take_files(len(entries))]
    mergeable = [(entry, sides) for entry in chosen if (sides := _sides(entry)) is not None]
    with translated():
        found = await find_regions(main, [sides for _, sides in mergeable], env)
    regions = {entry.path: result for (entry, _), result in zip(mergeable, found, strict=True)}
    return [_file(entry, regions.get(entry.path), budget) for entry in chosen]


def _sides(entry: ConflictEntry) -> Sides | None:
    """Blobs whose lines can be compared; ``None`` where a side has no file or something else than a file."""
    base, ours, theirs = (entry.stages.get(number) for number in (1, 2, 3))
    if (
        ours is None
        or theirs is None
        or any(s is not None and s.mode not in _FILES for s in (base, ours, theirs))
    ):
        return None
    return Sides(base.blob if base else None, ours.blob, theirs.blob)


def _file(entry: ConflictEntry, regions: Regions | None, budget: Budget) -> ConflictFile:
    base, ours, theirs = (entry.stages.get(number) for number in (1, 2, 3))
    places = regions.regions if regions is not None else []
    return ConflictFile(
        path=show_path(entry.path),
        kind=entry.kind,
        message=entry.text[:MESSAGE_SHOWN],
        base_blob=base.blob if base else None,
        ours_blob=ours.blob if ours else None,
        theirs_blob=theirs.blob if theirs else None,
        ours_mode=ours.mode if ours else None,
        theirs_mode=theirs.mode if theirs else None,
        regions=[_region(place, regions, budget) for place in places[:REGIONS_SHOWN] if regions is not None],
        regions_total=len(places),
    )


def _region(region: Region, regions: Regions, budget: Budget) -> ConflictRegion:
    ours, ours_cut = budget.take_text(regions.ours[slice(*region.ours)])
    theirs, theirs_cut = budget.take_text(regions.theirs[slice(*region.theirs)])
    base_start, base_lines = _numbered(region.base)
    ours_start, ours_lines = _numbered(region.ours)
    theirs_start, theirs_lines = _numbered(region.theirs)
    return ConflictRegion(
        base_start=base_start,
        base_lines=base_lines,
        ours_start=ours_start,
        ours_lines=ours_lines,
        theirs_start=theirs_start,
        theirs_lines=theirs_lines,
        ours=ours,
        theirs=theirs,
        cut=ours_cut or theirs_cut,
    )


def _numbered(lines: tuple[int, int]) -> tuple[int, int]:
    """A 0-based, half-open range the way git numbers it: first line and count, without lines the line
    before."""
    start, end = lines
    return (start + 1 if end > start else start), end - start
