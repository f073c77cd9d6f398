"""What a project tells ADE about itself, and which of its commands may run."""

from __future__ import annotations

import json
import shlex
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import config as models
from ade_generated.models.types import ConfigCommand, ConfigProblem, ConfigView
from ade_runtime.config.document import FAULTS_SHOWN, Document, Fault, parse, parse_value
from ade_runtime.config.edit import REMOVE, NoSuchPath, NotEditable, edited
from ade_runtime.config.service import FILE, Loaded, invalid, line
from ade_runtime.config.trust import may_grant

if TYPE_CHECKING:
    from ade_runtime.config.service import ConfigService
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

SCHEMA = "project_config.schema.json"


class ConfigHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def show(self, call: Call, args: models.ConfigShowInput) -> ConfigView:
        return await self._view(call, await self._config.load(call.project))

    async def validate(self, call: Call, args: models.ConfigValidateInput) -> models.ConfigValidateOutput:
        document = await self._config.check(call.project, args.content)
        return models.ConfigValidateOutput(
            path=str(call.project.root / FILE),
            valid=not document.faults,
            items=[_problem(fault) for fault in document.faults[:FAULTS_SHOWN]],
            total=len(document.faults),
            next=None,
        )

    async def set(self, call: Call, args: models.ConfigSetInput) -> ConfigView:
        path = _names(args.path)
        try:
            value = REMOVE if args.value is None else parse_value(args.value)
        except ValueError as problem:
            raise errors.ConfigValueInvalid(path=args.path, problem=f"{problem}.") from None
        if args.unset is False and value is REMOVE:
            raise errors.ConfigValueInvalid(path=args.path, problem="unset is false and there is no value.")
        async with self._services.locks.project(call.project.id):
            before = await self._config.load(call.project)
            document = self._changed(before, path, value, args.path)
            if document.text != before.text or not before.exists:
                await self._config.write(call.project, document.text)
        return await self._view(call, await self._config.load(call.project))

    async def trust(self, call: Call, args: models.ConfigTrustInput) -> ConfigView:
        if not may_grant(call.identity):
            reason = "Only the owner in a shell of their own, or a CTO, may trust commands; ask them to."
            raise errors.PolicyDenied(role=call.identity.role, action=call.action.id, reason=reason)
        return await self._view(call, await self._config.grant(call.project, args.hash, call.identity))

    async def distrust(self, call: Call, args: models.ConfigDistrustInput) -> ConfigView:
        await self._config.withdraw(call.project)
        return await self._view(call, await self._config.load(call.project))

    async def schema(self, call: Call, args: models.ConfigSchemaInput) -> models.ConfigSchemaOutput:
        with as_file(files("ade_generated") / "schemas" / SCHEMA) as path:
            return models.ConfigSchemaOutput(path=str(path), schema_=json.loads(path.read_bytes()))

    @property
    def _config(self) -> ConfigService:
        return self._services.config

    def _changed(self, before: Loaded, path: list[str], value: object, asked: str) -> Document:
        """The document with the change, which must be valid."""
        try:
            document = parse(edited(before.text, path, value).encode("utf-8", "surrogatepass"))
        except NoSuchPath:
            reason = "it is not set" if value is REMOVE else "it leads through a value that holds no names"
            raise errors.ConfigPathUnknown(path=asked, reason=reason) from None
        except NotEditable:
            raise errors.ConfigNotEditable(path=asked, file=FILE) from None
        if document.config is None:
            problem = invalid(document)
            first = document.faults[0]
            raise errors.ConfigValueInvalid(
                path=asked,
                problem=f"{first.path or 'the file'} {first.message}; {first.fix}",
                details=problem.details,
            )
        return document

    async def _view(self, call: Call, config: Loaded) -> ConfigView:
        trusted = await self._config.is_trusted(call.project, config)
        notes = []
        if not trusted:
            notes.append(f"Review the commands; the owner allows them with `ade config trust {config.hash}`.")
        elif not config.exists:
            notes.append(
                "Set something with `ade config set PATH VALUE`; `ade config schema` says what there is."
            )
        return ConfigView(
            project=call.project.id,
            path=str(config.path),
            exists=config.exists,
            trusted=trusted,
            hash=config.hash,
            commands=[
                ConfigCommand(
                    name=c.name,
                    line=shlex.join(c.argv),
                    command=list(c.argv),
                    cwd=c.cwd,
                    env=list(c.env),
                    trusted=trusted,
                )
                for c in config.commands
            ],
            config=config.config.to_wire(),
            notes=notes,
        )


def _names(path: str) -> list[str]:
    names = path.split(".")
    if not all(names):
        raise errors.ConfigPathUnknown(path=path, reason="a name in it is empty")
    return names


def _problem(fault: Fault) -> ConfigProblem:
    return ConfigProblem(
        line=fault.line,
        column=fault.column,
        path=fault.path,
        message=fault.message,
        fix=fault.fix,
        text=f"{FILE}:{line(fault.line, fault.column, fault.path, fault.message)}",
    )
