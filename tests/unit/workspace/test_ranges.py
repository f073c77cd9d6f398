"""Parts of files are the lines and bytes that a person would count."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ade_runtime.workspace import ranges
from ade_runtime.workspace.problems import TooLarge
from ade_runtime.workspace.ranges import Part, bytes_part, lines_part
from ade_runtime.workspace.text import Style, decode, encode, fitted, style_of

Reader = Callable[..., Part]
ENCODINGS = ["utf-8", "utf-8-bom", "utf-16-le", "utf-16-be"]
TEXTS = st.text(st.sampled_from("ab é€😀\n\r\u2028\u0a0d\u0d0a"), max_size=40)


@pytest.fixture
def part(tmp_path: Path) -> Callable[..., Part]:
    """``part(data, reader, *arguments)`` for a file with ``data``."""
    path = tmp_path / "file"

    def of(data: bytes, reader: Reader, *arguments: int | None) -> Part:
        path.write_bytes(data)
        fd = os.open(path, os.O_RDONLY)
        try:
            return reader(fd, "file", *arguments)
        finally:
            os.close(fd)

    return of


def lines_of(text: str) -> list[str]:
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(1, 8), st.none() | st.integers(1, 5))
def test_lines_are_those_that_were_asked_for(
    part: Callable[..., Part], text: str, encoding: str, start: int, count: int | None
) -> None:
    found = part(encode(text, encoding), lines_part, start, count, 10_000)
    lines = lines_of(text)
    wanted = lines[start - 1 : None if count is None else start - 1 + count]
    assert found.text == "".join(wanted)
    assert found.total_lines == len(lines)
    assert (found.start_line, found.end_line) == (start, start + len(wanted) - 1)
    assert found.truncated == (start - 1 + len(wanted) < len(lines))


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(1, 30))
def test_reading_on_gives_the_whole_file(
    part: Callable[..., Part], text: str, encoding: str, most: int
) -> None:
    """Pages by lines, and by bytes where a line is longer than a page, put together."""
    data = encode(text, encoding)
    whole, offset = b"", 0
    for _ in range(len(data) + 2):
        found = part(data, bytes_part, offset, max(most, 6))
        whole, offset = whole + found.data, found.end
        assert "\ufffd" not in found.text
        if not found.truncated:
            break
    assert whole == data
    line, pages = 1, b""
    for _ in range(len(data) + 2):
        found = part(data, lines_part, line, None, max(most, 6))
        assert found.end_line is not None
        assert len(found.data) <= max(most, 6)
        pages += found.data
        if found.truncated and not found.text.endswith(("\n", "\r")):
            rest = part(data, bytes_part, found.end, len(data))
            pages += rest.data
            break
        line = found.end_line + 1
        if not found.truncated:
            break
    assert pages == data[len(data) - len(pages) :]


def test_a_huge_sparse_file_is_read_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b"first\nsecond\n")
        file.seek(2**31)
        file.write(b"last\n")
    fd = os.open(path, os.O_RDONLY)
    try:
        found = bytes_part(fd, "huge", 2**31, 100)
        assert (found.data, found.hash, found.truncated, found.size) == (b"last\n", None, False, 2**31 + 5)
        head = lines_part(fd, "huge", 2, 1, 1000)
        assert (head.style.binary, head.text, len(head.data)) == (True, "", 1000)
    finally:
        os.close(fd)


def test_a_line_far_into_a_huge_file_is_not_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.write(b"x" * 70_000 + b"\n")
        file.truncate(2**31)
    fd = os.open(path, os.O_RDONLY)
    try:
        assert lines_part(fd, "huge", 1, 1, 100).text == "x" * 100
        with pytest.raises(TooLarge):
            lines_part(fd, "huge", 10, 1, 1000)
    finally:
        os.close(fd)


def test_lines_of_a_file_too_large_to_be_read_whole(
    part: Callable[..., Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "WHOLE", 10)
    monkeypatch.setattr(ranges, "_SAMPLE", 8)
    for encoding in ENCODINGS:
        data = encode("one\ntwo\nthree\nfour", encoding)
        found = part(data, lines_part, 2, 2, 1000)
        assert (found.text, found.start_line, found.end_line) == ("two\nthree\n", 2, 3)
        assert (found.total_lines, found.hash, found.truncated) == (None, None, True)
        found = part(data, lines_part, 3, None, 16)
        assert found.text.startswith("three\n")
        assert part(data, lines_part, 4, None, 1000).text == "four"
        assert part(data, lines_part, 9, None, 1000).text == ""


@pytest.mark.parametrize(
    ("data", "style"),
    [
        (b"", Style("utf-8", "none", False)),
        (b"a\nb\n", Style("utf-8", "lf", True)),
        (b"a\r\nb", Style("utf-8", "crlf", False)),
        (b"a\rb\r", Style("utf-8", "cr", True)),
        (b"a\nb\r\n", Style("utf-8", "mixed", True)),
        (b"\xef\xbb\xbfa\n", Style("utf-8-bom", "lf", True)),
        (b"\xff\xfea\0\n\0", Style("utf-16-le", "lf", True)),
        (b"\xfe\xff\0a\0\r\0\n", Style("utf-16-be", "crlf", True)),
        (b"\xff\xfea", Style("binary", "none", False)),
        (b"caf\xe9\n", Style("latin-1", "lf", True, guessed=True)),
        (b"a\0b", Style("binary", "none", False)),
        (b"\x89PNG\r\n\x1a\n\0", Style("binary", "none", False)),
    ],
)  # fmt: skip
def test_how_bytes_are_written(data: bytes, style: Style) -> None:
    assert style_of(data) == style


@settings(deadline=None)
@given(TEXTS, st.sampled_from(ENCODINGS))
def test_text_survives_its_bytes(text: str, encoding: str) -> None:
    assert decode(encode(text, encoding), encoding) == text


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        (b"a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\r\nc\r\n", "a\r\nc\r\n"),
        (b"a\nb\n", "a\r\nc", "a\nc\n"),
        (b"a\nb", "a\nc\n", "a\nc"),
        (b"a\nb\r\n", "a\nc\r\n", "a\nc\r\n"),
        (b"one", "a\nb\n", "a\nb\n"),
        (b"a\n", "", ""),
        (b"a\rb\r", "x\ny\n", "x\ry\r"),
    ],
)
def test_a_text_is_fitted_to_the_file(old: bytes, new: str, made: str) -> None:
    text, notes = fitted(new, style_of(old))
    assert text == made
    assert bool(notes) == (made != new)
