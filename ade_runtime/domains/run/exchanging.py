"""A run as a file: writing one, and putting one there to be read."""

from __future__ import annotations

import asyncio
import contextlib
import filecmp
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ade_generated import errors
from ade_generated.models import run as models
from ade_generated.models.types import Run
from ade_runtime.domains.run.shared import RunDomain, run_document
from ade_runtime.machine.beneath import NotBeneathError, open_beneath
from ade_runtime.machine.place_file import PlaceError, place_file
from ade_runtime.runs import bundle, exchange, store
from ade_runtime.runs.document import instant
from ade_runtime.runs.plan_text import digest
from ade_runtime.workspace.names import barred

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pipeline.call import Call
    from ade_runtime.runs.exchange import Unpacked


class Exchanging(RunDomain):
    async def export(self, call: Call, args: models.RunExportInput) -> models.RunExportOutput:
        record = await self._find(call, args.run)
        manifest = await self._runs.manifest(args.run)
        plan = await self._runs.plan(manifest)
        history = [
            {
                "generation": one.generation,
                "at": instant(one.at),
                "actor": one.actor,
                "kind": one.kind,
                "summary": one.summary,
                "etag": one.etag,
            }
            for one in await self._runs.history(args.run)
        ]
        lane = await self._services.lanes.resolve(call, record.lane, write=False)
        root, inside = self._place(call, lane, args.path)
        folder = self._services.temporary.make("run")

        def write() -> tuple[int, int]:
            draft = folder / "run.zip"
            artifacts = Path(manifest["bundlePath"]) / exchange.ARTIFACTS
            files = exchange.pack(draft, manifest, plan, history, artifacts)
            place_file(draft, root, inside, overwrite=False, barred=barred)
            return files, draft.stat().st_size

        try:
            files, size = await asyncio.to_thread(write)
        except PlaceError as problem:
            if problem.kind == "outside":
                raise errors.PathOutsideLane(path=args.path, lane=lane.name, reason=problem.reason) from None
            if problem.kind == "exists":
                raise errors.RunBundleExists(path=args.path) from None
            raise errors.RunBundleUnusable(path=args.path, reason=problem.reason) from None
        except (exchange.BundleError, NotBeneathError) as problem:
            raise errors.RunBundleUnusable(path=args.path, reason=str(problem)) from None
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return models.RunExportOutput(path=str(root / inside), size=size, files=files)

    async def import_(self, call: Call, args: models.RunImportInput) -> Run:
        lane = await self._services.lanes.resolve(call, args.lane, write=False)
        root, inside = self._place(call, lane, args.path)
        try:
            with await asyncio.to_thread(self._copied, root, inside) as file:
                found = await asyncio.to_thread(exchange.unpack, file)
                return await self._put(call, lane, found, file)
        except NotBeneathError as problem:
            raise errors.RunBundleUnusable(path=args.path, reason=problem.reason) from None
        except exchange.BundleError as problem:
            raise errors.RunBundleUnusable(path=args.path, reason=str(problem)) from None

    def _place(self, call: Call, lane: LaneRecord, path: str) -> tuple[Path, str]:
        """The folder a path stays in, and the path in it: the owner in person may name any place."""
        if call.identity.session is None and path.startswith("/"):
            return Path(path).parent, Path(path).name
        self._services.lanes.repository(lane)
        return lane.path, path

    def _copied(self, root: Path, inside: str) -> IO[bytes]:
        """The file as it is now, so that nobody changes it between its check and its use."""
        with os.fdopen(open_beneath(root, inside, barred=barred), "rb") as source:
            if os.fstat(source.fileno()).st_size > exchange.LARGEST_TOTAL:
                raise exchange.BundleError(f"it has more than {exchange.LARGEST_TOTAL} bytes")
            folder = self._services.temporary.make("run")
            copy = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - given away; it has no name
            folder.rmdir()
            shutil.copyfileobj(source, copy, exchange.CHUNK)
        return copy

    async def _put(self, call: Call, lane: LaneRecord, found: Unpacked, file: IO[bytes]) -> Run:
        manifest = found.manifest
        run = call.subject = str(manifest["runId"])
        folder = bundle.folder_of(lane.path, run)
        manifest["laneId"], manifest["bundlePath"] = lane.id, str(folder)
        entries = [_entry(one) for one in found.history]

        def write(db: Connection) -> Run:
            record = store.put(db, lane.project.id, manifest, entries)
            told = run_document(record, manifest, digest(found.plan))
            if call.receipt is not None:
                call.receipt.fulfil(db, told)
            if not there:
                _take_place(draft, folder)
            return told

        with self._drafted(folder.parent) as draft:
            await asyncio.to_thread(exchange.extract, file, draft)
            await asyncio.to_thread(bundle.write_plan, draft, found.plan, None)
            there = await asyncio.to_thread(_same, draft, folder)
            told = await self._services.database.write(write)
        self._runs.tell(await self._runs.find(lane.project.id, run), "imported")
        return told

    @contextlib.contextmanager
    def _drafted(self, parent: Path) -> Iterator[Path]:
        """A folder beside the one it becomes; it goes if it never does, also where this process is killed."""
        parent.mkdir(parents=True, exist_ok=True)
        draft = parent / f".import-{os.urandom(6).hex()}"
        link = self._services.temporary.name(draft)
        try:
            draft.mkdir(0o700)
            yield draft
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            link.unlink(missing_ok=True)


def _take_place(draft: Path, folder: Path) -> None:
    """Give a run's files their name, just before its rows are there for others to see."""
    if os.path.lexists(folder):
        raise errors.RunBundleExists(path=str(folder))
    draft.chmod(0o755)
    draft.rename(folder)


def _same(draft: Path, folder: Path) -> bool:
    """Whether a folder holds just these files: an import that was killed before its rows were there has left them."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    names, found = ({str(one.relative_to(top)) for one in top.rglob("*")} for top in (draft, folder))
    return names == found and all(_same_file(draft / name, folder / name) for name in names)


def _same_file(one: Path, other: Path) -> bool:
    if one.is_dir():
        return other.is_dir() and not other.is_symlink()
    return other.is_file() and not other.is_symlink() and filecmp.cmp(one, other, shallow=False)


def _entry(found: Any) -> store.HistoryEntry:
    try:
        at = datetime.fromisoformat(found["at"])
        if at.tzinfo is None:
            raise ValueError("it has no zone")
    except ValueError as problem:
        raise exchange.BundleError(f"its history has no instant {found['at']!r}: {problem}") from None
    texts = {key: str(found[key]) for key in ("actor", "kind", "summary", "etag")}
    return store.HistoryEntry(generation=int(found["generation"]), at=at, **texts)
