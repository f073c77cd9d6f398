"""Manual pages: the formatter has nothing to say against one, every command is on one, and no text of a spec is a request."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ade_generated.dispatch import ACTIONS
from codegen.emitters.man import roff
from tests.unit.codegen.toy import HOSTILE

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "ade_generated" / "man"


def shown(page: Path) -> str:
    """The page as `man` shows it; it has no warnings. The test is skipped where there is no formatter."""
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man or groff is not installed")
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANWIDTH": "100", "MAN_KEEP_FORMATTING": ""}
    argv = [
        "man",
        "--warnings=w",
        "--encoding=UTF-8",
        "--no-hyphenation",
        "--no-justification",
        "-l",
        str(page),
    ]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60)
    if done.returncode != 0 and "minimized" in done.stdout + done.stderr:
        pytest.skip("the manual pages' formatter was taken out of this system")
    said = [
        line for line in done.stderr.splitlines() if "can't break line" not in line
    ]  # as a long pattern is
    assert (done.returncode, said) == (0, []), page.name
    return done.stdout


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.1")), ids=lambda page: page.name)
def test_a_page_is_shown_without_a_warning(page: Path) -> None:
    text = flat(shown(page))
    assert text.startswith(page.stem.upper())
    assert "EXIT STATUS" in text


def test_every_command_is_on_the_page_of_its_group() -> None:
    for group in {entry.cli[0] for entry in ACTIONS.values()}:
        text = flat(shown(PAGES / f"ade-{group}.1"))
        for entry in ACTIONS.values():
            if entry.cli[0] == group:
                assert f"ade {group} {entry.cli[1]}" in text
                assert flat(entry.summary) in text, entry.id
    overview = flat(shown(PAGES / "ade.1"))
    assert all(f"ade-{entry.cli[0]}(1)" in overview for entry in ACTIONS.values())


def test_every_line_is_a_known_request_or_text() -> None:
    request = re.compile(r'\.(\\" .*|TH .*|SH [A-Z ]+|SS ".*"|PP|TP|RS|RE|nf|fi|br|B .*|BR ade \(1\))')
    escape = re.compile(r"\\(?:\((?:rs|aq|ga|ha|ti|dq)|-|&|f[IR])")
    for page in PAGES.glob("*.1"):
        for line in page.read_text().splitlines():
            assert not line.startswith("'"), (page.name, line)
            assert not line.startswith(".") or request.fullmatch(line), (page.name, line)
            if not line.startswith('.\\"'):
                assert "\\" not in escape.sub("", line), (page.name, line)


MEAN = [
    ".so /etc/passwd",
    "'so /etc/passwd",
    ".\nx",
    "\\fBbold",
    "\\*[x]",
    '.B "x"',
    "a\n.sy id",
    "\\",
    "--flag",
    "~^`'\"",
]


@pytest.mark.parametrize("text", [text for text in [*HOSTILE, *MEAN] if text.strip()])
def test_a_text_is_shown_as_it_was_written(text: str, tmp_path: Path) -> None:
    page = tmp_path / "x.1"
    page.write_text(
        f'.TH X 1 "" "" ""\n.SH NAME\nx \\- y\n.PP\n{roff(text)}\n.PP\n.B "{roff(text)}"\n', encoding="utf-8"
    )
    assert "\n" not in roff(text)
    if len(text) > 90 or not text.isascii():
        return  # broken at the margin, or without a glyph here
    assert flat(shown(page)).count(flat(text)) == 2
