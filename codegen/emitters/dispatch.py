"""The dispatch table: one plain row an action."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import PurePosixPath

from codegen import ir
from codegen.deprecation import notices, of_action
from codegen.modelgen.classes import PACKAGE, input_class, output_class
from codegen.naming import method_name, module_name
from codegen.narrow import per_domain
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    domains = sorted(specs.domains, key=lambda domain: f"{domain.name}.")
    content = render(
        "python/dispatch.py.jinja",
        domains=[_rows(domain, specs) for domain in domains],
        actions=sorted(specs.actions, key=lambda action: action.id),
    )
    sources = tuple(domain.file for domain in specs.domains)
    yield PlannedFile(PurePosixPath("ade_generated/dispatch.py"), content, sources)


@per_domain
def _rows(domain: ir.Domain, specs: ir.Specs) -> str:
    return render(
        "python/dispatch_rows.py.jinja",
        actions=sorted(domain.actions, key=lambda action: action.id),
        groups={domain.name: domain.group},
        method=method_name,
        input_ref=_input_ref,
        output_ref=_output_ref,
        secrets=_secrets,
        notice=partial(of_action, specs=specs, by="id"),
        notices=notices,
    )


def _input_ref(action: ir.Action) -> str:
    return f"{PACKAGE}.{module_name(action.domain)}:{input_class(action)}"


def _output_ref(action: ir.Action) -> str:
    module, name = output_class(action)
    return f"{PACKAGE}.{module}:{name}"


def _secrets(action: ir.Action) -> tuple[str, ...]:
    return tuple(field.name for field in action.fields if field.secret)
