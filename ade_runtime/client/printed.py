"""``ade guidance`` and ``ade completion``: what the generator made, printed as it is; guidance also names what packs bring."""

from __future__ import annotations

import sys
from importlib.resources import files

from ade_runtime.client.local import usage

SHELLS = {"bash": "ade.bash", "zsh": "_ade", "fish": "ade.fish"}
GUIDANCE = "agent.md"


def print_guidance(args: list[str]) -> int:
    """``ade guidance [NAME]``: without a name what an agent needs to know, otherwise one of the other texts."""
    folder = files("ade_generated") / "guidance"
    names = sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md"))
    words = [word for word in args if word not in ("--text", "--json")]
    if "-h" in words or "--help" in words:
        sys.stdout.write(
            f"Usage: ade guidance [NAME]\n\nPrint what an agent needs to know about ade.\nNames: {', '.join(names)}\n"
        )
        return 0
    name = words[0] if words else GUIDANCE.removesuffix(".md")
    if len(words) > 1 or name not in names:
        raise usage(f"there is no guidance {name!r}; names: {', '.join(names)}", "guidance")
    sys.stdout.write((folder / f"{name}.md").read_text(encoding="utf-8"))
    if name == GUIDANCE.removesuffix(".md"):
        from ade_runtime.packs.telling import of_this_home

        sys.stdout.write(of_this_home())
    return 0


def print_completion(args: list[str]) -> int:
    """``ade completion bash|zsh|fish``: the shell's completion script."""
    if args in (["-h"], ["--help"]):
        sys.stdout.write(
            'Usage: ade completion bash|zsh|fish\n\nPrint the completion script; for bash: eval "$(ade completion bash)"\n'
        )
        return 0
    if len(args) != 1 or args[0] not in SHELLS:
        raise usage("expected one of bash, zsh, fish", "completion")
    sys.stdout.write((files("ade_generated") / "completions" / SHELLS[args[0]]).read_text(encoding="utf-8"))
    return 0
