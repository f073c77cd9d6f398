"""What agents are told of the packs of an ADE_HOME, beside what is generated of ADE's own actions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_runtime.cli.clean import clean_line

if TYPE_CHECKING:
    from ade_runtime.packs.records import Known
    from ade_runtime.services import Services

MOST_LINES = 40
HEAD = "Actions that the owner added, which are no part of ADE itself:"


def section(services: Services) -> str:
    """A line for each action of the trusted packs, empty where there is none."""
    services.packs.refresh()
    entries = sorted(services.packs.entries.values(), key=lambda entry: entry.id)
    if not entries:
        return ""
    from ade_runtime.pipeline.notices import short

    lines = [
        f"- `ade {entry.cli[0]} {entry.cli[1]}`: {clean_line(short(entry.summary, entry.deprecated))}"
        for entry in entries[:MOST_LINES]
    ]
    if len(entries) > MOST_LINES:
        lines.append(f"- and {len(entries) - MOST_LINES} more: `ade actions list --text`")
    return "\n".join(["", HEAD, *lines, ""])


def reference(known: Known, pages: Sequence[str]) -> str:
    """The pages of a pack's domains as one, each with where it comes from behind its title."""
    told = f"Of pack {clean_line(known.name)}, from {clean_line(known.origin)}; it is not part of ADE."
    parts = (page.partition("\n") for page in pages)
    return "\n".join(f"{title}\n\n{told}\n{rest}" for title, _, rest in parts)


def of_this_home() -> str:
    """The same for the ADE_HOME of this process's environment."""
    from ade_runtime.services import Services

    return section(Services.from_environment(os.environ))
