"""Commands of the tools group. Generated from specs/domains/tools.yaml by `make gen`; do not edit."""

from __future__ import annotations

from collections.abc import Callable

from ade_runtime.cli.commands import ActionCommand
from ade_runtime.cli.params import ExampleInfo, FieldParam


def tools_detect() -> ActionCommand:
    return ActionCommand(
        "detect",
        group="tools",
        action="tools.detect",
        tool="tools_detect",
        effect="read",
        scope="machine",
        aliases=(),
        summary="Find the agent programs on this machine and their versions.",
        description="Looks on the caller's PATH, then on the PATH and among the aliases of the user's own login shell, then in the folders where installers put them. Only executable files count, and nothing but their version command is run. What was found is kept for 30 seconds.",
        guidance="Ask before starting an agent with a program that may not be installed here.",
        fields=(
            FieldParam(
                field="names",
                kind="text",
                flags=("--names",),
                metavar="NAMES",
                help="Programs to look for; all of them when left out.",
                limits="a list of 1 to 12 items, no two alike, each one of aider, claude, claude_acp, codex, continue, copilot, cursor, droid, gemini, goose, kimi, opencode",
                positional=True,
                many=True,
                choices=(
                    "aider",
                    "claude",
                    "claude_acp",
                    "codex",
                    "continue",
                    "copilot",
                    "cursor",
                    "droid",
                    "gemini",
                    "goose",
                    "kimi",
                    "opencode",
                ),
            ),
            FieldParam(
                field="refresh",
                kind="boolean",
                flags=("--refresh",),
                metavar="BOOLEAN",
                help="Look again, even if the last look is less than 30 seconds old.",
                limits="true or false; default false",
                off_flag="--no-refresh",
            ),
        ),
        rules=(),
        errors=(),
        examples=(
            ExampleInfo(
                title="One program",
                line="ade tools detect aider",
                error=None,
            ),
            ExampleInfo(
                title="All programs, looked for anew",
                line="ade tools detect --refresh",
                error=None,
            ),
        ),
        skeleton={"names": ["aider"], "refresh": False},
    )


COMMANDS: dict[str, Callable[[], ActionCommand]] = {
    "detect": tools_detect,
}
