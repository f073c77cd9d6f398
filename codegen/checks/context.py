"""What every check gets: the model, the places of its parts, and where to put faults."""

from __future__ import annotations

from dataclasses import dataclass

from codegen import ir
from codegen.diagnostics import Sink
from codegen.load.places import Places


@dataclass(frozen=True, slots=True)
class Context:
    """``broken`` are ids of actions whose examples are faulty in structure; ``incomplete`` says that a file is missing
    from the model, so that a name may be declared where it cannot be seen.
    """

    specs: ir.Specs
    places: Places
    sink: Sink
    broken: set[str]
    incomplete: bool
