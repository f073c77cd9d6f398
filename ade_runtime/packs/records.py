"""What is known of packs, and their actions as rows of the dispatch table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ade_generated.dispatch import ACTIONS, TOOLS
from ade_runtime.contracts import ActionEntry, JsonObject

if TYPE_CHECKING:
    from ade_runtime.packs.loading import Models
    from ade_runtime.pipeline.call import Identity
    from ade_runtime.wire import WireModel

Kind = Literal["project", "package"]
State = Literal["untrusted", "trusted", "changed", "missing", "conflict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A pack that the owner has added. ``root`` is the project's checkout or the package's folder, ``project`` its id.
    ``hash`` is the content that is trusted, ``None`` while none is."""

    name: str
    kind: Kind
    root: str
    project: str | None
    hash: str | None
    trusted_at: str | None

    @property
    def origin(self) -> str:
        """Where its actions come from, in words."""
        return f"the repository {self.root}" if self.kind == "project" else f"the Python package {self.name}"


@dataclass(frozen=True, kw_only=True)
class PackEntry(ActionEntry):
    """An action of a pack. ``run`` is its command; without one ``handler``, ``module:Class`` of the package, performs it."""

    pack: Known
    content: str
    run: Mapping[str, Any] | None
    handler: str | None
    schemas: Mapping[str, JsonObject]
    models: Models

    @cached_property
    def input_model(self) -> type[WireModel]:
        return self.models.named(self.input_ref)

    @cached_property
    def output_model(self) -> type[WireModel]:
        return self.models.named(self.output_ref)

    def why_not_for(self, identity: Identity) -> str | None:
        """What hides it from a session of another project; ``None`` where nothing does."""
        here = self.pack.project
        if here is None or identity.project is None or identity.project == here:
            return None
        return f"It belongs to project {here}."


rows: dict[str, PackEntry] = {}
"""The pack actions that this process has loaded, by id and tool name: for who has a name and nothing else."""


def entry_of(name: str) -> ActionEntry | None:
    """The row of an action by its id or its tool's name, whether it is ADE's own or a pack's; ``None`` where there is none."""
    return ACTIONS.get(TOOLS.get(name, name)) or rows.get(name)
