"""The agent programs that ADE holds chats with, as data for the chat service."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from codegen import ir
from codegen.plan import PlannedFile
from codegen.templating import render


def emit(specs: ir.Specs) -> Iterable[PlannedFile]:
    if not specs.providers:
        return
    providers = [provider for _, provider in sorted(specs.providers.items())]
    content = render("python/providers.py.jinja", providers=providers)
    yield PlannedFile(PurePosixPath("ade_generated/providers.py"), content, ("specs/providers.yaml",))
