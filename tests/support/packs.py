"""A repository that brings a pack, and short ways to have it trusted."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.sample import git_environment
from tests.support.ways import Way

HEAD = """domain: {domain}
title: Shop
summary: What this project does with its shop.
cli: {{group: {group}}}
actions:
"""
ACTION = """  {name}:
    summary: {summary}
    effect: {effect}
    toolset: base
    timeout: {timeout}
    input:
      words: {{type: array, items: {{type: string}}, maxItems: 10, default: [], description: Words.}}
      word: {{type: string, maxLength: 500, optional: true, description: A word., cli: {{positional: true}}}}
      lane: {{$ref: lane_ref, optional: true, description: Lane to work in.}}
    output:
      type: object
      properties:
        argv: {{type: array, items: {{type: string}}, description: What the command got.}}
        cwd: {{type: string, description: Where.}}
        env: {{type: array, items: {{type: string}}, description: Names of its variables.}}
      required: [argv, cwd, env]
    examples:
      - {{title: Nothing, input: {{}}, output: {{argv: []}}}}
      - {{title: Too much, input: {{word: 1}}, error: {{code: invalid_arguments, path: word}}}}
    run: {run}
"""
SAY = """import json, os, sys
print(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd(), "env": sorted(os.environ)}))
"""
RUNS = {
    "say": "{argv: [python3, scripts/say.py, '--word={word}', --, '{words}'], files: [scripts/say.py], folder: project}",
    "bare": "{argv: [python3, scripts/say.py, '{word}', '{words}'], files: [scripts/say.py], folder: project}",
    "direct": "{argv: [scripts/run.sh, [--word, '{word}']], files: [scripts/run.sh, scripts/say.py], folder: project}",
    "flood": "{argv: ['yes'], folder: project, max_output: 100000}",
    "forever": "{argv: [sleep, '1000000'], folder: project}",
    "fail": "{argv: ['false'], folder: project}",
    "nonsense": "{argv: [echo, no json], folder: project}",
    "missing": "{argv: [no-such-program-of-ade], folder: project}",
    "inlane": "{argv: [python3, scripts/say.py], files: [scripts/say.py], environment: [ADE_LANE_ID]}",
}


def pack_text(
    runs: Mapping[str, str] = RUNS, *, domain: str = "shop", group: str = "shop", effect: str = "read"
) -> str:
    """The spec of a pack whose actions run these commands."""
    actions = [
        ACTION.format(
            name=name,
            summary=f"Do {name}.",
            effect=effect,
            timeout="500ms" if name == "forever" else "20s",
            run=run,
        )
        for name, run in runs.items()
    ]
    return HEAD.format(domain=domain, group=group) + "".join(actions)


def make_project(folder: Path, env: Mapping[str, str], text: str | None = None) -> Path:
    """A repository with a pack and the files that it runs."""
    folder.mkdir(parents=True)
    for path, content in {
        ".ade/specs/shop.yaml": text or pack_text(),
        "scripts/say.py": SAY,
        "scripts/run.sh": '#!/bin/sh\nexec python3 "$(dirname "$0")/say.py" "$@"\n',
        "README.md": "# Shop\n",
    }.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    (folder / "scripts" / "run.sh").chmod(0o755)
    for words in (["init", "-q", "-b", "main"], ["add", "README.md"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *words], cwd=folder, env=dict(env), check=True, capture_output=True)
    return folder


def user_environment(tmp_path: Path) -> dict[str, str]:
    return git_environment(tmp_path / "user")


async def trusted(way: Way, name: str = "shop") -> str:
    """Have the project's pack reviewed and trusted; gives its hash."""
    await way.call("project.add", {"path": str(way.project)})
    added = await way.call("pack.add", {"name": name})
    await way.call("pack.trust", {"name": name, "hash": added["hash"]})
    return str(added["hash"])


def case(action: str, given: dict[str, Any], argv: list[str] | None = None) -> dict[str, Any]:
    return {"action": action, "tool": action, "input": given, "argv": argv}


def document(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What a command line printed."""
    assert answer["exit"] == 0, answer
    found: dict[str, Any] = json.loads(answer["stdout"])
    return found
