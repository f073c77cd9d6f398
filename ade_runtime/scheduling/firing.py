"""What becomes of a schedule that is due: decided and done in one transaction.

A firing is put down together with what it does to a chat and with the schedule's next time. Whatever happens to the process
afterwards, nothing fires twice, and nothing that was put down is lost.
"""

from __future__ import annotations

import zoneinfo
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ade_runtime.agents import store as agents
from ade_runtime.chat import store as chats
from ade_runtime.scheduling import store
from ade_runtime.scheduling.cron import Cron
from ade_runtime.scheduling.times import PUNCTUAL, distance

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from ade_runtime.scheduling.records import Firing, FiringState, Schedule

MOST_MADE_UP = 100
"""Missed firings that ``all`` makes up for; those before them are skipped."""

GONE = "its chat or agent is over"
BEHIND = "what it told before still waits to be said; `ade chats show {session}` says why"


@dataclass(slots=True)
class Done:
    """What a look at the due schedules did: chats to wake, actions to perform, and how many schedules were handled."""

    wake: set[str] = field(default_factory=set)
    perform: list[tuple[Schedule, Firing]] = field(default_factory=list)
    fired: list[tuple[Schedule, Firing]] = field(default_factory=list)
    handled: int = 0
    _firings: list[Firing] = field(default_factory=list)
    _schedules: dict[str, Schedule] = field(default_factory=dict)
    _messages: list[tuple[str, str, str, str]] = field(default_factory=list)
    _chats: dict[str, bool] = field(default_factory=dict)

    def now_is(self, schedule: Schedule) -> Schedule:
        """The schedule with what was decided so far."""
        return self._schedules.get(schedule.id, schedule)

    def set(self, schedule: Schedule, **values: Any) -> None:
        self._schedules[schedule.id] = replace(self.now_is(schedule), **values)

    def note(self, firing: Firing) -> Firing:
        self._firings.append(firing)
        return firing

    def told(self, db: Connection, schedule: Schedule, text: str) -> bool:
        """Whether there is a chat to tell it to, which then is told."""
        session = schedule.session
        if session is None:
            return False
        if session not in self._chats:
            self._chats[session] = chats.state_of(db, session) not in (None, "ended")
        if self._chats[session]:
            self._messages.append((session, text, schedule.identity, schedule.id))
            self.wake.add(session)
        return self._chats[session]

    def put(self, db: Connection, now: datetime) -> None:
        """Write down all of it, many rows a statement: a thousand may be due at once."""
        if self._firings:
            store.put_firings(db, self._firings)
        if self._schedules:
            store.put_schedules(db, self._schedules.values())
        if self._messages:
            chats.enqueue_all(db, self._messages, now)


def fire_due(db: Connection, now: datetime, limit: int) -> Done:
    """Fire what is due, at most ``limit`` schedules."""
    done, due = Done(), store.due(db, now, limit)
    behind = _behind(db, due)
    for schedule in due:
        if schedule.id in behind:
            _leave_out(db, schedule, now, done)
        else:
            _fire(db, schedule, now, done)
        done.handled += 1
    done.put(db, now)
    return done


def fire_once(
    db: Connection, schedule: Schedule, due_at: datetime, now: datetime, missed: int, done: Done
) -> Firing:
    """Keep one promise: tell the chat, or claim the firing for whoever performs the action, or wakes the agent in its terminal,
    after the transaction."""
    if done.told(db, schedule, message(schedule, due_at, now, missed)):
        firing = done.note(
            store.firing(schedule.id, "delivered", due_at, now, missed, result="told the chat")
        )
    elif schedule.session is None or agents.running(db, schedule.session) is not None:
        firing = done.note(store.firing(schedule.id, "claimed", due_at, now, missed, attempts=1))
        done.perform.append((schedule, firing))
    else:
        firing = done.note(store.firing(schedule.id, "failed", due_at, now, missed, result=GONE))
        done.set(schedule, state="ended", next_at=None)
    done.fired.append((schedule, firing))
    done.set(schedule, fired=done.now_is(schedule).fired + 1, last=firing.result)
    return firing


def next_time(schedule: Schedule, after: datetime) -> datetime | None:
    """When a schedule fires after an instant; ``None`` where it does not."""
    if schedule.kind != "cron" or not schedule.recurring:
        return None
    return Cron.parse(schedule.expression).next_after(after, zoneinfo.ZoneInfo(schedule.zone))


