"""Performing a pack's action with the command it declares: a list of words, which no shell reads."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from ade_generated import errors
from ade_runtime.contracts import Effect, JsonObject
from ade_runtime.integrations.git.process import Output, execute
from ade_runtime.wire import WireError
from ade_runtime.wire_json import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ade_runtime.packs.records import PackEntry
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services
    from ade_runtime.wire import WireModel

PLACE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
ALWAYS = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR")
"""Variables that every command gets, from the caller."""

ERROR_LIMIT = 64 * 1024
COMPLAINT = 2000
END_OF_OPTIONS = "--"


async def perform(
    services: Services, entry: PackEntry, call: Call, model: WireModel, files: Path
) -> WireModel:
    """Run the command and read its answer. ``files`` holds the project's files as they were trusted."""
    run = entry.run or {}
    if call.project.id != entry.pack.project:
        raise errors.PackElsewhere(pack=entry.pack.name, project=call.project.name, root=entry.pack.root)
    words = filled(run, model.model_dump(mode="json", by_alias=True), entry.id)
    env = environment(run, call.caller.env)
    folder = await _folder(services, entry, call, model)
    argv = [_program(entry, words[0], env, call.project.root, files), *_with_files(run, words[1:], files)]
    try:
        done = await execute(
            argv, cwd=folder, env=env, stdin=None, limit=run["max_output"], error_limit=ERROR_LIMIT
        )
    except OSError as problem:
        reason = problem.strerror or "unknown reason"
        raise errors.PackCommandFailed(action=entry.id, reason=f"it could not be started: {reason}") from None
    return answer(entry, run, done)


def filled(run: Mapping[str, Any], values: JsonObject, action: str) -> list[str]:
    """The words with the input in its places. A word, or words that stand together in a list, is left out where a field it
    names is absent. Raises ``invalid_arguments`` for a value that a program would read as an option."""
    out: list[str] = []
    for item in run["argv"]:
        if any(values.get(name) is None for word in item for name in PLACE.findall(word)):
            continue
        for word in item:
            out += _word(word, values, action, END_OF_OPTIONS in out)
    return out


def _word(word: str, values: JsonObject, action: str, after_options: bool) -> list[str]:
    alone = PLACE.fullmatch(word)
    value = values[alone[1]] if alone else None
    if alone and isinstance(value, list):
        made = [(_text(one), alone[1]) for one in value]
    else:
        first = PLACE.match(word)
        made = [(PLACE.sub(lambda place: _text(values[place[1]]), word), first[1] if first else None)]
    for text, field in made:
        if "\0" in text:
            raise _refused(action, field or word, "holds a NUL character, which no command takes")
        if field is not None and text.startswith("-") and not after_options:
            raise _refused(action, field, "begins with -, which the command would read as an option")
    return [text for text, _ in made]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return orjson.dumps(value).decode()


def _refused(action: str, field: str, problem: str) -> errors.InvalidArguments:
    told = [{"path": field, "message": problem}]
    return errors.InvalidArguments(problem=f"{field}: {problem}", action=action, details={"problems": told})


def environment(run: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """The caller's variables that the command may have, and no others."""
    allowed = {*ALWAYS, *run["environment"]}
    env = {name: value for name, value in given.items() if name in allowed or name.startswith("LC_")}
    env.setdefault("PATH", os.defpath)
    env.pop("ADE_SESSION_TOKEN", None)
    return env


async def _folder(services: Services, entry: PackEntry, call: Call, model: WireModel) -> Path:
    run = entry.run or {}
    if run["folder"] == "project":
        return call.project.root
    field = entry.target.lane
    named = None if field is None else getattr(model, field, None)
    lane = await services.lanes.resolve(call, named, write=entry.effect is not Effect.READ)
    call.subject = lane.id
    return lane.path


def _program(entry: PackEntry, name: str, env: Mapping[str, str], root: Path, files: Path) -> str:
    """The program's path: a trusted file, or one on the caller's PATH that lies outside of the repository."""
    if name in (entry.run or {})["files"]:
        return str(files / name)
    if name.startswith("/"):
        return name
    folders = [one for one in env["PATH"].split(os.pathsep) if one.startswith("/") and not _inside(one, root)]
    found = shutil.which(name, path=os.pathsep.join(folders)) if folders else None
    if found is None:
        raise errors.PackCommandFailed(action=entry.id, reason=f"there is no program {name} on your PATH")
    return found


def _inside(folder: str, root: Path) -> bool:
    return Path(folder).resolve().is_relative_to(root)


def _with_files(run: Mapping[str, Any], words: list[str], files: Path) -> list[str]:
    """A fixed word that names a trusted file stands for that file, not for the lane's own of the name."""
    fixed = {word for item in run["argv"] for word in item if not PLACE.search(word)}
    return [str(files / word) if word in run["files"] and word in fixed else word for word in words]


def answer(entry: PackEntry, run: Mapping[str, Any], done: Output) -> WireModel:
    """What the command printed as the declared output. Raises ``pack_command_failed`` and ``pack_answer_invalid``."""
    wanted = entry.output_model.model_fields
    text = run["answer"] == "text"
    if done.truncated and not (text and "truncated" in wanted):
        reason = f"it printed more than {run['max_output']} bytes and was ended"
        raise errors.PackCommandFailed(action=entry.id, reason=reason)
    if done.code != 0 and not done.truncated and not (text and "exit" in wanted):
        complaint = done.stderr.decode("utf-8", "replace").strip()[-COMPLAINT:]
        ended = f"it ended with {done.code}" if done.code > 0 else f"signal {-done.code} ended it"
        raise errors.PackCommandFailed(
            action=entry.id,
            reason=f"{ended}{': ' if complaint else ''}{complaint}",
            details={"exit": done.code},
        )
    try:
        if text:
            printed: JsonObject = {
                "stdout": done.stdout.decode("utf-8", "replace"),
                "stderr": done.stderr.decode("utf-8", "replace"),
                "exit": done.code,
                "truncated": done.truncated,
            }
            return entry.output_model.from_wire({name: printed[name] for name in wanted})
        return entry.output_model.from_wire(parse(done.stdout))
    except (WireError, ValueError) as problem:
        raise errors.PackAnswerInvalid(action=entry.id, problem=str(problem)[:COMPLAINT]) from None
