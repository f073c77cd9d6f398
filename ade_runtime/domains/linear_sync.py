"""What happens in Linear, and where it is handed on to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ade_generated import errors
from ade_generated.models import linear_sync as models
from ade_generated.models.types import FlowCount, FlowRoute, LinearItem
from ade_runtime.linear_sync.service import checked
from ade_runtime.linear_sync.view import event_told, item_told, revision_told, route_told
from ade_runtime.paging import cut
from ade_runtime.storage.times import from_ms, to_ms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from ade_runtime.linear_sync.records import Item, Route
    from ade_runtime.linear_sync.routing import How
    from ade_runtime.linear_sync.service import LinearSync
    from ade_runtime.pipeline.call import Call
    from ade_runtime.services import Services

ABOUT_SHOWN = 50
REVISIONS_SHOWN = 20


class LinearSyncHandlers:
    def __init__(self, services: Services) -> None:
        self._services = services

    async def dashboard(
        self, call: Call, args: models.LinearSyncDashboardInput
    ) -> models.LinearSyncDashboardOutput:
        from ade_runtime.linear_sync import store

        project = call.project.id
        database = self._services.database
        items = await database.read(lambda db: store.items(db, project))
        standing = await database.read(lambda db: store.standing(db, project))
        policy = await database.read(lambda db: store.latest_policy(db, project))
        events = await database.read(lambda db: store.count_events(db, project))
        self._sync.attend()
        counts = Counter(item.state for item in items)
        wanting = [
            one for one in items if one.state == "failed" or (one.state, one.route) == ("waiting", "hold")
        ]
        return models.LinearSyncDashboardOutput(
            webhook=standing["webhook_url"],
            listening=self._sync.ingress.port is not None,
            polled_at=_instant(standing["polled_at"]),
            poll_error=standing["poll_error"],
            policy_revision=0 if policy is None else policy["revision"],
            events=events,
            counts=[FlowCount(state=state, count=count) for state, count in sorted(counts.items())],
            attention=await _told(self._services, wanting[:ABOUT_SHOWN]),
        )

    async def run_now(self, call: Call, args: models.LinearSyncRunNowInput) -> models.LinearSyncRunNowOutput:
        from ade_runtime.linear_sync.poll import poll
        from ade_runtime.linear_sync.routing import work_off

        polled = await poll(self._services, call.project.id)
        self._sync.attend()
        routed, failed = await work_off(self._services, call, args.limit) if args.route else ([], [])
        return models.LinearSyncRunNowOutput(
            seen=polled.seen,
            fresh=polled.fresh,
            more=polled.more,
            routed=await _told(self._services, routed),
            failed=await _told(self._services, failed),
        )

    async def queue_list(
        self, call: Call, args: models.LinearSyncQueueListInput
    ) -> models.LinearSyncQueueListOutput:
        from ade_runtime.linear_sync import store

        project = call.project.id
        items = await self._services.database.read(lambda db: store.items(db, project))
        fitting = [one for one in items if args.state is None or one.state == args.state]
        page, following = cut(fitting, args.cursor, args.limit, key=lambda one: one.id)
        told = await _told(self._services, page)
        return models.LinearSyncQueueListOutput(items=told, total=len(fitting), next=following)

    async def queue_resolve(self, call: Call, args: models.LinearSyncQueueResolveInput) -> LinearItem:
        from ade_runtime.linear_sync import store

        item = await self._item(call, args.item)
        wanted = {"dismiss": "dismissed", "requeue": "waiting"}[args.resolution]
        if item.state == "routing":
            raise errors.LinearItemClosed(item=item.id, state=item.state)
        if item.state != wanted:
            now = to_ms(self._services.clock.now())
            values = {"state": wanted, "error": None, "updated_at": now}
            await self._services.database.write(lambda db: store.change(db, item.id, **values))
        return await self._one(await self._item(call, args.item))

    async def run_detail(
        self, call: Call, args: models.LinearSyncRunDetailInput
    ) -> models.LinearSyncRunDetailOutput:
        from ade_runtime.linear_sync import store

        item = await self._item(call, args.item)
        project, identifier = call.project.id, item.facts.identifier
        events = await self._services.database.read(
            lambda db: store.events_about(db, project, identifier, ABOUT_SHOWN)
        )
        return models.LinearSyncRunDetailOutput(
            item=await self._one(item), prompt=item.prompt, events=[event_told(one) for one in events]
        )

    async def ingress_status(
        self, call: Call, args: models.LinearSyncIngressStatusInput
    ) -> models.LinearSyncIngressStatusOutput:
        from ade_runtime.linear_sync import store

        project = call.project.id
        await self._sync.ingress.note_rejected()
        standing = await self._services.database.read(lambda db: store.standing(db, project))
        return models.LinearSyncIngressStatusOutput(
            listening=self._sync.ingress.port is not None,
            port=self._sync.ingress.port or standing["port"],
            path=f"/linear/{project}",
            webhook=standing["webhook_url"],
            taken=standing["taken"],
            rejected=standing["rejected"],
            rejected_reason=standing["rejected_reason"],
            delivered_at=_instant(standing["delivered_at"]),
        )

    async def ingress_events(
        self, call: Call, args: models.LinearSyncIngressEventsInput
    ) -> models.LinearSyncIngressEventsOutput:
        from ade_runtime.linear_sync import store

        project = call.project.id
        found = await self._services.database.read(lambda db: store.events(db, project))
        page, following = cut(found, args.cursor, args.limit, key=lambda one: one.id)
        told = [event_told(one) for one in page]
        return models.LinearSyncIngressEventsOutput(items=told, total=len(found), next=following)

    async def ensure_webhook(
        self, call: Call, args: models.LinearSyncEnsureWebhookInput
    ) -> models.LinearSyncEnsureWebhookOutput:
        from ade_runtime.linear_sync import store, webhook

        author = call.identity.session or "owner"
        made = await webhook.ensure(self._services, call.project, args.url, args.team, author)
        project = call.project.id
        before = await self._services.database.read(lambda db: store.standing(db, project))
        wanted = args.port or before["port"] or 0
        port = await self._sync.listen(wanted)
        kept = {"webhook_id": made.id, "webhook_url": made.url, "port": port or wanted}
        await self._services.database.write(lambda db: store.stand(db, project, **kept))
        return models.LinearSyncEnsureWebhookOutput(
            webhook=made.id,
            url=made.url,
            created=made.created,
            listening=port is not None,
            port=port,
        )

    async def policy_get(
        self, call: Call, args: models.LinearSyncPolicyGetInput
    ) -> models.LinearSyncPolicyGetOutput:
        from ade_runtime.linear_sync import store

        project = call.project.id
        if args.revision is None:
            row = await self._services.database.read(lambda db: store.latest_policy(db, project))
        else:
            row = await self._sync.revision(call.project, args.revision)
        history = await self._services.database.read(
            lambda db: store.policy_revisions(db, project, REVISIONS_SHOWN)
        )
        file = await self._sync.file(call.project)
        text = None if row is None else row["text"]
        return models.LinearSyncPolicyGetOutput(
            revision=0 if row is None else row["revision"],
            policy=text,
            path=str(file.path),
            file_differs=file.text is not None and file.text != text,
            history=[revision_told(one) for one in history],
        )

    async def policy_save(
        self, call: Call, args: models.LinearSyncPolicySaveInput
    ) -> models.LinearSyncPolicySaveOutput:
        text = args.policy
        if args.rollback_to is not None:
            text = (await self._sync.revision(call.project, args.rollback_to))["text"]
        elif args.from_file:
            file = await self._sync.file(call.project)
            if file.text is None:
                raise errors.FlowPolicyUnreadable(path=str(file.path), reason="it does not exist")
            text = file.text
        if text is None:
            raise errors.InvalidArguments(problem="from_file: true, or a policy", action=call.action.id)
        note = args.note or (None if args.rollback_to is None else f"Back to revision {args.rollback_to}")
        revision = await self._sync.save(
            call.project,
            text,
            expected=args.expected_revision,
            author=call.identity.session or "owner",
            note=note,
        )
        return models.LinearSyncPolicySaveOutput(revision=revision, rules=len(checked(text).rules))

    async def simulate_route(self, call: Call, args: models.LinearSyncSimulateRouteInput) -> FlowRoute:
        from ade_runtime.linear_sync import store
        from ade_runtime.linear_sync.policy import decide
        from ade_runtime.linear_sync.records import facts_of

        project = call.project.id
        in_force = await self._services.database.read(lambda db: store.policy(db, project))
        rules = in_force if args.policy is None else checked(args.policy)
        facts = facts_of(await self._services.issues.get(args.issue))
        if facts is None:
            raise errors.IssueNotFound(issue=args.issue)
        return route_told(facts, decide(rules, facts))

    async def route_to_cto(self, call: Call, args: models.LinearSyncRouteToCtoInput) -> LinearItem:
        from ade_runtime.linear_sync.routing import How

        return await self._route(call, args.item, "cto", How(session=args.session))

    async def route_to_run(self, call: Call, args: models.LinearSyncRouteToRunInput) -> LinearItem:
        from ade_runtime.linear_sync.routing import How

        return await self._route(call, args.item, "run", How(lane=args.lane))

    async def route_to_worker(self, call: Call, args: models.LinearSyncRouteToWorkerInput) -> LinearItem:
        from ade_runtime.linear_sync.routing import How

        how = How(lane=args.lane, provider=args.provider, model=args.model, start=args.start)
        return await self._route(call, args.item, "worker", how)

    async def sign_in(self, call: Call, args: models.LinearSyncSignInInput) -> models.LinearSyncSignInOutput:
        from ade_runtime.linear_sync.view import sign_in_told

        signing_in = self._services.linear_sign_in
        if args.client_id is None:
            pending = signing_in.waiting()
        else:
            pending = await signing_in.begin(args.client_id, args.port)
        if pending is not None:
            call.progress(f"Waiting for a browser at {pending.attempt.redirect}", None)
            if await signing_in.end_of(pending, args.wait) is None:
                return sign_in_told(None, pending.attempt, used=False)
        grant = await signing_in.grant()
        if grant is None:
            raise errors.LinearNotSignedIn()
        return sign_in_told(grant, None, used=await signing_in.is_used())

    async def sign_out(
        self, call: Call, args: models.LinearSyncSignOutInput
    ) -> models.LinearSyncSignOutOutput:
        grant, revoked = await self._services.linear_sign_in.leave(force=args.force)
        return models.LinearSyncSignOutOutput(user=grant.user, revoked=revoked)

    @property
    def _sync(self) -> LinearSync:
        return self._services.linear_sync

    async def _route(self, call: Call, identifier: str, to: Route, how: How) -> LinearItem:
        from ade_runtime.linear_sync.routing import route

        return await self._one(await route(self._services, call, await self._item(call, identifier), to, how))

    async def _item(self, call: Call, identifier: str) -> Item:
        from ade_runtime.linear_sync.routing import found

        call.subject = identifier
        return await found(self._services, call.project.id, identifier)

    async def _one(self, item: Item) -> LinearItem:
        (told,) = await _told(self._services, [item])
        return told


async def _told(services: Services, items: Sequence[Item]) -> list[LinearItem]:
    names = await services.lanes.names(item.lane for item in items)
    return [item_told(item, names.get(item.lane or "")) for item in items]


def _instant(value: int | None) -> datetime | None:
    return None if value is None else from_ms(value)
