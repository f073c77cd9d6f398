"""Everything together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen.ir.actions import Action, Domain
from codegen.ir.run_rules import RunMove, RunRule
from codegen.ir.tables import (
    Completer,
    EnvironmentVariable,
    ErrorSpec,
    ExternalTool,
    Fixture,
    GuidanceText,
    Method,
    NamedType,
    Provider,
    RateLimit,
    Role,
    SkillText,
    TextLayout,
    Toolset,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Specs:
    """Everything the specs say, sorted by name so that the order of files and keys never shows in the output."""

    root: Path
    domains: tuple[Domain, ...]
    types: Mapping[str, NamedType]
    errors: Mapping[str, ErrorSpec]
    roles: Mapping[str, Role]
    toolsets: Mapping[str, Toolset]
    rate_limits: Mapping[str, RateLimit]
    environment: tuple[EnvironmentVariable, ...]
    layouts: Mapping[str, TextLayout]
    completers: Mapping[str, Completer]
    fixtures: Mapping[str, Fixture]
    guidance: tuple[GuidanceText, ...]
    skills: tuple[SkillText, ...] = ()
    methods: Mapping[str, Method] = field(default_factory=dict)
    external_tools: Mapping[str, ExternalTool] = field(default_factory=dict)
    providers: Mapping[str, Provider] = field(default_factory=dict)
    run_moves: Mapping[str, RunMove] = field(default_factory=dict)
    run_rules: Mapping[str, RunRule] = field(default_factory=dict)
    known_folders: tuple[str, ...] = ()
    """Folders looked into for every external tool, after its own."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each spec file by its path relative to the project root."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """For each domain a digest of all that its own products are made from; see :mod:`codegen.narrow`."""

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(action for domain in self.domains for action in domain.actions)
