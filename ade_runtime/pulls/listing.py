"""Lists of pull requests: read a hundred at a time, kept, and compared with what was read before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson
from sqlalchemy import delete, func, insert, select, update

from ade_runtime.integrations.github import queries
from ade_runtime.integrations.github.problems import Refused
from ade_runtime.pulls.checks import conclusion, status_state, tally
from ade_runtime.pulls.pull import login, mergeable_word
from ade_runtime.pulls.standing import REVIEWS
from ade_runtime.search.outside import Outside, remember
from ade_runtime.storage.schema import pull_lists
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.contracts import JsonObject
    from ade_runtime.pipeline.call import Call
    from ade_runtime.pulls.connect import Place
    from ade_runtime.pulls.service import LanesOf
    from ade_runtime.services import Services

MOST_PAGES = 10
KEPT_LISTS = 64
STATES = {"open": ["OPEN"], "closed": ["CLOSED"], "merged": ["MERGED"], "all": ["OPEN", "CLOSED", "MERGED"]}
_STATE = {"OPEN": "open", "CLOSED": "closed", "MERGED": "merged"}
_C = pull_lists.c


@dataclass(frozen=True, slots=True)
class Listing:
    """``items`` are documents of the output type PullRequestLine, without deeplink and lane, with ``head_owner`` and
    ``head_commit``; ``total`` is how many GitHub has, which may be more."""

    items: list[JsonObject]
    total: int
    read_at: datetime


class Listings:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def get(self, call: Call, place: Place, state: str, max_age: timedelta) -> Listing:
        """The list, as it was read no longer than ``max_age`` ago."""
        key = _key(place, state)
        kept = await self._services.database.read(lambda db: _get(db, key))
        now = self._services.clock.now()
        if kept is not None and timedelta(0) <= now - kept.read_at < max_age:
            return kept
        fresh = await read_list(place, state, from_ms(to_ms(now)))
        await self._services.database.write(lambda db: _put(db, key, fresh))
        of = await self._services.pulls.lanes_of(call, place)
        seen = [_remembered(place, of, item) for item in fresh.items]
        await remember(self._services, call.project.id, "pr", seen)
        if kept is not None and state == "open":
            self._tell(call, place, kept, fresh)
        return fresh

    async def outdate(self, place: Place) -> None:
        """Have lists of a repository read anew: something in it was changed from here."""
        keys = [_key(place, state) for state in STATES]
        old = update(pull_lists).where(_C.key.in_(keys)).values(read_at=0)
        await self._services.database.write(lambda db: db.execute(old))

    def _tell(self, call: Call, place: Place, before: Listing, now: Listing) -> None:
        """Publish what has changed since the list was read last."""
        old = {item["number"]: item for item in before.items}
        for item in now.items:
            earlier = old.pop(item["number"], None)
            said = differences(earlier, item) if earlier is not None else ["It was opened."]
            if said:
                self.publish(call, place, item["number"], said)
        for number in old:
            self.publish(call, place, number, ["It is open no more."])

    def publish(self, call: Call, place: Place, number: int, changes: list[str]) -> None:
        """Tell that a pull request has changed."""
        data = {"repository": place.repository.reference, "number": number, "changes": changes}
        self._services.events.publish(
            "pr.changed", project=call.project.id, subject=f"{place.repository.reference}#{number}", data=data
        )


async def read_list(place: Place, state: str, now: datetime) -> Listing:
    """Pull requests from GitHub, the last changed first, a thousand at most."""
    asked = {"owner": place.repository.owner, "name": place.repository.name, "states": STATES[state]}
    after: str | None = None
    items: list[JsonObject] = []
    total = 0
    for _ in range(MOST_PAGES):
        try:
            data = await place.client.query(queries.LIST, {**asked, "after": after}, "list pull requests")
        except Refused as problem:
            raise problem.error from None
        page = data["repository"]["pullRequests"]
        total = page["totalCount"]
        items += [_line(node) for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    return Listing(items, total, now)


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is different between two readings of one pull request, in sentences."""
    said = []
    if before["head_commit"] != now["head_commit"]:
        said.append(f"It is at {now['head_commit'][:10]} now.")
    for name, words in (("state", "It is"), ("review", "Its review is"), ("title", "It is called")):
        if before[name] != now[name]:
            said.append(f"{words} {str(now[name]).replace('_', ' ')} now.")
    if before["draft"] != now["draft"]:
        said.append("It is a draft now." if now["draft"] else "It is no draft any more.")
    if before["checks"] != now["checks"]:
        counts = now["checks"]
        said.append(
            f"Its checks: {counts['passed']} passed, {counts['failed']} failed, {counts['pending']} pending."
        )
    if before["mergeable"] != now["mergeable"] and now["mergeable"] != "unknown":
        said.append(
            "It can be merged now." if now["mergeable"] == "yes" else "It conflicts with its base now."
        )
    return said


