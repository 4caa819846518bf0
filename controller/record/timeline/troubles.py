"""Irregularities of a timeline: when an alert, a hold or a note began, the amounts present and due, when and
how it ended.

`trouble` yields the entries of one event; `irregularities_of` joins beginnings and ends to the list of the
round record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from controller.game.model.events import FloorDecided
from controller.game.model.ledger import Signed
from controller.game.model.names import Circle, Phase
from controller.game.model.round import Irregularity
from controller.game.model.state import Alert, Hold, TableState
from controller.game.phases import betting, signature_effects
from controller.record.journal.replay import Replayed
from controller.record.timeline.entries import Ending, Kind, TimelineEntry, Trouble
from controller.record.timeline.touches import EntryData, read_at

Name = tuple[str, int | None, str | None]
"""Code, seat and circle of an irregularity, which identify it in a record."""


def trouble(done: Replayed) -> Iterator[EntryData]:
    """Yield the alerts, holds and notes that began or ended with this event."""
    raised = [alert for alert in done.after.alerts if alert.id not in _ids(done.before)]
    held = [hold for hold in _holds(done.after) if not any(map(hold.same_as, _holds(done.before)))]
    for alert in raised:
        yield Kind.ALERT, _alert(done, alert)
    for hold in held:
        yield Kind.HELD, _hold(done.after, hold)
    yield from _noted(done, raised, held)
    signed = list(_signed(done))
    for each in signed:
        yield Kind.SIGNED, {
            "seat": each.seat, "wager": each.wager, "code": each.code, "who": each.who,
            "reason": each.why or None, "cents": each.house + each.stake, "name": each.name or None,
            **_effect(done),
        }  # fmt: skip
    for alert in done.before.alerts:
        if alert.id not in _ids(done.after):
            yield Kind.ALERT_OVER, _alert_over(done, alert, signed)
    for hold in _holds(done.before):
        if not any(map(hold.same_as, _holds(done.after))):
            yield Kind.HOLD_OVER, _hold_over(done, hold)


def _ids(state: TableState) -> set[int]:
    return {alert.id for alert in state.alerts}


def _holds(state: TableState) -> list[Hold]:
    return [hold for hold in (state.hold, *state.held_next) if hold is not None]


def _listed(state: TableState) -> tuple[Irregularity, ...]:
    return state.early if state.round is None else state.round.irregularities


def _name(entry: Irregularity | Alert | Hold) -> Name:
    return entry.code, entry.seat, entry.wager


def _alert(done: Replayed, alert: Alert) -> dict[str, Any]:
    state = done.after
    facts: dict[str, Any] = {"id": alert.id, "code": alert.code, "seat": alert.seat, "wager": alert.wager}
    due = betting.amount_due(state, done.context, alert) if alert.should is None else alert.should
    facts |= {"place": alert.place, "should": due, "name": alert.name or None}
    if alert.seat is not None and alert.wager is not None:
        holding = state.holding(alert.seat, alert.wager)
        facts["lies"] = holding.amount if holding.readable or holding.entered is not None else None
    return facts


def _hold(state: TableState, hold: Hold) -> dict[str, Any]:
    return {
        "code": hold.code, "seat": hold.seat, "wager": hold.wager, "place": hold.place,
        "places": list(hold.swap) if hold.swap else None, "citation": hold.citation,
        "proposed": None if hold.proposed is None else str(hold.proposed),
        "read": read_at(state, hold.place) if hold.face else None, "said": hold.face,
    }  # fmt: skip


def _noted(done: Replayed, raised: Iterable[Alert], held: Iterable[Hold]) -> Iterator[EntryData]:
    """Yield the irregularities that are new in the round's list and belong to no alert or hold. `raised`,
    `held`: the alerts and holds that are new too."""
    if done.before.round is not None and done.after.round is None:
        return  # when bets are opened again or the round is over, the list has been carried over or closed
    new = Counter(map(_name, _listed(done.after))) - Counter(map(_name, _listed(done.before)))
    own = Counter(map(_name, raised)) + Counter(map(_name, held))
    for code, seat, wager in (new - own).elements():
        yield Kind.NOTED, {"code": code, "seat": seat, "wager": wager}


def carried_over(done: Replayed) -> Iterator[EntryData]:
    """Yield irregularities noted while the previous round was cleared, which go into the list of the next
    round."""
    standing = {_name(alert): alert for alert in done.after.alerts}
    for each in done.after.early:
        alert = standing.get(_name(each))
        if alert is not None:
            yield Kind.ALERT, _alert(done, alert)
        else:
            yield Kind.NOTED, {"code": each.code, "seat": each.seat, "wager": each.wager}


def _effect(done: Replayed) -> dict[str, Any]:
    """Return the facts of a signature: the holder of the difference that the floorperson named, and the
    effects that were shown to them before they signed."""
    event = done.event
    if not isinstance(event, FloorDecided) or event.seat is None or event.wager is None:
        return {"holder": None, "effects": ()}
    circle, holder = Circle(event.seat, event.wager), event.holder
    effects = signature_effects.effects(done.before, done.context, circle, holder)
    return {"holder": holder or None, "effects": tuple(asdict(each) for each in effects)}


def _signed(done: Replayed) -> tuple[Signed, ...]:
    before, after = done.before.round, done.after.round
    if after is None:
        return ()
    return after.ledger.signed[len(before.ledger.signed) if before else 0 :]


def _alert_over(done: Replayed, alert: Alert, signed: Iterable[Signed]) -> dict[str, Any]:
    name = next((each for each in signed if (each.code, each.seat, each.wager) == _name(alert)), None)
    over: Ending = "signed" if name else _ended(done, alert)
    return {
        "id": alert.id, "code": alert.code, "seat": alert.seat, "wager": alert.wager, "place": alert.place,
        "name": alert.name or None, "over": over, "by": name.who if name else None,
        "reason": (name.why or None) if name else None,
        "stood": done.context.ms - alert.since,
    }  # fmt: skip


def _ended(done: Replayed, alert: Alert) -> Ending:
    if done.after.phase is Phase.VOID and done.before.phase is not Phase.VOID:
        return "void"
    was = sum(_name(each) == _name(alert) and each.resolved for each in _listed(done.before))
    now = sum(_name(each) == _name(alert) and each.resolved for each in _listed(done.after))
    return "mended" if now > was else "over"


def _hold_over(done: Replayed, hold: Hold) -> dict[str, Any]:
    facts: dict[str, Any] = {"code": hold.code, "seat": hold.seat, "wager": hold.wager, "place": hold.place}
    if not isinstance(done.event, FloorDecided):
        return {**facts, "over": "over"}
    approved = done.event.decision == "approve" and hold.proposed is not None
    outcome = str(hold.proposed) if approved else done.event.outcome
    return {
        **facts, "over": "decided", "by": done.event.badge, "reason": done.event.reason or None,
        "decision": done.event.decision, "outcome": outcome,
    }  # fmt: skip


# ------------------------------------------------------------------ from beginning to end

BEGINNINGS = (Kind.ALERT, Kind.HELD, Kind.NOTED)
END_KINDS = (Kind.ALERT_OVER, Kind.HOLD_OVER)
_FACTS = ("lies", "should", "place", "places", "read", "said", "proposed", "outcome", "decision", "reason")


def irregularities_of(listed: Iterable[Irregularity], entries: Iterable[TimelineEntry]) -> Iterator[Trouble]:
    """Yield each irregularity of the round's list, joined with the entries in which it began and ended."""
    timeline = list(entries)
    came: list[TimelineEntry | None] = [entry for entry in timeline if entry.kind in BEGINNINGS]
    ends = [entry for entry in timeline if entry.kind in END_KINDS]
    for each in listed:
        at = next((n for n, entry in enumerate(came) if entry and _of(entry) == _name(each)), None)
        if at is None:
            yield Trouble(each, facts={"reason": each.reason or None})
            continue
        begun, came[at] = came[at], None
        yield _joined(each, begun, ends)


