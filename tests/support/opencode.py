"""OpenCode's own settings for the harness tests: a model on loopback, and nothing else from outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MODEL = "scripted/fake"


def opencode_environment(folder: Path, url: str, path: str, program: Path, **settings: Any) -> dict[str, str]:
    """What a runtime is started with, so that its OpenCode, found in folder ``program``, speaks to the model at ``url``."""
    folder.mkdir(parents=True, exist_ok=True)
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": {"baseURL": f"{url}/v1", "apiKey": "test"},
        "models": {"fake": {"name": "Fake", "tool_call": True}},
    }
    config = {
        "provider": {"scripted": provider},
        "model": MODEL,
        "small_model": MODEL,
        "autoupdate": False,
        "share": "disabled",
    }
    (folder / "opencode.json").write_text(json.dumps(config | settings))
    return {
        "OPENCODE_CONFIG": str(folder / "opencode.json"),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "PATH": f"{program}:{path}",
    }
