"""A run as one file: a ZIP archive of its manifest, its plan, its history and its artifacts, each with its SHA-256.

What is read was written by anybody: every name, size and sum is checked before anything of it is used, and nothing is put
anywhere by this module but artifacts below the folder it is given.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import orjson

from ade_runtime.machine.beneath import open_beneath
from ade_runtime.runs.bundle import LARGEST as LARGEST_PLAN
from ade_runtime.runs.bundle import PLAN
from ade_runtime.runs.document import Manifest, normalise
from ade_runtime.runs.invariants import problems

FORMAT = "ade-run"
VERSION = 1
INDEX, MANIFEST, HISTORY, ARTIFACTS = "bundle.json", "manifest.json", "history.jsonl", "artifacts"
MOST_FILES = 5000
LARGEST_ARTIFACT = 256 * 1024 * 1024
LARGEST_DOCUMENT = 32 * 1024 * 1024
LARGEST_TOTAL = 1024 * 1024 * 1024
"""Bytes of one artifact, of the manifest or the history, and of everything together, unpacked."""

RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
"""Ids that may name a folder."""

CHUNK = 1 << 20
SAME_DATE = (1980, 1, 1, 0, 0, 0)
"""Every entry's time, so that the same run makes the same bytes."""


class BundleError(ValueError):
    """Why a file is no bundle that can be read; the text goes to whoever asked."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a bundle holds. ``artifacts`` are names below the bundle's artifacts folder, with their sizes."""

    manifest: Manifest
    plan: bytes
    history: Sequence[Mapping[str, Any]]
    artifacts: Mapping[str, int]