def _of(entry: TimelineEntry) -> Name:
    return entry.facts["code"], entry.seat, entry.wager


def _joined(each: Irregularity, begun: TimelineEntry | None, ends: list[TimelineEntry]) -> Trouble:
    if begun is None:
        return Trouble(each)
    end = next((entry for entry in ends if _ends(entry, begun)), None)
    facts: dict[str, Any] = {key: begun.facts.get(key) for key in _FACTS}
    facts["reason"] = facts["reason"] or each.reason or None
    if end is None:
        past: Ending = "mended" if begun.kind is Kind.NOTED and each.code.kind.cleared == "mended" else "over"
        return Trouble(each, begun.ms, None, past if each.resolved else None, None, facts)
    ends.remove(end)
    facts |= {key: end.facts[key] for key in _FACTS if end.facts.get(key) is not None}
    return Trouble(each, begun.ms, end.ms, end.facts["over"], end.facts.get("by"), facts)


def _ends(end: TimelineEntry, begun: TimelineEntry) -> bool:
    if begun.kind is Kind.ALERT:
        return end.kind is Kind.ALERT_OVER and end.facts["id"] == begun.facts["id"]
    same = _of(end) == _of(begun) and end.facts.get("place") == begun.facts.get("place")
    return begun.kind is Kind.HELD and end.kind is Kind.HOLD_OVER and same and end.ms >= begun.ms
