"""Work for later that a run leaves: a row of the manifest, armed by a schedule."""

from __future__ import annotations

from typing import Any

from ade_runtime.runs.document import Manifest


def note(
    manifest: Manifest, name: str, prompt: str, status: str, schedule: str | None, now: str
) -> dict[str, Any]:
    """Keep a follow-up under its id. Only a schedule makes it scheduled; what has fired stays so."""
    row = next((one for one in manifest["scheduledFollowups"] if one["id"] == name), None)
    if row is None:
        row = {"id": name, "status": "pending", "workId": None}
        manifest["scheduledFollowups"].append(row)
    work = schedule or row["workId"]
    if status in ("pending", "scheduled"):
        status = "pending" if work is None else "scheduled"
    if row["status"] == "fired":
        status = "fired"
    row |= {"prompt": prompt, "status": status, "workId": work, "at": now}
    found: dict[str, Any] = row
    return found
