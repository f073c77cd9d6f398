"""The typed intermediate model: what every check reads and every emitter prints.

The loader builds it from YAML; nothing after the loader sees a raw mapping. All nodes are frozen. Text an author wrote is
a :class:`SpecText`, which refuses to be printed until the context it lands in is named (see :mod:`codegen.text`).
"""

from __future__ import annotations

from ade_runtime.strict_yaml.places import Span
from codegen.ir.actions import (
    Action,
    Deprecation,
    Domain,
    Event,
    Example,
    ExampleError,
    Field,
    FieldCli,
    Rule,
    Target,
)
from codegen.ir.run_rules import RunMove, RunRule
from codegen.ir.schemas import (
    ArraySchema,
    BooleanSchema,
    MapSchema,
    NumberSchema,
    ObjectSchema,
    RefSchema,
    ScalarKind,
    Schema,
    StringSchema,
    UnionSchema,
)
from codegen.ir.specs import (
    Specs,
)
from codegen.ir.tables import (
    Column,
    Completer,
    EnvironmentVariable,
    ErrorSpec,
    ExternalTool,
    Fixture,
    GuidanceText,
    Method,
    NamedType,
    Provider,
    ProviderAcp,
    ProviderTerminal,
    RateLimit,
    Role,
    SkillText,
    TextLayout,
    Toolset,
)

__all__ = [
    "Action",
    "ArraySchema",
    "BooleanSchema",
    "Column",
    "Completer",
    "Deprecation",
    "Domain",
    "EnvironmentVariable",
    "ErrorSpec",
    "Event",
    "Example",
    "ExampleError",
    "ExternalTool",
    "Field",
    "FieldCli",
    "Fixture",
    "GuidanceText",
    "MapSchema",
    "Method",
    "NamedType",
    "NumberSchema",
    "ObjectSchema",
    "Provider",
    "ProviderAcp",
    "ProviderTerminal",
    "RateLimit",
    "RefSchema",
    "Role",
    "Rule",
    "RunMove",
    "RunRule",
    "ScalarKind",
    "Schema",
    "SkillText",
    "Span",
    "Specs",
    "StringSchema",
    "Target",
    "TextLayout",
    "Toolset",
    "UnionSchema",
]
