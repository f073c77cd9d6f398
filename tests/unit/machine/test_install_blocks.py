"""A block goes into a file of anybody's and out again without leaving a byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ade_runtime.machine.install import blocks
from ade_runtime.machine.install.blocks import DamagedBlockError, body, put, take

LINES = "export PATH=/x:$PATH"
FILES = [
    None,
    b"",
    b"\n",
    b"alias ll='ls -l'\n",
    b"no line end",
    b"\xff\xfe not utf-8",
    b"windows\r\nlines\r\n",
    b"windows\r\nwithout end\r",
    b"\n\n\n",
    b"# >>> conda initialize >>>\nx\n# <<< conda initialize <<<\n",
    b"# >>> ade >>> in the middle of something\n",
    b"echo '# <<< ade <<<'\n",
    "é 修".encode(),
]


@pytest.mark.parametrize("before", FILES)
def test_what_was_there_comes_back_to_the_byte(before: bytes | None) -> None:
    with_block = put(before, LINES)
    assert body(with_block) == f"{LINES}\n".encode()
    assert with_block.startswith(before or b"")
    assert put(with_block, LINES) == with_block, "doing it again changes nothing"
    changed = put(with_block, "other")
    assert body(changed) == b"other\n"
    assert take(changed) == take(with_block) == before


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_come_back_also_with_lines_added_later(before: bytes, later: bytes) -> None:
    with_block = put(before, LINES)
    assert take(with_block) == before
    if not later.startswith(b"# "):
        ended = before if not before or before.endswith(b"\n") else before + b"\n"
        expected = ended + later if later else before
        assert take(with_block + later) == expected, "lines added below the block stay lines of their own"


def test_lines_added_above_and_below_stay() -> None:
    made = b"first\n" + put(None, LINES) + b"last\n"
    assert take(made) == b"first\nlast\n"
    assert take(put(b"x", LINES) + b"y") == b"x\ny"


def test_a_file_turned_to_windows_line_ends_still_gives_its_block_back() -> None:
    made = put(b"a\n", LINES).replace(b"\n", b"\r\n")
    assert take(made) == b"a\r\n"


@pytest.mark.parametrize(
    "damaged",
    [
        f"{blocks.FIRST}\nx\n",
        f"x\n{blocks.LAST}\n",
        f"{blocks.LAST}\n{blocks.FIRST}\n",
        f"{blocks.FIRST}\n{blocks.FIRST}\n{blocks.LAST}\n",
        f"{blocks.FIRST}\n{blocks.LAST}\n" * 2,
    ],
)
def test_marks_that_do_not_fit_are_never_guessed_at(damaged: str) -> None:
    with pytest.raises(DamagedBlockError, match="line"):
        take(damaged.encode())
    with pytest.raises(DamagedBlockError):
        put(damaged.encode(), LINES)
