"""Computer use on a virtual display, with the real programs; and what is told where one of them is missing."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ade_runtime.contracts import AdeError
from ade_runtime.desktop.display import display_lack
from ade_runtime.proof.kinds import binary_kind
from tests.support.display import HEIGHT, WIDTH, with_display
from tests.support.work import Work


def needs(*programs: str) -> None:
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


@pytest.fixture
def screen(work: Work, monkeypatch: pytest.MonkeyPatch) -> Work:
    """The caller sits at a virtual display."""
    env = with_display(work.main.env)
    monkeypatch.setitem(work.main.env, "DISPLAY", env["DISPLAY"])
    return work


@pytest.fixture
def window(screen: Work) -> Iterator[str]:
    """A terminal emulator with a title of its own, which writes what is typed into it to a file."""
    needs("xterm", "xdotool")
    name = f"window-{os.getpid()}"
    target = screen.main.root.parent / "typed"
    argv = ["xterm", "-T", name, "-geometry", "40x10+50+60", "-e", f"cat > {target}"]
    process = subprocess.Popen(argv, env=screen.main.env, stderr=subprocess.DEVNULL)
    try:
        yield name
    finally:
        process.terminate()
        process.wait()


def content(added: dict[str, Any]) -> bytes:
    return Path(added["path"]).read_bytes()


def probed(file: str) -> str:
    what = ["-show_entries", "stream=width,height,codec_name", "-of", "csv=p=0", file]
    done = subprocess.run(["ffprobe", "-v", "error", *what], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def recorders(display: str) -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if _is_recorder(entry, os.fsencode(display))]


def _is_recorder(process: Path, display: bytes) -> bool:
    try:
        words = (process / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[0].endswith(b"ffmpeg") and display in words


async def explained(work: Work, action: str) -> Any:
    return await work.runtime.call(
        "actions.explain", {"action": action}, cwd=work.main.root, env=work.main.env
    )


async def until(check: Any) -> Any:
    """The first true answer; a program on a screen tells nobody when it is ready."""
    for _ in range(400):
        if found := await check():
            return found
        await asyncio.sleep(0.05)
    raise AssertionError("it never came to be")


async def test_a_picture_of_the_whole_screen(screen: Work) -> None:
    added = await screen.call("proof.screenshot", caption="The screen.")
    data = content(added)
    assert binary_kind(data) == "png"
    assert struct.unpack(">II", data[16:24]) == (WIDTH, HEIGHT)
    assert (added["proof"]["width"], added["proof"]["height"]) == (WIDTH, HEIGHT)
    assert added["proof"]["source"] == "screenshot"


async def test_a_part_that_is_not_on_the_screen_is_refused(screen: Work) -> None:
    area = {"left": WIDTH - 10, "top": 0, "width": 500, "height": 10}
    refusal = await screen.refused("proof.screenshot", area=area)
    assert refusal.code == "desktop_failed"
    assert "stderr" in refusal.details


async def test_a_film(screen: Work) -> None:
    needs("ffmpeg", "ffprobe")
    added = await screen.call(
        "proof.record", seconds=0.5, fps=10, area={"left": 0, "top": 0, "width": 101, "height": 75}
    )
    assert probed(added["path"]) == "h264,100,74"
    assert added["proof"]["kind"] == "mp4"


async def test_a_recording_that_is_cancelled_leaves_nothing(screen: Work) -> None:
    needs("ffmpeg")
    task = asyncio.create_task(screen.call("proof.record", seconds=60))
    display = screen.main.env["DISPLAY"]

    async def recorder() -> list[int]:
        return recorders(display)

    await until(recorder)
    task.cancel()
    with pytest.raises((asyncio.CancelledError, AdeError)):
        await task
    assert recorders(display) == []
    assert (await screen.call("proof.list"))["total"] == 0
    assert not [
        file for file in (screen.main.root.parent / "ade-home/tmp").rglob("*") if file.suffix == ".mp4"
    ]


async def test_windows_are_seen_typed_into_and_clicked(screen: Work, window: str) -> None:
    async def there() -> Any:
        seen = await screen.call("proof.environment")
        return next((one for one in seen["windows"] if one["title"] == window), None)

    found = await until(there)
    assert found["area"]["width"] > 50
    middle = {
        "x": found["area"]["left"] + found["area"]["width"] // 2,
        "y": found["area"]["top"] + found["area"]["height"] // 2,
    }
    text = "it's $HOME; Ok?"
    steps = [
        {"action": "focus", "window": found["id"]},
        {"action": "click", **middle},
        {"action": "type", "text": text},
        {"action": "key", "keys": "Return"},
        {"action": "key", "keys": "ctrl+d"},
    ]
    done = await screen.call("proof.interact", steps=steps)
    assert done["done"] == len(steps)
    assert done["pointer"] == middle
    typed = screen.main.root.parent / "typed"

    async def arrived() -> str:
        return typed.read_text() if typed.exists() else ""

    assert (await until(arrived)).strip() == text


async def test_a_step_that_fails_says_which(screen: Work) -> None:
    needs("xdotool")
    steps = [{"action": "move", "x": 5, "y": 6}, {"action": "focus", "window": "1"}]
    refusal = await screen.refused("proof.interact", steps=steps)
    assert refusal.code == "desktop_failed"
    assert refusal.details["done"] == 1


async def test_a_program_is_started_in_the_lane_and_left_running(screen: Work) -> None:
    needs("xterm", "xdotool")
    lane = await screen.lane("fix")
    started = await screen.call(
        "proof.launch_app", command=["xterm", "-e", "pwd > where; exec cat"], lane="fix", wait=20
    )
    try:
        assert started["running"]
        assert started["window"] is not None

        async def written() -> str:
            file = lane.root / "where"
            return file.read_text() if file.exists() else ""

        assert (await until(written)).strip() == str(lane.root)
    finally:
        os.killpg(started["pid"], signal.SIGTERM)


async def test_a_program_that_ends_tells_how(screen: Work) -> None:
    ended = await screen.call("proof.launch_app", command=["sh", "-c", "exit 3"], wait=20)
    assert (ended["running"], ended["exit_code"], ended["window"]) == (False, 3, None)


@pytest.mark.parametrize(
    ("display", "reason"),
    [
        ("", "DISPLAY is not set"),
        (":64999", "no X server answers at :64999"),
        ("localhost:64999", "no X server answers"),
        ("nonsense", "is no X display"),
        (":99999999", "is no X display"),
    ],
)
async def test_without_a_display_it_is_hidden_and_explain_says_why(
    work: Work, display: str, reason: str
) -> None:
    work.main.env["DISPLAY"] = display
    refusal = await work.refused("proof.screenshot")
    assert refusal.code == "unknown_action"
    told = await explained(work, "proof.screenshot")
    assert reason in told["reasons"][0]
    assert told["visible"] is False
    assert "Xvfb" in told["next"]
    listed = await work.call("actions.list", domain="proof")
    assert {"proof.attach", "proof.status"} <= {item["id"] for item in listed["items"]}
    assert "proof.screenshot" not in {item["id"] for item in listed["items"]}


def test_a_wayland_session_is_told_apart() -> None:
    lack = display_lack({"WAYLAND_DISPLAY": "wayland-0"})
    assert lack is not None
    assert "Wayland" in lack.reason


@pytest.mark.parametrize(("action", "program"), [("proof.record", "ffmpeg"), ("proof.interact", "xdotool")])
async def test_a_missing_program_hides_what_needs_it_and_nothing_else(
    screen: Work, action: str, program: str, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    screen.main.env["PATH"] = str(tmp_path / "bin")
    assert (await screen.refused(action)).code == "unknown_action"
    told = await explained(screen, action)
    assert f"{program} is not on PATH" in told["reasons"][0]
    assert f"Install {program}" in told["next"]
    status = await screen.call("proof.status")
    found = {one["name"]: one["available"] for one in status["capabilities"]}
    assert found == {"computer_use": True, "screenshot": True, "screen_recording": False, "gui_input": False}
    assert (await screen.call("proof.screenshot"))["proof"]["kind"] == "png"


async def test_a_caller_that_may_only_read_chooses_no_display(
    screen: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ade_runtime.pipeline.call import Caller, Identity

    monkeypatch.delenv("DISPLAY", raising=False)
    visibility = screen.runtime.services.pipeline.visibility
    caller = Caller("socket", env=screen.main.env)
    entry = visibility.ids["proof.screenshot"]
    assert visibility.why_hidden(entry, Identity("agent", "owner", 0), caller) is None
    assert visibility.why_hidden(entry, Identity("external", "x", 0), caller) is not None