def _line(node: Mapping[str, Any]) -> JsonObject:
    return {
        "number": node["number"],
        "title": node["title"],
        "state": _STATE[node["state"]],
        "draft": node["isDraft"],
        "author": login(node["author"]),
        "url": node["url"],
        "head_owner": login(node["headRepositoryOwner"]),
        "head_branch": node["headRefName"],
        "head_commit": node["headRefOid"],
        "base_branch": node["baseRefName"],
        "review": REVIEWS.get(node["reviewDecision"] or "", "none"),
        "mergeable": mergeable_word(node["mergeable"]),
        "checks": _counts(node),
        "labels": [one["name"] for one in node["labels"]["nodes"]],
        "updated_at": node["updatedAt"],
    }


def _counts(node: Mapping[str, Any]) -> JsonObject:
    commits = node["commits"]["nodes"]
    rollup = commits[0]["commit"]["statusCheckRollup"] if commits else None
    states: dict[str, int] = {}
    if rollup is not None:
        found = rollup["contexts"]
        for one in found["checkRunCountsByState"] or ():
            state = conclusion(one["state"], None)
            states[state] = states.get(state, 0) + one["count"]
        for one in found["statusContextCountsByState"] or ():
            state = status_state(one["state"])
            states[state] = states.get(state, 0) + one["count"]
    return tally(states).model_dump()


def _remembered(place: Place, of: LanesOf, item: Mapping[str, Any]) -> Outside:
    """What of a line a search finds."""
    lane = of.lane(item["number"], item["head_owner"], item["head_branch"])
    return Outside(
        id=f"{place.repository.reference}#{item['number']}",
        title=item["title"],
        body=None,
        names=" ".join((item["head_branch"], *item["labels"])),
        lane=None if lane is None else lane.id,
        author=item["author"],
        at=to_ms(datetime.fromisoformat(item["updated_at"])),
    )


def _key(place: Place, state: str) -> str:
    what = f"{place.client.fingerprint}\0{place.repository.key}\0{state}"
    return hashlib.sha256(what.encode()).hexdigest()


def _get(db: Connection, key: str) -> Listing | None:
    row = db.execute(select(_C.document, _C.read_at).where(_C.key == key)).one_or_none()
    if row is None:
        return None
    document = orjson.loads(row.document)
    return Listing(document["items"], document["total"], from_ms(row.read_at))


def _put(db: Connection, key: str, listing: Listing) -> None:
    document = orjson.dumps({"items": listing.items, "total": listing.total}).decode()
    db.execute(delete(pull_lists).where(_C.key == key))
    db.execute(insert(pull_lists).values(key=key, document=document, read_at=to_ms(listing.read_at)))
    if (db.execute(select(func.count()).select_from(pull_lists)).scalar() or 0) > KEPT_LISTS:
        newest = select(_C.key).order_by(_C.read_at.desc()).limit(KEPT_LISTS)
        db.execute(delete(pull_lists).where(_C.key.not_in(newest.scalar_subquery())))
