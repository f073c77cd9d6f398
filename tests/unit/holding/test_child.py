"""Becoming the command: whatever stands in the way is told, in words, to whoever ordered it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ade_runtime.holding.child import Channel, begin


@pytest.mark.parametrize(
    ("argv", "env", "reason"),
    [
        ([""], {}, "its name is empty"),
        (["", "more"], {}, "its name is empty"),
        (["ade-no-such-program"], {}, "No such file"),
        (["/"], {}, "Permission denied"),
        (["true", "a\0b"], {}, "null"),
        (["true"], {"A": "a\0b"}, "null"),
        (["true"], {"A=B": "c"}, "illegal"),
    ],
)
def test_a_command_that_cannot_begin_says_why(
    tmp_path: Path, argv: list[str], env: dict[str, str], reason: str
) -> None:
    channel = Channel(pty=False, rows=24, columns=80)
    begun = begin(channel, argv, dict(os.environ) | env, str(tmp_path))
    told = begun.go()
    _, status = os.waitpid(begun.pid, 0)
    os.close(channel.near)
    os.close(channel.far)
    assert reason in told
    assert os.waitstatus_to_exitcode(status) == 127
