"""Which variables of a caller's environment go to the runtime, and which a new runtime is started with."""

CALLER_NAMES = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "TERM",
        "NO_COLOR",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "DISPLAY",
        "XAUTHORITY",
        "WAYLAND_DISPLAY",
        "EDITOR",
        "VISUAL",
        "SSH_AUTH_SOCK",
        "SSH_ASKPASS",
        "GNUPGHOME",
        "GPG_TTY",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "NO_PROXY",
        "http_proxy",
        "https_proxy",
        "no_proxy",
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_AUTHOR_DATE",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "GIT_COMMITTER_DATE",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_SYSTEM",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_SSH_COMMAND",
        "GIT_SSH",
        "GIT_EDITOR",
    ]
)
"""For programs started on a caller's behalf. What binds git to one repository (GIT_DIR and its like) never goes along."""

CALLER_TOKENS = frozenset(
    [
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GH_ENTERPRISE_TOKEN",
        "GITHUB_ENTERPRISE_TOKEN",
        "GH_HOST",
        "GH_CONFIG_DIR",
    ]
)
"""How a caller is signed in to GitHub; it goes to the runtime with a call, over the socket only."""

CALLER_PREFIXES = ("ADE_", "LC_", "XDG_")

_RUNTIME_NAMES = (CALLER_NAMES - {"TERM", "NO_COLOR", "EDITOR", "VISUAL", "GPG_TTY", "GIT_EDITOR"}) | {
    "ADE_HOME",
    "ADE_RPC_SOCKET_PATH",
    "ADE_LOG",
    "ADE_GITHUB_API",
    "ADE_IDLE_EXIT",
    "LINEAR_API_KEY",
    "ADE_LINEAR_API_URL",
}


def caller_environment(environ: "dict[str, str]") -> "dict[str, str]":
    """What a command sends along with its line."""
    return {
        name: value
        for name, value in environ.items()
        if name in CALLER_NAMES or name in CALLER_TOKENS or name.startswith(CALLER_PREFIXES)
    }


def runtime_environment(environ: "dict[str, str]") -> "dict[str, str]":
    """What a runtime is started with: nothing that says who started it, no author of commits, no Python settings. The accounts
    of the agent programs are among it, since the runtime starts those."""
    from ade_generated.providers import PROVIDERS

    accounts = {name for entry in PROVIDERS.values() for name in entry.environment}
    return {
        name: value
        for name, value in environ.items()
        if (name in _RUNTIME_NAMES or name in accounts or name.startswith(("LC_", "XDG_")))
        and not name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_"))
    }
