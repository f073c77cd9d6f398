"""What a content is, is told by its bytes: samples made by other programs, and everything that only looks like one."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.proof.kinds import Size, TextCheck, binary_kind, fits, picture_size, text_kind


def png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + b"\xff" * width for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


GIF = b"GIF89a" + struct.pack("<HH", 7, 5) + b"\0\0\0;"
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xff\xc4\0\4ab"
    b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 40) + b"\3\1\x22\0\2\x11\1\3\x11\1"
)
WEBP_LOSSLESS = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f" + struct.pack("<I", 99 | 49 << 14) + b"\0" * 8
WEBP_EXTENDED = (
    b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + (299).to_bytes(3, "little") + (199).to_bytes(3, "little")
)
WEBP_LOSSY = b"RIFF\x1a\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 64, 48)


@pytest.mark.parametrize(
    ("data", "kind", "size"),
    [
        (png(3, 2), "png", Size(3, 2)),
        (GIF, "gif", Size(7, 5)),
        (JPEG, "jpeg", Size(40, 30)),
        (WEBP_LOSSLESS, "webp", Size(100, 50)),
        (WEBP_EXTENDED, "webp", Size(300, 200)),
        (WEBP_LOSSY, "webp", Size(64, 48)),
        (b"\0\0\0\x20ftypisom\0\0\2\0", "mp4", None),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\x82\x84webm", "webm", None),
        (b"%PDF-1.7\n", "pdf", None),
    ],
)
def test_each_kind_is_known_with_its_size(data: bytes, kind: str, size: Size | None) -> None:
    assert binary_kind(data) == kind
    assert picture_size(kind, data) == size  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIDAT",
        b"RIFF\0\0\0\0WAVE",
        b"\0\0\0\x18ftypqt  ",
        b"\0\0\0\x18ftypheic",
        b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\x82\x88matroska",
        b" %PDF-1.7",
        b"GIF90a",
        b"PK\3\4",
        b"\x7fELF",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
)
def test_what_only_looks_like_one_is_none(data: bytes) -> None:
    assert binary_kind(data) is None


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not installed")
@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "mp4", "webm"])
def test_what_another_program_makes_is_known(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"made.{kind}"
    source = ["-f", "lavfi", "-i", "color=c=red:s=48x32:d=0.1:r=10"]
    still = ["-frames:v", "1"] if kind in ("png", "jpeg", "webp") else []
    argv = ["ffmpeg", "-nostdin", "-loglevel", "error", *source, *still, str(file)]
    subprocess.run(argv, check=True)
    data = file.read_bytes()
    assert binary_kind(data) == kind
    if kind not in ("mp4", "webm"):
        assert picture_size(kind, data) == Size(48, 32)  # type: ignore[arg-type]


@given(st.binary(max_size=200), st.sampled_from(["png", "jpeg", "gif", "webp", "pdf"]))
def test_no_beginning_is_too_short_or_too_odd(data: bytes, kind: str) -> None:
    for start in (b"", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBP"):
        binary_kind(start + data)
        size = picture_size(kind, start + data)  # type: ignore[arg-type]
        assert size is None or (size.width > 0 and size.height > 0)


def checked(data: bytes, step: int) -> bool:
    check = TextCheck()
    for at in range(0, len(data), step):
        check.feed(data[at : at + step])
    check.feed(b"", final=True)
    return check.is_text


@given(st.text(st.characters(exclude_categories=("Cs",), min_codepoint=0x20)), st.integers(1, 5))
def test_utf8_is_text_however_it_comes(text: str, step: int) -> None:
    assert checked(text.replace("\x7f", "").encode(), step)


@pytest.mark.parametrize(
    "data", [b"a\0b", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"a\x01", b"a\x7f", "a".encode("utf-16")]
)
def test_anything_else_is_not(data: bytes) -> None:
    assert not checked(data, 1)
    assert not checked(data, 1000)


def test_colours_of_a_terminal_are_text() -> None:
    assert checked(b"\x1b[32mpassed\x1b[0m\r\n\t\x08\x0c", 3)


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b'{"a": 1}', "x.txt", "json"),
        (b" [1, 2]\n", "x.log", "json"),
        (b"{not json}", "x.json", "text"),
        (b"12", "x.json", "text"),
        (b"[" * 100_000, "x", "text"),
        (b"hello", "run.LOG", "log"),
        (None, "big.json", "text"),
    ],
)
def test_which_text_it_is(data: bytes | None, name: str, kind: str) -> None:
    assert text_kind(data, name) == kind


def test_a_text_is_a_log_where_it_is_wanted_and_nothing_else_bends() -> None:
    assert fits("log", "text") and fits("text", "json") and fits("log", "json")
    assert not fits("json", "text")
    assert not fits("png", "jpeg")
    assert not fits("text", "png")
