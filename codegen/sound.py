"""What a run found right, so that a later run of the same generator need not look at it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codegen import ir
from codegen.narrow import proof


@dataclass(frozen=True, slots=True)
class Sound:
    """``files`` are spec files by name, each with the digest of its content; ``domains`` have that of all by which
    they were found right; ``schemas`` is the digest of the schemas that the files were held to. All are hexadecimal
    SHA-256.
    """

    schemas: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    domains: Mapping[str, str] = field(default_factory=dict)


def sound(specs: ir.Specs, schemas: str) -> Sound:
    """Of specs that were loaded without a fault."""
    domains = {domain.name: proof(specs, domain) for domain in specs.domains}
    return Sound(schemas, dict(sorted(specs.sources.items())), domains)
