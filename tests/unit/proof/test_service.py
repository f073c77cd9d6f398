"""The store: contents once, whole or not at all; limits by age and size; nothing lost that is pinned."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ade_generated import errors
from ade_runtime.machine.paths import Paths
from ade_runtime.proof import service
from ade_runtime.proof.records import ProofRecord
from ade_runtime.proof.service import Proofs
from ade_runtime.proof.store import Filter, Limits
from ade_runtime.services import Clock, Services
from ade_runtime.storage.ids import new_id
from ade_runtime.storage.times import from_ms

NOW = datetime(2026, 6, 1, tzinfo=UTC)


class Calendar(Clock):
    today = NOW

    def now(self) -> datetime:
        return self.today


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    made = Services(Paths.of_home(tmp_path / "home"), clock=Calendar())
    made.paths.make_folders()
    (tmp_path / "lane").mkdir()
    (tmp_path / "repo").mkdir()
    await made.projects.register(tmp_path / "repo", tmp_path / "repo/.git", "shop")
    yield made
    await made.close()


async def put(services: Services, tmp_path: Path, content: bytes, **changes: Any) -> ProofRecord:
    proofs = services.proofs
    [project] = await services.projects.all()
    (tmp_path / "lane/file").write_bytes(content)
    folder = tmp_path / f"draft-{os.urandom(4).hex()}"
    folder.mkdir()
    draft, kind = await proofs.copy(tmp_path / "lane", "file", folder, None)
    facts: dict[str, Any] = {
        "id": new_id("prf"),
        "project": project.id,
        "lane": "lane_1",
        "session": None,
        "kind": kind,
        "name": "file",
        "caption": None,
        "about": None,
        "source": "file",
        "sha256": draft.sha256,
        "size": draft.size,
        "width": None,
        "height": None,
        "pinned": False,
        "created_at": from_ms(proofs.now_ms()),
    }
    record = ProofRecord(**facts | changes)
    await proofs.put([(draft, record)])
    assert not list(folder.iterdir()), "a draft is named or removed"
    return record


async def ids(services: Services) -> list[str]:
    [project] = await services.projects.all()
    found, _, _ = await services.proofs.page(project, Filter(), None, 1000)
    return [record.id for record in found]


def contents(proofs: Proofs) -> set[str]:
    return {sha256 for sha256, _ in proofs.blobs.all()}


async def test_a_content_is_kept_once_by_its_hash_and_cannot_be_written(
    services: Services, tmp_path: Path
) -> None:
    one = await put(services, tmp_path, b"same")
    two = await put(services, tmp_path, b"same")
    assert one.sha256 == two.sha256 == hashlib.sha256(b"same").hexdigest()
    path = services.proofs.blobs.path(one.sha256)
    assert path.read_bytes() == b"same"
    assert path.stat().st_mode & 0o777 == 0o400
    assert path.parent.stat().st_mode & 0o077 == 0
    assert await services.proofs.used() == (4, 1, 2, 0)


async def test_a_content_goes_with_the_last_piece_that_has_it(services: Services, tmp_path: Path) -> None:
    one = await put(services, tmp_path, b"same")
    two = await put(services, tmp_path, b"same")
    await services.proofs.delete(one)
    assert contents(services.proofs) == {two.sha256}
    await services.proofs.delete(two)
    assert contents(services.proofs) == set()


async def test_a_pinned_piece_is_not_deleted(services: Services, tmp_path: Path) -> None:
    record = await put(services, tmp_path, b"kept", pinned=True)
    with pytest.raises(errors.ProofPinned):
        await services.proofs.delete(record)


async def test_what_is_too_old_goes_unless_it_is_pinned(services: Services, tmp_path: Path) -> None:
    old = await put(services, tmp_path, b"old", created_at=NOW - timedelta(days=100))
    pinned = await put(services, tmp_path, b"pinned", created_at=NOW - timedelta(days=100), pinned=True)
    new = await put(services, tmp_path, b"new", created_at=NOW - timedelta(days=89))
    assert old.id not in await ids(services), "the next one that came made the sweep"
    assert set(await ids(services)) == {pinned.id, new.id}
    Calendar.today = NOW + timedelta(days=2)
    try:
        preview = await services.proofs.sweep(preview=True)
        assert (preview.ids, preview.freed) == ((new.id,), 3)
        assert new.id in await ids(services)
        assert (await services.proofs.sweep(preview=False)).ids == (new.id,)
    finally:
        Calendar.today = NOW
    assert contents(services.proofs) == {pinned.sha256}


async def test_the_oldest_go_for_new_ones_when_the_room_does_not_suffice(
    services: Services, tmp_path: Path
) -> None:
    await services.proofs.set_limits(Limits(max_bytes=100, max_age_days=90))
    made = [
        await put(services, tmp_path, bytes([65 + number]) * 30, created_at=NOW - timedelta(hours=9 - number))
        for number in range(3)
    ]
    last = await put(services, tmp_path, b"x" * 30)
    assert set(await ids(services)) == {made[1].id, made[2].id, last.id}
    assert (await services.proofs.used())[0] == 90
    await services.proofs.change(_pinned(made[1]))
    await services.proofs.change(_pinned(made[2]))
    with pytest.raises(errors.ProofStoreFull):
        await put(services, tmp_path, b"y" * 60)
    assert set(await ids(services)) == {made[1].id, made[2].id, last.id}, "a refusal lets nothing go"


def _pinned(record: ProofRecord) -> ProofRecord:
    from dataclasses import replace

    return replace(record, pinned=True)


async def test_a_content_without_a_piece_is_swept(services: Services, tmp_path: Path) -> None:
    record = await put(services, tmp_path, b"kept")
    stray = services.proofs.blobs.path("f" * 64)
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"left by a killed process")
    swept = await services.proofs.sweep(preview=False)
    assert (swept.ids, swept.freed) == ((), 24)
    assert contents(services.proofs) == {record.sha256}


async def test_a_damaged_content_is_noticed_and_mended_by_the_next_one(
    services: Services, tmp_path: Path
) -> None:
    record = await put(services, tmp_path, b"whole")
    path = services.proofs.blobs.path(record.sha256)
    path.chmod(0o600)
    path.write_bytes(b"cut")
    assert not services.proofs.blobs.verify(record.sha256)
    await put(services, tmp_path, b"whole")
    assert services.proofs.blobs.verify(record.sha256)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../secret", errors.ProofUnreadable),
        ("link", errors.ProofUnreadable),
        ("fifo", errors.ProofUnreadable),
        (".", errors.ProofUnreadable),
        ("nothing", errors.ProofUnreadable),
        ("empty", errors.ProofKindUnknown),
        ("program", errors.ProofKindUnknown),
        ("lying.png", errors.ProofKindMismatch),
        ("huge", errors.ProofTooLarge),
    ],
)
async def test_what_cannot_be_put_away(
    services: Services, tmp_path: Path, path: str, problem: type[Exception]
) -> None:
    lane = tmp_path / "lane"
    (tmp_path / "secret").write_text("x")
    (lane / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(lane / "fifo")
    (lane / "empty").touch()
    (lane / "program").write_bytes(b"\x7fELF\0\0\0")
    (lane / "lying.png").write_text("no picture")
    with (lane / "huge").open("wb") as file:
        file.truncate(2**31)
    (tmp_path / "drafts").mkdir()
    with pytest.raises(problem):
        await services.proofs.copy(lane, path, tmp_path / "drafts", "png" if path == "lying.png" else None)


async def test_a_file_that_grows_while_it_is_read_is_cut_off_at_the_limit(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LARGEST", 10)
    read_end, write_end = os.pipe()
    os.write(write_end, b"x" * 11)
    os.close(write_end)
    with pytest.raises(errors.ProofTooLarge):
        await asyncio.to_thread(services.proofs.blobs.copy, read_end, "growing", 10, tmp_path / "draft")
    os.close(read_end)


async def test_pages_go_on_where_the_last_ended(services: Services, tmp_path: Path) -> None:
    [project] = await services.projects.all()
    made = [await put(services, tmp_path, f"{number}".encode()) for number in range(7)]
    found, cursor = [], None
    while True:
        page, total, cursor = await services.proofs.page(project, Filter(), cursor, 3)
        assert total == 7
        found += [record.id for record in page]
        if cursor is None:
            break
    assert sorted(found) == sorted(record.id for record in made)
    with pytest.raises(errors.InvalidCursor):
        await services.proofs.page(project, Filter(), "prf_nothing", 3)


async def test_many_at_once_lose_nothing(services: Services, tmp_path: Path) -> None:
    proofs = services.proofs

    async def one(number: int) -> ProofRecord:
        folder = tmp_path / f"l{number}"
        folder.mkdir()
        return await put(services, folder_of(folder), f"{number % 5}".encode())

    def folder_of(folder: Path) -> Path:
        (folder / "lane").mkdir()
        return folder

    made = await asyncio.gather(*(one(number) for number in range(20)))
    assert len(await ids(services)) == 20
    assert len(contents(proofs)) == 5
    assert all(proofs.blobs.verify(record.sha256) for record in made)
