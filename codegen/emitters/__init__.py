"""The products. An emitter is a module with ``emit(specs) -> Iterable[PlannedFile]``; add it here, in
alphabetical order.
"""

from __future__ import annotations

from codegen.emitters import (
    cli,
    clients,
    completions,
    contract,
    dispatch,
    docs,
    environment,
    errors,
    events,
    external_tools,
    guidance,
    json_schema,
    layouts,
    models,
    openrpc,
    protocols,
    providers,
    report,
    roles,
    run_rules,
    schemas,
    skills,
    tools,
    typescript,
)

EMITTERS = (
    cli.emit,
    clients.emit,
    completions.emit,
    contract.emit,
    dispatch.emit,
    docs.emit,
    environment.emit,
    errors.emit,
    events.emit,
    external_tools.emit,
    guidance.emit,
    json_schema.emit,
    layouts.emit,
    models.emit,
    openrpc.emit,
    protocols.emit,
    providers.emit,
    report.emit,
    roles.emit,
    run_rules.emit,
    schemas.emit,
    skills.emit,
    tools.emit,
    typescript.emit,
)
