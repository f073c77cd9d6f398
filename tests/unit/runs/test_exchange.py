"""A run as one file: what is read is checked first, whoever wrote it."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ade_runtime.runs import exchange
from ade_runtime.runs.document import normalise
from tests.unit.runs.samples import PLAN, complete

RUN = normalise(complete())
ENTRY = {
    "generation": 1,
    "at": "2026-01-31T09:30:00.000Z",
    "actor": "owner",
    "kind": "created",
    "summary": "x",
    "etag": "etg_1",
}


@pytest.fixture
def packed(tmp_path: Path) -> bytes:
    return pack(tmp_path)


def pack(folder: Path) -> bytes:
    artifacts = folder / "artifacts"
    (artifacts / "shots").mkdir(parents=True)
    (artifacts / "shots" / "one.png").write_bytes(b"\x89PNG")
    (artifacts / "away").symlink_to("/etc/hostname")
    target = folder / "run.zip"
    assert exchange.pack(target, RUN, PLAN.encode(), [ENTRY], artifacts) == 5
    return target.read_bytes()


def test_what_was_packed_is_read_and_put_back(packed: bytes, tmp_path: Path) -> None:
    found = exchange.unpack(io.BytesIO(packed))
    assert (found.manifest, found.plan, list(found.history)) == (RUN, PLAN.encode(), [ENTRY])
    assert found.artifacts == {"shots/one.png": 4}, "a link is no artifact"
    exchange.extract(io.BytesIO(packed), tmp_path / "new")
    assert (tmp_path / "new" / "artifacts" / "shots" / "one.png").read_bytes() == b"\x89PNG"


def test_the_same_run_makes_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert pack(tmp_path / "a") == pack(tmp_path / "b")


def rewritten(data: bytes, change: Callable[[dict[str, bytes]], None], *, sums: bool = True) -> bytes:
    """The bundle with other files in it; with ``sums`` its index says so."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    if sums and exchange.INDEX in files:
        index = json.loads(files[exchange.INDEX])
        own = {
            name: hashlib.sha256(text).hexdigest() for name, text in files.items() if name != exchange.INDEX
        }
        files[exchange.INDEX] = json.dumps(index | {"files": own}).encode()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def of_manifest(**changes: object) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        manifest = json.loads(files[exchange.MANIFEST]) | changes
        files[exchange.MANIFEST] = json.dumps(manifest).encode()

    return change


@pytest.mark.parametrize(
    ("reason", "change"),
    [
        ("no name of a file", lambda files: files.update({"../plan.md": b"x"})),
        ("no name of a file", lambda files: files.update({"/etc/passwd": b"x"})),
        ("no name of a file", lambda files: files.update({"artifacts/../../x": b"x"})),
        ("no name of a file", lambda files: files.update({"artifacts//x": b"x"})),
        ("no file of a bundle", lambda files: files.update({"hooks/post-checkout": b"x"})),
        ("manifest.json is not in it", lambda files: files.pop(exchange.MANIFEST)),
        ("no JSON", lambda files: files.update({exchange.MANIFEST: b"{"})),
        ("no object", lambda files: files.update({exchange.MANIFEST: b"[]"})),
        ("no id of a run", lambda files: files.update({exchange.MANIFEST: b"{}"})),
        ("cannot be read", of_manifest(planSpec=5)),
        ("does not hold", of_manifest(title=5)),
        ("does not hold", of_manifest(currentPhase="elsewhere")),
        ("no id of a run", of_manifest(runId="../../x")),
        ("history cannot be read", lambda files: files.update({exchange.HISTORY: b'{"generation": "1"}'})),
    ],
)
def test_a_bundle_that_is_none_says_why(
    packed: bytes, reason: str, change: Callable[[dict[str, bytes]], None]
) -> None:
    with pytest.raises(exchange.BundleError, match=reason):
        exchange.unpack(io.BytesIO(rewritten(packed, change)))


def test_a_file_that_is_not_what_the_index_says_is_refused(packed: bytes) -> None:
    changed = rewritten(packed, lambda files: files.update({"plan.md": b"# Other"}), sums=False)
    with pytest.raises(exchange.BundleError, match=r"plan.md is not what its index says"):
        exchange.unpack(io.BytesIO(changed))
    lost = rewritten(packed, lambda files: files.pop("plan.md"), sums=False)
    with pytest.raises(exchange.BundleError, match=r"plan.md is named in its index and not in it"):
        exchange.unpack(io.BytesIO(lost))
    added = rewritten(packed, lambda files: files.update({"artifacts/new": b"x"}), sums=False)
    with pytest.raises(exchange.BundleError, match=r"artifacts/new is not what its index says"):
        exchange.unpack(io.BytesIO(added))


def test_a_folder_of_another_program_is_read_without_an_index(packed: bytes) -> None:
    def older(files: dict[str, bytes]) -> None:
        for name in (exchange.INDEX, exchange.HISTORY):
            del files[name]
        manifest = json.loads(files[exchange.MANIFEST])
        del manifest["lineage"]
        manifest["decisions"] = ["Passkeys only"]
        files[exchange.MANIFEST] = json.dumps(manifest).encode()

    found = exchange.unpack(io.BytesIO(rewritten(packed, older)))
    assert found.manifest["lineage"] == []
    assert found.manifest["decisions"][0]["text"] == "Passkeys only"
    assert found.history == []


def test_what_unpacks_to_more_than_it_says_is_refused(packed: bytes) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(exchange.MANIFEST, b"0" * (exchange.LARGEST_DOCUMENT + 1))
    with pytest.raises(exchange.BundleError, match="has more than"):
        exchange.unpack(io.BytesIO(target.getvalue()))


def test_a_link_or_a_device_in_the_archive_is_refused(packed: bytes) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        link = zipfile.ZipInfo("artifacts/away")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(exchange.BundleError, match="no plain file"):
        exchange.unpack(io.BytesIO(target.getvalue()))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_damage_is_refused_or_changes_nothing(data: st.DataObject) -> None:
    whole = _made()
    place = data.draw(st.integers(0, len(whole) - 1))
    kind = data.draw(st.sampled_from(["cut", "flip", "drop"]))
    if kind == "cut":
        damaged = whole[:place]
    elif kind == "flip":
        damaged = whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :]
    else:
        damaged = whole[:place] + whole[place + 1 :]
    try:
        found = exchange.unpack(io.BytesIO(damaged))
    except exchange.BundleError:
        return
    assert (found.manifest, found.plan) == (RUN, PLAN.encode())


@functools.cache
def _made() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return pack(Path(folder))
