"""``python -m codegen.packs``: one pack in on standard input, one document out on standard output, both JSON.

In: ``{files: {name: text in base64}, commands: bool}``. Out: ``{compiled}`` or ``{problems: text}``.
"""

from __future__ import annotations

import base64
import json
import sys

from codegen.diagnostics import SpecErrors
from codegen.failure import GenerationError
from codegen.packs.compile import compiled
from codegen.packs.load import load_pack


def main() -> int:
    """Read, check, write; the exit code is 0 unless the generator itself fails."""
    asked = json.load(sys.stdin)
    files = {name: base64.b64decode(text) for name, text in asked["files"].items()}
    answer: dict[str, object]
    try:
        answer = {"compiled": compiled(load_pack(files, commands=asked["commands"]))}
    except SpecErrors as problem:
        answer = {"problems": _told(problem)}
    except GenerationError as problem:
        answer = {"problems": str(problem)}
    json.dump(answer, sys.stdout)
    return 0


def _told(problem: SpecErrors) -> str:
    return "\n".join(one.render(problem.sources) for one in problem.diagnostics)


if __name__ == "__main__":
    sys.exit(main())
