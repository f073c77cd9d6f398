"""What a run has made: files in its bundle's artifacts, which must be there and stay there, and links to what is elsewhere."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from ade_generated import errors
from ade_runtime.runs.document import Manifest
from ade_runtime.storage.ids import new_id

ARTIFACTS = "artifacts"
LARGEST = 64 * 1024 * 1024
"""Most bytes of a file that is copied into artifacts."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "pr_link": ("url", "prNumber"),
    "linear_issue": ("url", "linearId"),
    "deeplink": ("url",),
    "proof_artifact": ("artifactId", "url", "path"),
    "computer_use": ("artifactId", "url", "path"),
}
"""What says where an asset is, one of these at least; of every other kind it is its path."""


def check_kind(kind: str, link: Mapping[str, Any], path: str | None) -> None:
    """Raise ``asset_unusable`` for a kind whose place is not named."""
    needed = NEEDED.get(kind, ("path",))
    if not any(link.get(name) or (name == "path" and path) for name in needed):
        raise errors.AssetUnusable(reason=f"a {kind} needs {' or '.join(needed)}")


def within(bundle: Path, name: str) -> Path:
    """Where a file of artifacts is. Raises ``asset_unusable`` for a name that leads out of there."""
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts or "\0" in name:
        raise errors.AssetUnusable(reason=f"{name[:200]} is not within {ARTIFACTS}")
    return bundle / ARTIFACTS / parts


def check_file(bundle: Path, name: str) -> str:
    """The path as the manifest has it. Raises ``asset_unusable`` where there is no such file, or a link leads out."""
    path = within(bundle, name)
    root = bundle / ARTIFACTS
    try:
        real = path.resolve(strict=True)
        regular = stat.S_ISREG(real.stat().st_mode)
    except (OSError, RuntimeError):
        raise errors.AssetUnusable(reason=f"there is no {ARTIFACTS}/{name[:200]}") from None
    if not real.is_relative_to(root.resolve()) or real != root.resolve() / PurePosixPath(name):
        raise errors.AssetUnusable(reason=f"{name[:200]} leads out of {ARTIFACTS}")
    if not regular:
        raise errors.AssetUnusable(reason=f"{name[:200]} is no file")
    return str(PurePosixPath(ARTIFACTS) / PurePosixPath(name))


def copy_in(lane: Path, source: str, bundle: Path, name: str) -> None:
    """Copy a file of a lane into artifacts. Raises ``asset_unusable`` where it is no file of the lane, or too large."""
    try:
        real = (lane / source).resolve(strict=True)
        found = real.stat()
    except (OSError, RuntimeError, ValueError):
        raise errors.AssetUnusable(reason=f"there is no {source[:200]} in the lane") from None
    if not real.is_relative_to(lane.resolve()) or not stat.S_ISREG(found.st_mode):
        raise errors.AssetUnusable(reason=f"{source[:200]} is no file of the lane")
    if found.st_size > LARGEST:
        raise errors.AssetUnusable(reason=f"{source[:200]} is larger than {LARGEST // 1024 // 1024} MiB")
    target = within(bundle, name)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.parent.resolve().is_relative_to((bundle / ARTIFACTS).resolve()):
        raise errors.AssetUnusable(reason=f"{name[:200]} leads out of {ARTIFACTS}")
    descriptor, draft = tempfile.mkstemp(prefix=".asset.", dir=target.parent)
    os.close(descriptor)
    shutil.copyfile(real, draft, follow_symlinks=False)
    os.replace(draft, target)  # noqa: PTH105


def register(
    manifest: Manifest, by: str, kind: str, path: str | None, link: Mapping[str, Any]
) -> dict[str, Any]:
    """Keep an asset; the same path, or the same link of its kind, becomes its next version."""
    external = {name: link.get(name) for name in ("url", "prNumber", "linearId", "artifactId")}
    external_ref = external if any(external.values()) else None
    for asset in manifest["assets"]:
        same = asset["path"] == path if path is not None else asset["externalRef"] == external_ref
        if asset["kind"] == kind and same:
            asset |= {"version": asset["version"] + 1, "registeredBySessionId": by}
            asset["externalRef"] = external_ref
            found: dict[str, Any] = asset
            return found
    row: dict[str, Any] = {"id": new_id("ast"), "path": path, "kind": kind, "version": 1, "approval": None}
    row |= {"registeredBySessionId": by, "externalRef": external_ref}
    manifest["assets"].append(row)
    return row
