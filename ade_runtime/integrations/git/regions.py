"""Where two sides of a conflict touch: line ranges on each side, found by comparing both with their common
ancestor.

The rule is git's own: changes collide where their ranges in the ancestor overlap or touch, unless both sides
made the same change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ade_runtime.integrations.git.diff import sections
from ade_runtime.integrations.git.hunks import Hunk, by_file, read_hunks
from ade_runtime.integrations.git.repository import Repository

BLOB_LIMIT = 2 * 1024 * 1024
"""Larger files are named but their lines are not looked at."""


@dataclass(frozen=True, slots=True)
class Region:
    """0-based, half-open line ranges in the ancestor and on both sides."""

    base: tuple[int, int]
    ours: tuple[int, int]
    theirs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sides:
    """Blob ids of one file; without a common ancestor ``base`` is ``None``."""

    base: str | None
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Regions:
    """Regions of one file with the lines of both sides, or ``None`` where they were not looked at."""

    regions: list[Region]
    ours: list[bytes]
    theirs: list[bytes]


async def find_regions(
    repository: Repository, files: Sequence[Sides], env: Mapping[str, str]
) -> list[Regions | None]:
    """For each file where its sides collide; ``None`` for files that are too large or not text."""
    if not files:
        return []
    empty = await _empty_blob(repository, env)
    wanted = [(side.base or empty, side.ours, side.theirs) for side in files]
    blobs = await read_blobs(repository, sorted({blob for triple in wanted for blob in triple}), env)
    trees = [await _tree(repository, [triple[column] for triple in wanted], env) for column in range(3)]
    ours = await _hunks(repository, trees[0], trees[1], env)
    theirs = await _hunks(repository, trees[0], trees[2], env)
    out: list[Regions | None] = []
    for number, triple in enumerate(wanted):
        sides = [blobs.get(blob) for blob in triple[1:]]
        name = _name(number)
        first, second = ours.get(name, []), theirs.get(name, [])
        if None in sides or triple[0] not in blobs or first is None or second is None:
            out.append(None)
            continue
        left, right = (split_lines(side or b"") for side in sides)
        out.append(Regions(collide(first, second, left, right), left, right))
    return out


def collide(ours: list[Hunk], theirs: list[Hunk], left: list[bytes], right: list[bytes]) -> list[Region]:
    """Regions in which hunks of both sides, taken against one ancestor, overlap or touch and differ."""
    tagged = sorted([(h, 0) for h in ours] + [(h, 1) for h in theirs], key=lambda pair: pair[0].old_from)
    clusters: list[list[tuple[Hunk, int]]] = []
    end = -1
    for hunk, side in tagged:
        if clusters and hunk.old_from <= end:
            clusters[-1].append((hunk, side))
        else:
            clusters.append([(hunk, side)])
        end = max(end, hunk.old_to) if len(clusters[-1]) > 1 else hunk.old_to
    found = [_region(cluster) for cluster in clusters if len({side for _, side in cluster}) == 2]
    kept = [r for r in found if left[slice(*r.ours)] != right[slice(*r.theirs)]]
    return [_tighten(region, left, right) if region.base[0] == region.base[1] else region for region in kept]


def split_lines(data: bytes) -> list[bytes]:
    """Lines with their ends, as git counts them: only a newline ends a line."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


async def read_blobs(
    repository: Repository, blobs: Sequence[str], env: Mapping[str, str]
) -> dict[str, bytes]:
    """Contents of blobs up to :data:`BLOB_LIMIT` bytes; larger, binary and missing ones are left out."""
    if not blobs:
        return {}
    names = "".join(f"{blob}\n" for blob in blobs).encode()
    checked = await repository.git.run("cat-file", "--batch-check", env=env, stdin=names, read_only=True)
    fits = [
        words[0]
        for line in checked.lines
        if len(words := line.split(" ")) == 3 and words[1] == "blob" and int(words[2]) <= BLOB_LIMIT
    ]
    out: dict[str, bytes] = {}
    for start in range(0, len(fits), 8):
        some = "".join(f"{blob}\n" for blob in fits[start : start + 8]).encode()
        result = await repository.git.run("cat-file", "--batch", env=env, stdin=some, read_only=True)
        out.update(_batch(result.stdout))
    return {blob: data for blob, data in out.items() if b"\0" not in data[:8000]}


def _region(cluster: Sequence[tuple[Hunk, int]]) -> Region:
    low = min(hunk.old_from for hunk, _ in cluster)
    high = max(hunk.old_to for hunk, _ in cluster)
    spans = []
    for side in (0, 1):
        hunks = [hunk for hunk, which in cluster if which == side]
        first, last = hunks[0], hunks[-1]
        spans.append((first.new_from - (first.old_from - low), last.new_to + (high - last.old_to)))
    return Region((low, high), spans[0], spans[1])


def _tighten(region: Region, left: list[bytes], right: list[bytes]) -> Region:
    """Both added lines in one place: leave out those that are the same at the start and at the end."""
    (a, b), (c, d) = region.ours, region.theirs
    while a < b and c < d and left[a] == right[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and left[b - 1] == right[d - 1]:
        b, d = b - 1, d - 1
    return Region(region.base, (a, b), (c, d))


def _name(number: int) -> bytes:
    return b"%05d" % number


async def _empty_blob(repository: Repository, env: Mapping[str, str]) -> str:
    return (await repository.git.run("hash-object", "-w", "--stdin", env=env, stdin=b"", read_only=True)).text


async def _tree(repository: Repository, blobs: Sequence[str], env: Mapping[str, str]) -> str:
    listing = b"".join(b"100644 blob %s\t%s\0" % (blob.encode(), _name(n)) for n, blob in enumerate(blobs))
    return (await repository.git.run("mktree", "-z", env=env, stdin=listing, read_only=True)).text


async def _hunks(
    repository: Repository, base: str, side: str, env: Mapping[str, str]
) -> dict[bytes, list[Hunk] | None]:
    """Hunks by file name; ``None`` for binary files. A file that is the same on both sides has none."""
    out: dict[bytes, list[Hunk] | None] = {}
    result = await repository.git.run(
        *("diff-tree", "-p", "-U0", "--no-renames", "--no-color", "--src-prefix=a/", "--dst-prefix=b/"),
        *(base, side),
        env=env,
        read_only=True,
    )
    for part in by_file(result.stdout, sections(result.stdout)):
        name = part.split(b"\n", 1)[0].rsplit(b" b/", 1)[-1]
        hunks = read_hunks(part)
        out[name] = hunks if hunks or b"\nBinary files " not in part else None
    return out


def _batch(data: bytes) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    position = 0
    while position < len(data):
        end = data.index(b"\n", position)
        name, kind, size = data[position:end].decode("ascii").split(" ")
        if kind != "blob":
            raise ValueError(f"{name} is a {kind}")
        start = end + 1
        out[name] = data[start : start + int(size)]
        position = start + int(size) + 1
    return out
