"""What ADE really says to Codex, held against the JSON Schemas that the program itself exports."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from tests.support.programs import CACHE, CODEX, installed

RESPONSES = {
    "item/tool/call": "DynamicToolCallResponse",
    "item/commandExecution/requestApproval": "CommandExecutionRequestApprovalResponse",
    "item/fileChange/requestApproval": "FileChangeRequestApprovalResponse",
    "item/permissions/requestApproval": "PermissionsRequestApprovalResponse",
    "item/tool/requestUserInput": "ToolRequestUserInputResponse",
    "mcpServer/elicitation/request": "McpServerElicitationRequestResponse",
}

WRAPPER = """#!/bin/sh
if [ "$1" = app-server ]; then
    tee -a {folder}/sent | {program} "$@" | tee -a {folder}/received
else
    exec {program} "$@"
fi
"""


class Wire:
    """A ``codex`` in ``folder``/bin that keeps what goes over its standard streams."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        program = self.bin / "codex"
        program.write_text(WRAPPER.format(folder=folder, program=installed(CODEX, "codex")))
        program.chmod(0o755)

    def messages(self, which: str) -> list[dict[str, Any]]:
        """``sent`` or ``received``; a last line that was broken off is left out."""
        path = self.folder / which
        lines = path.read_text().splitlines(keepends=True) if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def faults(self) -> Iterator[str]:
        """What in the messages sent does not fit the program's schemas."""
        asked = {
            one["id"]: one["method"] for one in self.messages("received") if "method" in one and "id" in one
        }
        for message in self.messages("sent"):
            if "result" in message:
                method = asked[message["id"]]
                yield from _faults(_schema(RESPONSES[method]), message["result"], method)
            elif "method" in message:
                yield from _faults(_request(message["method"]), message, message["method"])


def _faults(schema: dict[str, Any], document: dict[str, Any], what: str) -> Iterator[str]:
    for error in jsonschema.Draft7Validator(schema).iter_errors(document):
        yield f"{what}: {error.message[:300]}"
    params = schema.get("properties", {}).get("params", {}).get("$ref")
    target = schema["definitions"][params.rpartition("/")[2]] if params else schema
    given = document.get("params", {}) if params else document
    if "properties" in target:
        yield from (f"{what}: {name} is not in the schema" for name in set(given) - set(target["properties"]))


def _request(method: str) -> dict[str, Any]:
    """The schema of one request or notification of a client."""
    for name in ("ClientRequest", "ClientNotification"):
        document = _schema(name)
        for one in document["oneOf"]:
            if one["properties"]["method"]["enum"] == [method]:
                return {**one, "definitions": document.get("definitions", {})}
    raise AssertionError(f"Codex knows no {method}")


@cache
def _schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_exported() / f"{name}.json").read_text())
    return found


@cache
def _exported() -> Path:
    folder = CACHE / f"{CODEX.removeprefix('@').replace('/', '-').replace('@', '-')}-schemas"
    argv = [
        installed(CODEX, "codex"),
        "app-server",
        "generate-json-schema",
        "--experimental",
        "--out",
        folder,
    ]
    subprocess.run(
        argv, check=True, timeout=120, env={"HOME": str(CACHE), "PATH": "/usr/bin:/bin:" + _node()}
    )
    return folder


def _node() -> str:
    found = shutil.which("node")
    assert found is not None
    return str(Path(found).parent)
