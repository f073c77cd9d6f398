"""Temporary files: made below ADE_HOME, gone with their process whatever its end, never taken from a living one."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from ade_generated import errors
from ade_runtime.machine import temporary
from ade_runtime.machine.temporary import TemporaryPlace, named_draft, temporary_folder

OWNER = textwrap.dedent(
    """
    import sys
    from pathlib import Path
    from ade_runtime.machine.temporary import TemporaryPlace
    place = TemporaryPlace(Path(sys.argv[1]))
    folder = place.make("index")
    (folder / "index").write_text("x")
    draft = Path(sys.argv[2]) / ".shop.new"
    draft.mkdir()
    (draft / "file").write_text("half a clone")
    place.name(draft)
    print(folder, flush=True)
    sys.stdin.read()
    """
)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """A process with a temporary folder, and that folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "tmp"), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield process, Path(process.stdout.readline().strip())
    process.kill()
    process.communicate()


def test_what_a_killed_process_left_is_swept_and_a_living_one_keeps_its_own(
    tmp_path: Path, owner: tuple[subprocess.Popen[str], Path]
) -> None:
    process, folder = owner
    place = TemporaryPlace(tmp_path / "tmp")
    mine = place.make("git")
    place.sweep()
    assert (folder / "index").exists()
    assert (tmp_path / ".shop.new" / "file").exists()
    process.kill()
    process.wait()
    place.sweep()
    assert not folder.exists()
    assert not (tmp_path / ".shop.new").exists()
    assert mine.is_dir()
    place.close()
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == [".turn"]


def test_a_link_only_takes_what_it_is_named_after(
    tmp_path: Path, owner: tuple[subprocess.Popen[str], Path]
) -> None:
    process, folder = owner
    precious = tmp_path / "work"
    precious.mkdir()
    (folder.parent / "draft-.shop.other").symlink_to(precious)
    (folder.parent / "draft-work").symlink_to(precious)
    process.kill()
    process.wait()
    TemporaryPlace(tmp_path / "tmp").sweep()
    assert precious.is_dir()
    assert not folder.exists()


def test_a_draft_that_found_its_place_stays(tmp_path: Path) -> None:
    place = TemporaryPlace(tmp_path / "tmp")
    temporary.use(place)
    draft = tmp_path / ".x.new"
    with named_draft(draft):
        draft.mkdir()
        draft.rename(tmp_path / "x")
    place.close()
    TemporaryPlace(tmp_path / "tmp").sweep()
    assert (tmp_path / "x").is_dir()


def test_somebody_who_empties_the_folder_does_no_harm(tmp_path: Path) -> None:
    import shutil

    place = TemporaryPlace(tmp_path / "tmp")
    place.make("a")
    shutil.rmtree(tmp_path / "tmp")
    assert place.make("b").is_dir()
    place.close()


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import tempfile

    def full(**_: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    place = TemporaryPlace(tmp_path / "tmp")
    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(errors.StorageFull):
        place.make("index")


def test_folders_go_when_their_body_ends(tmp_path: Path) -> None:
    temporary.use(TemporaryPlace(tmp_path / "tmp"))
    with temporary_folder("git") as folder:
        assert folder.is_relative_to(tmp_path / "tmp")
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
