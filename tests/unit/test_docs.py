"""The documentation is true: its links lead somewhere and the commands it names exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ade_runtime.cli.outcomes import UsageProblem
from ade_runtime.cli.parse import parse

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "codegen").glob("*.md")]
    if ".venv" not in page.parts
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """The anchors GitHub makes of headings: lower case, punctuation dropped, blanks to dashes."""
    text = FENCE.sub("", page.read_text())
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE):
        plain = re.sub(r"[`*\\]", "", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), f"{name(page)} links to {target}"
        assert other.is_relative_to(ROOT), f"{name(page)} links outside the project: {target}"
        if anchor and other.suffix == ".md":
            assert anchor in anchors(other), f"{name(page)} links to {target}"


def commands(page: Path) -> list[str]:
    """Lines of shell blocks and transcripts that begin with ``ade`` or ``$ ade``."""
    found = []
    for language, body in FENCE.findall(page.read_text()):
        for line in body.splitlines():
            if language in ("sh", "console") and (match := re.match(r"\s*(?:\$ )?(ade .+)", line)):
                found += [part.strip() for part in match[1].split("&&")]
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if "reference" not in page.parts], ids=name)
def test_commands_exist(page: Path) -> None:
    for command in commands(page):
        words = shlex.split(re.sub(r"\s+#.*$|\s*[|>;].*$", "", command))[1:]
        outcome = parse(words, width=80, cwd="/")
        shown_for_adding = "uptime" in command  # the guide adds this one
        assert not isinstance(outcome, UsageProblem) or shown_for_adding, (
            f"{name(page)}: {command}: {outcome}"
        )
