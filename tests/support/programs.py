"""Real agent programs for the harness tests, installed once into a cache folder outside of the repository."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("ADE_HARNESS_CACHE") or Path.home() / ".cache" / "ade-harness")
INSTALL_SECONDS = 900

CODEX = "@openai/codex@0.171.0"
OPENCODE = "opencode-ai@1.18.33"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
NODE = "node@22"
"""The inspector needs it for a token over HTTP; older systems have an older one."""

DROID = "droid@0.215.0"
COPILOT = "@github/copilot@1.0.102"
CLAUDE_ACP = "@agentclientprotocol/claude-agent-acp@0.49.0"
TYPESCRIPT = "typescript@5.9.3"
TYPESCRIPT_BESIDE = (
    "@types/node@22.20.7",
    "@open-rpc/meta-schema@1.14.9",
    "@json-schema-tools/meta-schema@1.8.0",
)
BROWSER = "playwright-core@1.65.1"
BROWSER_BESIDE = ("@sparticuz/chromium@147.0.0", "axe-core@4.14.1")
"""A browser that comes whole inside a package, what drives it, and a judge of how well its pages can be used by everybody."""

YAML_SERVER = "yaml-language-server@1.25.0"
CLAUDE_SANDBOX = "@anthropic-ai/sandbox-runtime@0.0.83"
GITHUB_OPENAPI = "@octokit/openapi@23.0.2"
GITHUB_GRAPHQL = "@octokit/graphql-schema@15.26.1"


def installed(package: str, program: str, *beside: str) -> Path:
    """The path of a program of an npm package, installed with the packages ``beside`` it; the test is skipped, with the
    reason, where it cannot be had."""
    return _installed(package, Path(".bin", program), *beside)


def described(package: str, file: str) -> Path:
    """The path of a file of an npm package that holds descriptions; the same otherwise."""
    return _installed(package, Path(package.rpartition("@")[0], file))


def _installed(package: str, wanted: Path, *beside: str) -> Path:
    folder = CACHE / package.removeprefix("@").replace("/", "-").replace("@", "-")
    path = folder / "node_modules" / wanted
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            argv = [
                npm,
                "install",
                "--prefix",
                str(folder),
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                package,
                *beside,
            ]
            done = subprocess.run(argv, capture_output=True, text=True, timeout=INSTALL_SECONDS)
            if done.returncode != 0 or not path.exists():
                pytest.skip(f"npm could not install {package}: {done.stderr.strip()[-300:]}")
    return path
