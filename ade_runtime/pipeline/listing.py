"""Actions as ``actions.list`` tells of them. Clients ask for the same pages again and again, and one with schemas is long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ade_generated.models.actions import ActionsListOutput
from ade_generated.models.types import ActionSummary
from ade_runtime.packs.records import PackEntry
from ade_runtime.pipeline.execute import to_json
from ade_runtime.pipeline.notices import short
from ade_runtime.pipeline.schemas import argument_names, input_schema, output_schema

if TYPE_CHECKING:
    from ade_runtime.contracts import ActionEntry

PAGES_KEPT = 8
Page = tuple[ActionsListOutput, bytes]


class Pages:
    """Summaries and the last few pages, each made once: an action of the same content does not change."""

    def __init__(self) -> None:
        self._summaries: dict[tuple[str, str, bool], ActionSummary] = {}
        self._pages: dict[tuple[object, ...], Page] = {}

    def of(self, entries: Sequence[ActionEntry], schemas: bool, total: int, after: str | None) -> Page:
        """A page and its wire form; ``after`` is the cursor of the next one."""
        key = (schemas, total, after, *(f"{entry.id} {_content(entry)}" for entry in entries))
        made = self._pages.get(key)
        if made is None:
            items = [self.summary(entry, schemas) for entry in entries]
            answer = ActionsListOutput(items=items, total=total, next=after)
            made = answer, to_json(answer)
            if len(self._pages) >= PAGES_KEPT:
                del self._pages[next(iter(self._pages))]
            self._pages[key] = made
        return made

    def summary(self, entry: ActionEntry, schemas: bool) -> ActionSummary:
        """An action in short, with ``schemas`` of its input and output."""
        key = (entry.id, _content(entry), schemas)
        made = self._summaries.get(key)
        if made is None:
            made = self._summaries[key] = ActionSummary(
                id=entry.id,
                tool=entry.tool,
                summary=summary_of(entry),
                effect=entry.effect.value,
                pack=pack_of(entry),
                arguments=argument_names(entry),
                command=command_of(entry),
                input=input_schema(entry) if schemas else None,
                output=output_schema(entry) if schemas else None,
            )
        return made


def summary_of(entry: ActionEntry) -> str:
    """What an action does, and whether it will go, as help has it."""
    return short(entry.summary, entry.deprecated)


def pack_of(entry: ActionEntry) -> str | None:
    """The pack that brings an action; ``None`` for ADE's own."""
    return entry.pack.name if isinstance(entry, PackEntry) else None


def _content(entry: ActionEntry) -> str:
    return entry.content if isinstance(entry, PackEntry) else ""


def command_of(entry: ActionEntry) -> str:
    """What to type for an action."""
    return f"ade {entry.cli[0]} {entry.cli[1]}"