def _fire(db: Connection, schedule: Schedule, now: datetime, done: Done) -> None:
    due_at = schedule.next_at or now
    following = next_time(schedule, now)
    over = following is None
    done.set(schedule, next_at=following, state="done" if over else "active")
    if now - due_at <= PUNCTUAL:
        fire_once(db, schedule, due_at, now, 0, done)
        return
    missed = _missed(schedule, due_at, now)
    kept = [
        due for due in missed if schedule.max_age is None or now - due <= timedelta(seconds=schedule.max_age)
    ]
    if schedule.catch_up == "none" and schedule.kind == "cron":
        kept = []
    elif schedule.catch_up == "one" or schedule.kind != "cron":
        kept = kept[-1:]
    kept = kept[-MOST_MADE_UP:]
    if not kept:
        _let_go(done, schedule, missed, now, over=over)
        return
    before = missed.index(kept[0])
    for place, due in enumerate(kept):
        if done.now_is(schedule).state == "ended":
            return
        fire_once(db, schedule, due, now, before if place == 0 else 0, done)


def _behind(db: Connection, due: list[Schedule]) -> set[str]:
    """Recurring ones whose chat or agent has not been told of the last time yet: once more would only pile up. Of one that
    makes up for ``all``, each time counts, up to a number."""
    asked = {one.id: one.catch_up == "all" for one in due if one.recurring and one.session is not None}
    if not asked:
        return set()
    waiting = chats.waiting_by_schedule(db, asked.keys())
    for busy in store.under_way(db, asked.keys()):
        waiting[busy] = waiting.get(busy, 0) + 1
    return {name for name, count in waiting.items() if count >= (MOST_MADE_UP if asked[name] else 1)}


def _leave_out(db: Connection, schedule: Schedule, now: datetime, done: Done) -> None:
    """The schedule moves on without telling anybody; one line of the history counts how often that was in a row."""
    following = next_time(schedule, now)
    text = BEHIND.format(session=schedule.session)
    done.set(schedule, next_at=following, state="done" if following is None else "active", last=text)
    if not store.count_missed(db, schedule.id, text):
        done.note(store.firing(schedule.id, "skipped", schedule.next_at or now, now, 0, result=text))


def _let_go(done: Done, schedule: Schedule, missed: list[datetime], now: datetime, *, over: bool) -> None:
    """Nothing is made up for; the history says so."""
    too_old = schedule.max_age is not None and now - missed[-1] > timedelta(seconds=schedule.max_age)
    state: FiringState = "expired" if too_old else "skipped"
    text = f"missed {len(missed)} times while no runtime ran; the last was {distance(missed[-1] - now)}"
    done.note(store.firing(schedule.id, state, missed[-1], now, len(missed) - 1, result=text))
    done.set(schedule, last=text, **({"state": "expired"} if over and too_old else {}))


def _missed(schedule: Schedule, first: datetime, now: datetime) -> list[datetime]:
    """Every time it should have fired until now; of very many the last ones."""
    if schedule.kind != "cron" or not schedule.recurring:
        return [first]
    cron, zone = Cron.parse(schedule.expression), zoneinfo.ZoneInfo(schedule.zone)
    found, due = [first], first
    while len(found) < 10_000:
        following = cron.next_after(due, zone)
        if following is None or following > now:
            return found
        due = following
        found.append(due)
    return [first, *_last_before(cron, zone, now)]


def _last_before(cron: Cron, zone: zoneinfo.ZoneInfo, now: datetime) -> list[datetime]:
    """The firings of the last day: of a schedule that was missed ten thousand times nobody wants the first ones."""
    found: list[datetime] = []
    due = now - timedelta(days=1)
    while True:
        following = cron.next_after(due, zone)
        if following is None or following > now:
            return found
        due = following
        found.append(due)


def message(schedule: Schedule, due_at: datetime, now: datetime, missed: int) -> str:
    """What the chat is told: the prompt, and behind it how late it is where it is."""
    text = schedule.prompt or ""
    notes = []
    if now - due_at > PUNCTUAL:
        due = due_at.astimezone(UTC).replace(microsecond=0).isoformat()
        notes.append(f"this was due {distance(due_at - now)}, at {due}")
    if missed:
        notes.append(f"{missed} earlier times were missed")
    return f"{text}\n\n[Scheduled by {schedule.id}; {'; '.join(notes)}.]" if notes else text
