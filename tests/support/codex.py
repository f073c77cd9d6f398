"""Codex's own settings for the harness tests: a model on loopback, and nothing else from outside."""

from __future__ import annotations

from pathlib import Path

DIRECT = "fake"
"""A model that Codex does not know: it is offered its tools as such."""

SCRIPTING = "gpt-6.2-sol"
"""A model that Codex has write scripts, which call the tools."""

CONFIG = """
model = "{model}"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
requires_openai_auth = false
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
"""


def codex_environment(home: Path, url: str, model: str, path: str, program: Path) -> dict[str, str]:
    """What a runtime is started with, so that its Codex, found in folder ``program``, speaks to the model at ``url``."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(CONFIG.format(model=model, url=url))
    return {"CODEX_HOME": str(home), "OPENAI_API_KEY": "test", "PATH": f"{program}:{path}"}
