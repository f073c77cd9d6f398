"""Running one program: bounded, ended with its caller, not held up by what it leaves behind."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from ade_runtime.integrations.git.process import Output, execute


async def run(script: str, tmp_path: Path, *, stdin: bytes | None = None, limit: int = 1000) -> Output:
    return await execute(
        ["sh", "-c", script], cwd=tmp_path, env=dict(os.environ), stdin=stdin, limit=limit, error_limit=1000
    )


async def test_output_and_code(tmp_path: Path) -> None:
    assert await run("echo out; echo err >&2; exit 3", tmp_path) == Output(3, b"out\n", b"err\n", False)


async def test_standard_input_of_any_size(tmp_path: Path) -> None:
    assert (await run("wc -c", tmp_path, stdin=b"x" * 3_000_000)).stdout.strip() == b"3000000"
    assert (await run("cat", tmp_path)).stdout == b""


async def test_a_flood_is_cut_and_ended(tmp_path: Path) -> None:
    output = await run("yes", tmp_path, limit=5000)
    assert output.truncated
    assert len(output.stdout) == 5000


async def test_a_flood_of_errors_does_not_block(tmp_path: Path) -> None:
    output = await run("head -c 3000000 /dev/zero >&2; echo done", tmp_path)
    assert output.stdout == b"done\n"
    assert len(output.stderr) == 1000


async def test_a_child_left_behind_does_not_hold_the_call_up(tmp_path: Path) -> None:
    started = time.monotonic()
    output = await run("sleep 60 & echo $!", tmp_path)
    assert time.monotonic() - started < 10
    child = int(output.stdout)
    os.kill(child, 0)  # still there: it is the user's own
    os.kill(child, 9)


async def test_cancelling_ends_the_whole_group(tmp_path: Path) -> None:
    script = 'trap "rm -f lock; exit 1" TERM; : > lock; sleep 60 & echo $! > pid; wait'
    task = asyncio.create_task(run(script, tmp_path))
    await appears(tmp_path / "pid")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not (tmp_path / "lock").exists(), "the program had its chance to clean up"
    assert gone(int((tmp_path / "pid").read_text()))


async def test_a_program_that_ignores_the_request_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ade_runtime.integrations.git.process.GRACE", 0.1)
    task = asyncio.create_task(run("trap '' TERM; echo > ready; while :; do sleep 0.01; done", tmp_path))
    await appears(tmp_path / "ready")
    task.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_cannot_start(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await execute(
            ["no-such-program"], cwd=tmp_path, env=dict(os.environ), stdin=None, limit=1, error_limit=1
        )


async def appears(path: Path) -> None:
    def there() -> bool:
        return path.exists() and path.read_text() != ""

    for _ in range(2000):
        if there():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"{path} did not appear")


def gone(pid: int) -> bool:
    """Whether a process has ended, a zombie that nobody reaped among them."""
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.005)
    return False
