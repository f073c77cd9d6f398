"""A pull request as it was read, and what of it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ade_generated.models.types import DeeplinkPr, PullRequest
from ade_runtime.deeplinks.mint import mint
from ade_runtime.search.outside import Outside
from ade_runtime.storage.times import to_ms

if TYPE_CHECKING:
    from ade_runtime.contracts import JsonObject
    from ade_runtime.lanes.records import LaneRecord
    from ade_runtime.pulls.connect import Place


@dataclass(frozen=True, slots=True)
class Pull:
    """``raw`` is GitHub's own document; ``lane`` the lane it comes from, ``None`` where it is no lane's."""

    place: Place
    raw: Mapping[str, Any]
    lane: LaneRecord | None

    @property
    def number(self) -> int:
        return int(self.raw["number"])

    @property
    def path(self) -> str:
        return f"{self.place.path}/pulls/{self.number}"

    @property
    def issue_path(self) -> str:
        """Where GitHub has what issues and pull requests share: comments and labels."""
        return f"{self.place.path}/issues/{self.number}"

    @property
    def state(self) -> str:
        """open, closed or merged."""
        return "merged" if self.raw.get("merged_at") else str(self.raw["state"])

    @property
    def head_commit(self) -> str:
        return str(self.raw["head"]["sha"])

    @property
    def head_branch(self) -> str:
        return str(self.raw["head"]["ref"])

    @property
    def base_branch(self) -> str:
        return str(self.raw["base"]["ref"])

    @property
    def head_repository(self) -> str | None:
        """``owner/name`` of where its branch is; ``None`` where that repository is gone."""
        repository = self.raw["head"].get("repo")
        return None if repository is None else str(repository["full_name"])

    @property
    def url(self) -> str:
        return str(self.raw["html_url"])

    @property
    def mergeable(self) -> str:
        return mergeable_word(self.raw.get("mergeable"))


def mergeable_word(value: bool | str | None) -> str:
    """yes, no or unknown, for REST's booleans and GraphQL's words."""
    words = {True: "yes", False: "no", "MERGEABLE": "yes", "CONFLICTING": "no"}
    return "unknown" if value is None else words.get(value, "unknown")


def deeplink(place: Place, number: int) -> str:
    return mint(DeeplinkPr(kind="pr", repository=place.repository.reference, number=number))


def branch_shown(place: Place, owner: str | None, branch: str) -> str:
    """A head branch, with its owner where that is not the repository itself."""
    same = owner is not None and owner.lower() == place.repository.owner.lower()
    return branch if same else f"{owner or 'unknown'}:{branch}"


def pull_document(pull: Pull, notes: tuple[str, ...] = ()) -> JsonObject:
    """The output type PullRequest."""
    raw, head = pull.raw, pull.head_repository
    owner = None if head is None else head.split("/")[0]
    reviewers = [one["login"] for one in raw.get("requested_reviewers") or ()]
    return {
        "number": pull.number,
        "title": raw["title"],
        "body": raw.get("body") or None,
        "state": pull.state,
        "draft": bool(raw.get("draft")),
        "author": login(raw.get("user")),
        "repository": pull.place.repository.reference,
        "url": pull.url,
        "deeplink": deeplink(pull.place, pull.number),
        "lane": None if pull.lane is None else pull.lane.name,
        "lane_id": None if pull.lane is None else pull.lane.id,
        "head_branch": branch_shown(pull.place, owner, pull.head_branch),
        "head_commit": pull.head_commit,
        "base_branch": pull.base_branch,
        "mergeable": pull.mergeable,
        "labels": [one["name"] for one in raw.get("labels") or ()],
        "reviewers": reviewers + [one["slug"] for one in raw.get("requested_teams") or ()],
        **{name: raw.get(name) or 0 for name in ("commits", "additions", "deletions", "changed_files")},
        "comments": raw.get("comments") or 0,
        "created_at": raw["created_at"],
        "updated_at": raw["updated_at"],
        "merged_at": raw.get("merged_at"),
        "merge_commit": raw.get("merge_commit_sha") if pull.state == "merged" else None,
        "notes": [*pull.place.notes, *notes],
    }


def remembered(pull: Pull) -> Outside:
    """What of it a search finds."""
    raw = pull.raw
    labels = " ".join(one["name"] for one in raw.get("labels") or ())
    return Outside(
        id=f"{pull.place.repository.reference}#{pull.number}",
        title=raw["title"],
        body=raw.get("body") or "",
        names=f"{pull.head_branch} {labels}",
        lane=None if pull.lane is None else pull.lane.id,
        author=login(raw.get("user")),
        at=to_ms(datetime.fromisoformat(raw["updated_at"])),
    )


def shown(pull: Pull, *notes: str) -> PullRequest:
    return PullRequest.model_validate_json(_json(pull_document(pull, notes)))


def login(user: Mapping[str, Any] | None) -> str | None:
    return None if user is None else str(user["login"])


def _json(document: JsonObject) -> bytes:
    import orjson

    return orjson.dumps(document)
