"""Title and description of a pull request from the commits of its branch and the repository's template."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.redaction import redact

if TYPE_CHECKING:
    from ade_runtime.integrations.git.log import Commit

LONGEST_TITLE = 250
LONGEST_BODY = 60_000
LONGEST_TEMPLATE = 20_000
MOST_COMMITS = 100
_FOLDERS = (".github", ".", "docs")
_TEMPLATE = re.compile(r"pull_request_template(\.md|\.txt)?", re.IGNORECASE)
_TRAILERS = re.compile(
    r"(?:\n[A-Z][A-Za-z-]{2,40}-(?:by|By|to|To|Id|ID): [^\n]*)+\s*\Z|(?:\n(?:Change-Id|Refs): [^\n]*)+\s*\Z"
)


def draft_title(commits: Sequence[Commit], lane: str, description: str | None) -> str:
    """The subject of a single commit; else what the lane is for, or its name as words."""
    if len(commits) == 1 and commits[0].subject:
        return cut(commits[0].subject, LONGEST_TITLE)
    first = (description or "").strip().split("\n", 1)[0].strip()
    words = re.sub(r"[-_/\s]+", " ", lane).strip()
    return cut(first or words[:1].upper() + words[1:] or "Changes", LONGEST_TITLE)


def draft_body(commits: Sequence[Commit], template: str | None) -> str:
    """The message of a single commit or a list of several, then the template for a person or agent to fill in."""
    if len(commits) == 1:
        what = _TRAILERS.sub("", "\n" + commits[0].body).strip()
    else:
        what = "\n".join(f"- {commit.subject}" for commit in list(commits)[:MOST_COMMITS])
        if len(commits) > MOST_COMMITS:
            what += f"\n- … and {len(commits) - MOST_COMMITS} more"
    parts = [part for part in (what, (template or "").strip()) if part]
    return cut(redact("\n\n".join(parts)), LONGEST_BODY)


def read_template(root: Path) -> str | None:
    """The template for pull requests in a checkout, where there is a single one; it is looked for where GitHub does."""
    for folder in _FOLDERS:
        try:
            found = sorted(path for path in (root / folder).iterdir() if _TEMPLATE.fullmatch(path.name))
        except OSError:
            continue
        for path in found:
            if path.is_symlink() or (root / folder).is_symlink() or not path.is_file():
                continue
            with path.open("rb") as file:
                return file.read(LONGEST_TEMPLATE).decode("utf-8", "ignore")
    return None


def cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
