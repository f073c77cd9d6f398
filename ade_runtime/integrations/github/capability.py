"""Whether anything here could sign in to GitHub. Without, actions that need it would only be in the way."""

from __future__ import annotations

import importlib.util
import os
import shutil
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ade_runtime.integrations.github.signin import SECRET, SERVER_TOKENS, TOKENS
from ade_runtime.pipeline.capabilities import Lack

if TYPE_CHECKING:
    from ade_runtime.pipeline.capabilities import Detector

_KEPT_FOR = 1.0
_programs: dict[str, tuple[float, bool]] = {}
SIGNED_OUT = Lack(
    "nobody is signed in to GitHub",
    f"Set GH_TOKEN, sign in with `gh auth login`, or store a token with `ade secrets set {SECRET} --machine --readers cto`.",
)
NOT_INSTALLED = Lack("the Python package githubkit is not installed", "Install ADE again.")


def github_detector(secret_names: Path) -> Detector:
    """``secret_names`` is the folder that tells which secrets the machine has."""

    def lack(environ: Mapping[str, str]) -> Lack | None:
        if not _has_package():
            return NOT_INSTALLED
        given = any(place.get(name) for place in (environ, os.environ) for name in TOKENS + SERVER_TOKENS)
        return None if given or _is_stored(secret_names) or _has_gh(environ.get("PATH", "")) else SIGNED_OUT

    return lack


def _is_stored(secret_names: Path) -> bool:
    """Whether a token is stored, for whichever host."""
    if (secret_names / SECRET).exists():
        return True
    return next(secret_names.glob(f"{SECRET}_*"), None) is not None


@cache
def _has_package() -> bool:
    return importlib.util.find_spec("githubkit") is not None


def _has_gh(path: str) -> bool:
    now = time.monotonic()
    kept = _programs.get(path)
    if kept is None or now - kept[0] > _KEPT_FOR:
        _programs.clear()
        kept = _programs[path] = (now, shutil.which("gh", path=path) is not None)
    return kept[1]
