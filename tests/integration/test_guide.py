"""The five-minute guide, followed to the letter in a copy of the project."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guides" / "add-an-action.md"
BLOCK = re.compile(r"^```(?:yaml|python) (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's files as git knows them, new ones included."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    target = tmp_path / "ade"
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file() and not name.startswith("tests/"):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def run(copy: Path, *argv: str, expect: int = 0) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("ADE_")}
    env |= {"ADE_HOME": str(copy.parent / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *argv],
        cwd=copy,
        env=env,
        capture_output=True,
        text=True,
        timeout=100,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return done


def test_following_the_guide_gives_a_working_action(copy: Path) -> None:
    untouched = (copy / "ade_generated" / "models" / "actions.py").read_bytes()
    blocks = BLOCK.findall(GUIDE.read_text())
    assert [path for path, _ in blocks] == ["specs/domains/runtime.yaml", "ade_runtime/domains/runtime.py"]

    spec, handler = blocks
    with (copy / spec[0]).open("a") as file:
        file.write(spec[1].replace("effect: read", "efect: read"))
    mistake = run(copy, "-m", "codegen", "gen", expect=2)
    assert re.search(
        r"specs/domains/runtime\.yaml:\d+:\d+: unknown-key: .*efect", mistake.stdout + mistake.stderr
    )
    assert not (copy / "ade_generated" / "models" / "runtime.py").read_text().count("Uptime")

    (copy / spec[0]).write_text((copy / spec[0]).read_text().replace("efect: read", "effect: read"))
    run(copy, "-m", "codegen", "gen")
    assert (copy / "ade_generated" / "models" / "actions.py").read_bytes() == untouched
    missing = "from ade_runtime.pipeline.handlers import registry_problems as p; print(p())"
    assert "uptime" in run(copy, "-c", missing).stdout

    with (copy / handler[0]).open("a") as file:
        file.write("\n" + handler[1])
    command = "from ade_runtime.client.main import main; main()"
    line = ["-c", command, "--headless", "runtime", "uptime"]
    assert json.loads(run(copy, *line, "-u", "minutes", "--json").stdout) == {"value": 0, "unit": "minutes"}
    assert "Tell how long" in run(copy, *line, "--help").stdout
    assert json.loads(run(copy, *line, "--unit", "years", "--json", expect=2).stderr)["error"]["code"]
    page = (copy / "docs" / "reference" / "actions" / "runtime.md").read_text()
    assert "runtime.uptime" in page
    run(copy, "-m", "codegen", "check")
