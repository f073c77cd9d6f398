"""What a program did that was written for an earlier release, run by an interpreter of its own.

``python -I yesterday.py load GENERATED TODAY`` loads a generated package of then with today's runtime package;
``… call GENERATED TODAY SOCKET PROJECT`` also calls a runtime with its models. Prints one JSON document.
"""

import json
import socket
import sys
from pathlib import Path
from typing import Any

FIXTURES = ("empty_repo_with_one_commit",)


def main(mode: str, generated: str, today: str, *where: str) -> None:
    sys.path[:0] = [generated, today]
    import ade_generated
    import ade_runtime

    assert Path(str(ade_generated.__file__)).is_relative_to(generated)
    assert Path(str(ade_runtime.__file__)).is_relative_to(today)
    print(json.dumps(load(Path(generated)) if mode == "load" else call(Path(generated), *where)))


def cases(generated: Path) -> list[dict[str, Any]]:
    tables = sorted((generated / "ade_generated" / "contract").glob("*.json"))
    return [case for table in tables for case in json.loads(table.read_text()).get("cases", [])]


def load(generated: Path) -> dict[str, Any]:
    """Every model of every action, judged by the examples of then; every command; every error."""
    import importlib

    from ade_generated import errors, layouts
    from ade_generated.cli import index
    from ade_generated.dispatch import ACTIONS
    from ade_runtime.cli.commands import ActionCommand
    from ade_runtime.contracts import AdeError
    from ade_runtime.wire import WireError

    wrong = []
    for case in cases(generated):
        entry = ACTIONS[case["action"]]
        refused = case.get("error", {}).get("code") == "invalid_arguments"
        try:
            entry.input_model.from_wire(case["input"])
        except WireError as problem:
            if not refused and "${" not in json.dumps(case["input"]):
                wrong.append(f"{case['action']}: {case['title']}: {problem}")
    commands = 0
    for group in index.GROUPS:
        for made in importlib.import_module(group.module).COMMANDS.values():
            commands += isinstance(made(), ActionCommand)
    return {
        "wrong": wrong,
        "actions": len(ACTIONS),
        "outputs": sum(
            entry.output_model.model_json_schema()["type"] == "object" for entry in ACTIONS.values()
        ),
        "commands": commands,
        "errors": sum(
            isinstance(kind, type) and issubclass(kind, AdeError) for kind in vars(errors).values()
        ),
        "layouts": len(layouts.LAYOUTS),
    }


def call(generated: Path, address: str, project: str) -> dict[str, Any]:
    """Its examples that only read and need no more than a project, over a socket: sent and read with the models of then."""
    from ade_generated.dispatch import ACTIONS
    from ade_runtime.contracts import Effect

    done: list[str] = []
    wrong: list[str] = []
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(address)
        lines = connection.makefile("rb")
        for case in cases(generated):
            entry = ACTIONS[case["action"]]
            if entry.effect is not Effect.READ or entry.requires or not set(case["given"]) <= set(FIXTURES):
                continue
            if case.keys() & {"as", "role"} or "${" in json.dumps(case["input"]):
                continue
            params = {"name": entry.id, "arguments": case["input"], "cwd": project}
            asked = {"jsonrpc": "2.0", "id": len(done), "method": "ade/actions/call", "params": params}
            connection.sendall(json.dumps(asked).encode() + b"\n")
            answer = json.loads(lines.readline())
            done.append(entry.id)
            wrong += judged(case, entry, answer)
    return {"done": len(done), "actions": len(set(done)), "wrong": wrong}


def judged(case: dict[str, Any], entry: Any, answer: dict[str, Any]) -> list[str]:
    """What of an answer is not as it was then."""
    from ade_runtime.wire import WireError

    name = f"{case['action']}: {case['title']}"
    said = answer.get("error", {}).get("data", {}).get("code")
    wanted = case.get("error", {}).get("code")
    if said != wanted:
        return [f"{name}: {said} instead of {wanted}"]
    if wanted is not None:
        same = answer["error"]["code"] == case["error"]["rpc"]
        return [] if same else [f"{name}: {answer['error']['code']}"]
    try:
        entry.output_model.from_answer(answer["result"])
    except WireError as problem:
        return [f"{name}: {problem}"]
    return []


if __name__ == "__main__":
    main(*sys.argv[1:])
