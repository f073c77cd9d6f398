"""Codex: ``sandbox_mode``, or a permission profile, in its ``config.toml`` and in that of a trusted project.

Seen with 0.171 on Linux: without network access every ``connect`` is refused, whatever ``unix_sockets`` lists; a profile with
``network.enabled`` connects, but not with the feature ``network_proxy``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ade_runtime.machine.doctor.client_reach import Reach, read_toml, table
from ade_runtime.machine.doctor.rows import Place

LEGACY_SETTING = 'sandbox_mode = "workspace-write" and [sandbox_workspace_write] network_access = true'
_DEPTH = 10


def reach(place: Place) -> Reach:
    """What Codex's commands reach when it is started in the working folder without options of its own."""
    home = Path(place.environ.get("CODEX_HOME") or place.home / ".codex")
    user = read_toml(home / "config.toml")
    root = _project(place.cwd)
    trusted = root is not None and table(user, "projects", str(root)).get("trust_level") == "trusted"
    layers = [(home / "config.toml", user)]
    if root is not None and trusted:
        layers.append((root / ".codex" / "config.toml", read_toml(root / ".codex" / "config.toml")))
    mode, where = _last(layers, "sandbox_mode")
    profile, profile_where = _last(layers, "default_permissions")
    if mode is None and profile is not None:
        return _of_profile(profile, f"default_permissions in {profile_where}", _merged(layers))
    if mode is None:
        mode = "workspace-write" if trusted else "read-only"
        why = "its default in a trusted project" if trusted else "its default where a project is not trusted"
    else:
        why = f"sandbox_mode in {where}"
    return _of_mode(mode, why, _merged(layers))


def _of_mode(mode: str, why: str, settings: Mapping[str, Any]) -> Reach:
    if mode == "danger-full-access":
        return Reach(sandbox=mode, why=why, socket=True, network=True, spool=True)
    if mode == "workspace-write":
        network = table(settings, "sandbox_workspace_write").get("network_access") is True
        opens = "" if network else "[sandbox_workspace_write] network_access = true"
        return Reach(sandbox=mode, why=why, socket=network, network=network, spool=True, opens=opens)
    return Reach(sandbox=mode, why=why, socket=False, network=False, spool=False, opens=LEGACY_SETTING)


def _of_profile(profile: str, why: str, settings: Mapping[str, Any]) -> Reach:
    base, enabled = _resolve(profile, settings)
    if base == ":danger-full-access":
        return Reach(sandbox=profile, why=why, socket=True, network=True, spool=True)
    proxy = table(settings, "features").get("network_proxy") is True
    setting = f"[permissions.{_own_name(profile)}.network] enabled = true"
    if profile.startswith(":"):
        setting = f'default_permissions = "ade", [permissions.ade] extends = "{profile}", and {setting}'
    spool = {":workspace": True, ":read-only": False}.get(base)
    if not enabled:
        return Reach(sandbox=profile, why=why, socket=False, network=False, spool=spool, opens=setting)
    if proxy and sys.platform.startswith("linux"):
        note = "With features.network_proxy Linux refuses every Unix socket, listed or not."
        opens = "[features] network_proxy = false"
        return Reach(
            sandbox=profile, why=why, socket=False, network=True, spool=spool, opens=opens, note=note
        )
    return Reach(sandbox=profile, why=why, socket=None if proxy else True, network=True, spool=spool)


def _resolve(profile: str, settings: Mapping[str, Any]) -> tuple[str, bool]:
    """The built-in profile that a profile stands on (empty without one), and whether its network is enabled."""
    enabled: bool | None = None
    for _ in range(_DEPTH):
        if profile.startswith(":"):
            return profile, enabled is True
        own = table(settings, "permissions", profile)
        told = table(own, "network").get("enabled")
        if enabled is None and isinstance(told, bool):
            enabled = told
        profile = str(own.get("extends") or "")
        if not profile:
            break
    return "", enabled is True


def _own_name(profile: str) -> str:
    return "ade" if profile.startswith(":") else profile


def _last(layers: list[tuple[Path, dict[str, Any]]], name: str) -> tuple[str | None, Path | None]:
    for path, values in reversed(layers):
        if isinstance(values.get(name), str):
            return values[name], path
    return None, None


def _merged(layers: list[tuple[Path, dict[str, Any]]]) -> Mapping[str, Any]:
    merged: dict[str, Any] = {}
    for _, values in layers:
        _merge(merged, values)
    return merged


def _merge(into: dict[str, Any], values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if isinstance(value, Mapping) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = dict(value) if isinstance(value, Mapping) else value


def _project(cwd: Path | None) -> Path | None:
    """The folder whose trust counts: the repository's main checkout, else the working folder."""
    if cwd is None:
        return None
    from ade_runtime.projects.locate import git_dirs_above

    git_dir = next(iter(git_dirs_above(cwd)), None)
    return git_dir.parent if git_dir is not None and git_dir.name == ".git" else cwd
