"""Commands of the ``ade`` program that are no actions: performed by the calling process, without a runtime.

The keys are the words of the command; help, completion and the check of command names in prose read this
table.
"""

from __future__ import annotations

CONTINUED: dict[str, str] = {"terminal.attach": "terminals attach"}
"""Actions that go on in the calling process when that has a terminal, by what it then does with their answer."""

LOCAL_COMMANDS: dict[str, str] = {
    "serve": "Start the machine runtime, detached or in the foreground.",
    "runtime stop": "End the runtime once its calls in flight are done.",
    "runtime restart": "End the runtime and start one of this version.",
    "events tail": "Print events as they come.",
    "runs watch": "Show a run as it goes on, live on a terminal.",
    "inbox": "Show what waits for you and take your answers, live on a terminal.",
    "doctor": "Check this machine and say what to do about what is wrong.",
    "install": "Put the ade command, its completions and its PATH entry into your home.",
    "uninstall": "Take out what ade install put in.",
    "service": "Have the runtime from login on: service install, status, uninstall.",
    "storage": "Check the database, copy it, put a copy back.",
    "mcp serve": "Serve ADE's tools to an MCP client over standard input and output.",
    "guidance": "Print what an agent needs to know about ade.",
    "completion": "Print the completion script for bash, zsh or fish.",
}