def pack(
    target: Path, manifest: Manifest, plan: bytes, history: Sequence[Mapping[str, Any]], artifacts: Path
) -> int:
    """Write a bundle to ``target`` and give the number of files in it. Raises :class:`BundleError` for what no bundle can hold,
    and ``OSError`` where something cannot be read or written."""
    sums: dict[str, str] = {}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, data: bytes) -> None:
            archive.writestr(_entry(name), data)
            sums[name] = hashlib.sha256(data).hexdigest()

        put(MANIFEST, orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
        put(PLAN, plan)
        put(HISTORY, b"".join(orjson.dumps(one) + b"\n" for one in history))
        for name in _artifacts(artifacts):
            sums[f"{ARTIFACTS}/{name}"] = _put_artifact(archive, artifacts, name)
        index = {"format": FORMAT, "version": VERSION, "run": manifest["runId"], "files": sums}
        archive.writestr(_entry(INDEX), orjson.dumps(index, option=orjson.OPT_INDENT_2))
    return len(sums) + 1


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, SAME_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _artifacts(folder: Path) -> list[str]:
    """The plain files below the folder in a steady order; links and whatever else is there is no artifact."""
    found = sorted(path for path in folder.rglob("*") if not path.is_symlink() and path.is_file())
    if len(found) > MOST_FILES:
        raise BundleError(f"it has {len(found)} artifacts, more than {MOST_FILES}")
    return [path.relative_to(folder).as_posix() for path in found]


def _put_artifact(archive: zipfile.ZipFile, folder: Path, name: str) -> str:
    digest = hashlib.sha256()
    with os.fdopen(open_beneath(folder, name, links=False), "rb") as source:
        size = os.fstat(source.fileno()).st_size
        if size > LARGEST_ARTIFACT:
            raise BundleError(f"{name} has {size} bytes, more than {LARGEST_ARTIFACT}")
        with archive.open(_entry(f"{ARTIFACTS}/{name}"), "w", force_zip64=True) as entry:
            while data := source.read(CHUNK):
                digest.update(data)
                entry.write(data)
    return digest.hexdigest()


def unpack(file: IO[bytes]) -> Unpacked:
    """Read and check a bundle; raises :class:`BundleError`. Artifacts are checked, not kept: see :func:`extract`. One
    without an index, as other programs leave a run's folder, is checked by everything but its sums."""
    with _opened(file) as archive:
        entries = _entries(archive)
        if INDEX in entries:
            _check_sums(archive, entries)
        manifest = _manifest(_document(archive, entries, MANIFEST))
        plan = _bytes(archive, entries[PLAN], LARGEST_PLAN) if PLAN in entries else b""
        lines = _bytes(archive, entries[HISTORY], LARGEST_DOCUMENT).splitlines() if HISTORY in entries else []
        history = [_history(line) for line in lines]
        artifacts = {
            name.removeprefix(f"{ARTIFACTS}/"): entry.file_size
            for name, entry in entries.items()
            if name.startswith(f"{ARTIFACTS}/")
        }
    return Unpacked(manifest, plan, history, artifacts)


def extract(file: IO[bytes], folder: Path) -> None:
    """Put the artifacts of a bundle that :func:`unpack` has checked below a new folder."""
    with _opened(file) as archive:
        for name, entry in _entries(archive).items():
            if name.startswith(f"{ARTIFACTS}/"):
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as source, target.open("xb") as copy:
                    while data := source.read(CHUNK):
                        copy.write(data)


def _opened(file: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError) as problem:
        raise BundleError(f"it is no ZIP archive ({problem})") from None


def _entries(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The archive's files by name. Raises for any name, kind or size that a bundle does not have."""
    found: dict[str, zipfile.ZipInfo] = {}
    total = 0
    for entry in archive.infolist():
        if len(found) > MOST_FILES + 4:
            raise BundleError(f"it has more than {MOST_FILES} files")
        _check_entry(entry)
        if entry.filename in found:
            raise BundleError(f"{entry.filename} is in it twice")
        total += entry.file_size
        if total > LARGEST_TOTAL:
            raise BundleError(f"it unpacks to more than {LARGEST_TOTAL} bytes")
        found[entry.filename] = entry
    if MANIFEST not in found:
        raise BundleError(f"{MANIFEST} is not in it")
    return found


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in name or "\0" in name or len(name) > 1000:
        raise BundleError(f"{name!r} is no name of a file in a bundle")
    if name not in (INDEX, MANIFEST, PLAN, HISTORY) and parts[0] != ARTIFACTS:
        raise BundleError(f"{name!r} is no file of a bundle")
    mode = entry.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise BundleError(f"{name!r} is no plain file")
    if entry.flag_bits & 1:
        raise BundleError(f"{name!r} is encrypted")
    limit = LARGEST_ARTIFACT if parts[0] == ARTIFACTS else LARGEST_DOCUMENT
    if entry.file_size > limit:
        raise BundleError(f"{name!r} has more than {limit} bytes")


def _check_sums(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo]) -> None:
    index = _document(archive, entries, INDEX)
    sums = index.get("files")
    if index.get("format") != FORMAT or not isinstance(sums, dict):
        raise BundleError("its index is not that of a run")
    if index.get("version") != VERSION:
        raise BundleError(f"it is of version {index.get('version')!r}; this ade reads {VERSION}")
    lost = sorted(set(sums) - set(entries))
    if lost:
        raise BundleError(f"{lost[0]} is named in its index and not in it")
    for name, entry in entries.items():
        if name != INDEX and _sum(archive, entry) != sums.get(name):
            raise BundleError(f"{name} is not what its index says")


def _manifest(found: Mapping[str, Any]) -> Manifest:
    try:
        manifest = normalise(found)
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise BundleError(f"its manifest cannot be read: {problem!r}") from None
    wrong = problems(manifest)
    if wrong:
        raise BundleError(f"its manifest does not hold: {wrong[0]}")
    run = str(manifest["runId"])
    if not RUN.fullmatch(run):
        raise BundleError(f"{run!r} is no id of a run")
    return manifest


def _history(line: bytes) -> Mapping[str, Any]:
    found = _parsed(line, HISTORY)
    texts = all(isinstance(found.get(key), str) for key in ("at", "actor", "kind", "summary", "etag"))
    if not texts or type(found.get("generation")) is not int:
        raise BundleError("its history cannot be read")
    return found


def _document(archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], name: str) -> dict[str, Any]:
    return _parsed(_bytes(archive, entries[name], LARGEST_DOCUMENT), name)


def _parsed(data: bytes, name: str) -> dict[str, Any]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as problem:
        raise BundleError(f"{name} is no JSON: {problem}") from None
    if not isinstance(found, dict):
        raise BundleError(f"{name} is no object")
    return found


def _bytes(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> bytes:
    return b"".join(_chunks(archive, entry, limit))


def _sum(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    digest = hashlib.sha256()
    for data in _chunks(archive, entry, LARGEST_ARTIFACT):
        digest.update(data)
    return digest.hexdigest()


def _chunks(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limit: int) -> Iterator[bytes]:
    """An entry's bytes; what unpacks to more than it says, or not at all, is refused as it is read."""
    total = 0
    try:
        with archive.open(entry) as source:
            while data := source.read(CHUNK):
                total += len(data)
                if total > min(limit, entry.file_size):
                    raise BundleError(f"{entry.filename} is larger than it says")
                yield data
    except BundleError:
        raise
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as problem:
        raise BundleError(f"{entry.filename} cannot be unpacked: {problem}") from None
