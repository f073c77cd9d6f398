"""What keeps this process in: whose sandbox it is, and whether a process started here would outlive its command.

Standard library only: the thin client asks when its socket is blocked. Every fact is one that was seen with the real
programs (``tests/harness``); a sandbox that is not known is still noticed by what it forbids.
"""

import os
import sys

FIRST_PID_NAMESPACE = "pid:[4026531836]"
"""The kernel's fixed name (PROC_PID_INIT_INO) of the namespace that every other one lies in."""

_INIT = 1


class Sandbox:
    """A sandbox by name, the setting that opens it to the runtime's socket, and what that setting opens besides."""

    __slots__ = ("name", "note", "setting")

    def __init__(self, name: str, setting: str, note: str = "") -> None:
        self.name = name
        self.setting = setting
        self.note = note


CODEX = Sandbox(
    "Codex",
    'sandbox_mode = "workspace-write" with sandbox_workspace_write.network_access = true in $CODEX_HOME/config.toml '
    "(with permission profiles: permissions.<profile>.network.enabled = true)",
    "It opens the network, too.",
)
CLAUDE_LINUX = Sandbox(
    "Claude Code",
    'sandbox.network.allowAllUnixSockets = true in .claude/settings.json ("allowUnixSockets" counts on macOS only)',
    "It opens every Unix socket.",
)
CLAUDE_MACOS = Sandbox(
    "Claude Code", "sandbox.network.allowUnixSockets = [<path of the socket>] in .claude/settings.json"
)


def sandbox_around(environ: "dict[str, str]") -> "Sandbox | None":
    """The sandbox that its marks in the environment tell of, ``None`` where there are none.

    Marks are the caller's to set, so they choose words and never what is allowed.
    """
    if environ.get("CODEX_SANDBOX_NETWORK_DISABLED") or environ.get("CODEX_SANDBOX"):
        return CODEX
    if environ.get("SANDBOX_RUNTIME"):
        return CLAUDE_LINUX if sys.platform.startswith("linux") else CLAUDE_MACOS
    if environ.get("CODEX_THREAD_ID"):
        return CODEX
    return None


def how_to_open(environ: "dict[str, str]") -> str:
    """The setting to change, as a sentence."""
    found = sandbox_around(environ)
    if found is not None:
        return f"{found.name}'s sandbox is opened by {found.setting}."
    return f"In Codex set {CODEX.setting}; in Claude Code {CLAUDE_LINUX.setting}."


def ends_with_its_command() -> bool:
    """Whether a process started here, however detached, ends with the command: in a sandbox's own PID namespace.

    There the namespace is not the machine's first, nothing in it may gain privileges, and its first process, with which
    all others end, is the one that started this command. A container that somebody works in lacks one of these: its shells
    come from outside the namespace, or may gain privileges.
    """
    try:
        if os.readlink("/proc/self/ns/pid") == FIRST_PID_NAMESPACE:  # noqa: PTH115
            return False
        return _no_new_privileges() and _below_first_process()
    except (OSError, ValueError, IndexError):
        return False


def _no_new_privileges() -> bool:
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:  # noqa: PTH123
        return any(line.split() == ["NoNewPrivs:", "1"] for line in status)


def _below_first_process() -> bool:
    pid = os.getppid()
    while pid > _INIT:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            text = stat.read()
        pid = int(text[text.rindex(b")") + 2 :].split()[1])
    return pid == _INIT
