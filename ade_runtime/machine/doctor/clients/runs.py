"""Running an agent program once, in a home and a folder of its own, with the probe as its only model and MCP server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ade_runtime.machine.doctor.clients.probe import Probe

LIMIT_SECONDS = 90
PROMPT = "Call the tool ade_probe once."
NOWHERE = "http://127.0.0.1:9"
"""A proxy that nobody serves: whatever is not on loopback fails at once."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What to start: its arguments after the program, and what its environment has besides the usual."""

    arguments: list[str]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: ``code`` is ``None`` where it took too long; ``said`` is the end of what it printed."""

    code: int | None
    said: str


def claude(probe: Probe, home: Path) -> Prepared:
    server = {"type": "http", "url": f"{probe.url}/mcp", "headers": _bearer(probe), "alwaysLoad": True}
    config = home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"ade": server}}), encoding="utf-8")
    config.chmod(0o600)
    arguments = ["-p", PROMPT, "--mcp-config", str(config), "--strict-mcp-config"]
    return Prepared(
        [*arguments, "--allowedTools", "mcp__ade"],
        {
            "ANTHROPIC_BASE_URL": probe.url,
            "ANTHROPIC_API_KEY": "probe",
            "CLAUDE_CONFIG_DIR": str(home / "claude"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        },
    )


def codex(probe: Probe, home: Path) -> Prepared:
    folder = home / "codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        'model = "probe"\nmodel_provider = "probe"\n'
        f'[model_providers.probe]\nname = "probe"\nbase_url = "{probe.url}/v1"\nwire_api = "responses"\n'
        'env_key = "ADE_PROBE_KEY"\nrequires_openai_auth = false\nsupports_websockets = false\n'
        "[analytics]\nenabled = false\n[features]\ndaemon_auto_start = false\n"
        f'[mcp_servers.ade]\nurl = "{probe.url}/mcp"\nbearer_token_env_var = "ADE_PROBE_TOKEN"\n'
        'default_tools_approval_mode = "approve"\n',
        encoding="utf-8",
    )
    environment = {"CODEX_HOME": str(folder), "ADE_PROBE_KEY": "probe", "ADE_PROBE_TOKEN": probe.token}
    return Prepared(["exec", "--skip-git-repo-check", PROMPT], environment)


def opencode(probe: Probe, home: Path) -> Prepared:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Probe",
        "options": {"baseURL": f"{probe.url}/v1", "apiKey": "probe"},
        "models": {"probe": {"name": "Probe", "tool_call": True}},
    }
    server = {"type": "remote", "url": f"{probe.url}/mcp", "headers": _bearer(probe), "enabled": True}
    config = {
        "provider": {"probe": provider},
        "model": "probe/probe",
        "small_model": "probe/probe",
        "autoupdate": False,
        "share": "disabled",
        "mcp": {"ade": server},
    }
    (home / "work" / "opencode.json").write_text(json.dumps(config), encoding="utf-8")
    dead = {"npm_config_registry": NOWHERE}
    return Prepared(
        ["run", PROMPT], {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1", **dead}
    )


PREPARE: dict[str, Callable[[Probe, Path], Prepared]] = {
    "claude": claude,
    "codex": codex,
    "opencode": opencode,
}


def run(name: str, program: Path, probe: Probe, home: Path, path: str) -> Ended:
    """Run it to its end, or end it and all it started after :data:`LIMIT_SECONDS`. Raises ``OSError`` where it cannot start."""
    (home / "work").mkdir()
    (home / "tmp").mkdir()
    prepared = PREPARE[name](probe, home)
    clean = {
        "PATH": path,
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
        **{f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE", "STATE")},
    }
    started = subprocess.Popen(
        [str(program), *prepared.arguments],
        env=clean | dict(prepared.environment),
        cwd=home / "work",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    code: int | None = None
    try:
        printed = started.communicate(timeout=LIMIT_SECONDS)[0]
        code = started.returncode
    except subprocess.TimeoutExpired:
        _end(started.pid)
        printed = started.communicate()[0]
    finally:
        _end(started.pid)
    return Ended(code, printed.decode("utf-8", "replace").strip()[-300:])


def _end(group: int) -> None:
    """Whatever the program left running in its session ends with it."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _bearer(probe: Probe) -> dict[str, str]:
    return {"Authorization": f"Bearer {probe.token}"}
