"""Having a pack checked and compiled by the generator, in a process of its own: the runtime never loads it."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.integrations.git.process import execute

if TYPE_CHECKING:
    from ade_runtime.packs.sources import Source

SECONDS = 90.0
LIMIT = 64 * 2**20
TOLD = 8000


async def compile_pack(source: Source) -> dict[str, Any]:
    """What the runtime needs of a pack. Raises ``pack_invalid`` with what is wrong with it, ``pack_compiler_missing`` where
    the generator is not installed."""
    files = {file.path: base64.b64encode(file.data).decode() for file in source.specs}
    if source.kind == "package":
        files = {f"{source.name}/{path}": data for path, data in files.items()}
    asked = orjson.dumps({"files": files, "commands": source.kind == "project"})
    kept = ("PATH", "HOME", "LANG", "TMPDIR")
    try:
        async with asyncio.timeout(SECONDS):
            done = await execute(
                [sys.executable, "-I", "-m", "codegen.packs"],
                cwd=Path("/"),
                env={name: os.environ[name] for name in kept if name in os.environ},
                stdin=asked,
                limit=LIMIT,
                error_limit=TOLD,
            )
    except TimeoutError:
        raise errors.PackInvalid(
            pack=source.name, problem=f"checking it took more than {SECONDS:g} s"
        ) from None
    if done.code != 0:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise errors.PackCompilerMissing(reason=last[:300] or f"it ended with {done.code}")
    answer: dict[str, Any] = orjson.loads(done.stdout)
    if "problems" in answer:
        raise errors.PackInvalid(pack=source.name, problem=str(answer["problems"])[:TOLD])
    compiled: dict[str, Any] = answer["compiled"]
    _check_handlers(source, compiled)
    return compiled


def _check_handlers(source: Source, compiled: dict[str, Any]) -> None:
    """A package has one entry point for each domain, and none besides."""
    if source.kind == "project":
        return
    domains = {domain["name"] for domain in compiled["domains"]}
    declared = {name for name, _ in source.handlers}
    if domains != declared:
        problem = (
            f"its entry points are {', '.join(sorted(declared))}, its domains {', '.join(sorted(domains))}"
        )
        raise errors.PackInvalid(pack=source.name, problem=problem)
