"""Entries for events themselves: a dealer's touch, a floorperson's decision, a device's report.

`ENTRY_MAKERS` lists the classes of events that have an entry of their own. An event of another class has only
entries for its consequences (`changes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from controller.game.books.stacks import stack_values
from controller.game.model import events as e
from controller.game.model.ledger import Ledger
from controller.game.model.names import Circle, Key, Wager
from controller.game.model.state import TableState
from controller.game.showing.prompts import prompt
from controller.record.journal.replay import Replayed
from controller.record.timeline.entries import Kind

EntryData: TypeAlias = tuple[Kind, Mapping[str, Any]]
"""Kind and facts of an entry. The facts `seat`, `wager` and `who` become fields of the entry."""


def entry_of(done: Replayed) -> EntryData | None:
    """Return the entry of this event itself, or None if it has none."""
    make_entry = ENTRY_MAKERS.get(type(done.event))
    return make_entry(done, done.event) if make_entry else None


# ------------------------------------------------------------------ the dealer


def _key(done: Replayed, event: e.KeyPressed) -> EntryData | None:
    """Return the entry of a key, with the step that it confirms or takes back. FLOOR has no entry of its own,
    only those of its consequences."""
    if event.key is Key.FLOOR:
        return None
    facts: dict[str, Any] = {"key": event.key.value, "who": done.before.dealer}
    if event.key is Key.UNDO and done.before.undo:
        undone = done.before.undo[-1]
        return Kind.PRESSED, {**facts, "undone": undone.key, "seat": undone.seat, "wager": undone.wager}
    shown = prompt(done.before, done.context)
    if event.key is Key.CONFIRM and shown is not None:
        facts |= {"prompt": shown.kind, "seat": shown.seat, "wager": shown.wager, "amount": shown.amount}
        facts |= {"places": list(shown.places), "step": shown.step}
    if event.key is Key.FOLD and done.before.round is not None:
        facts["seat"] = done.before.round.decisions.asked
    return Kind.PRESSED, facts


def _amount(done: Replayed, event: e.AmountEntered) -> EntryData:
    """Return the entry of an amount typed by the dealer, with the amount typed before it."""
    before = done.before.holding(event.seat, event.wager).entered
    return Kind.AMOUNT_ENTERED, {
        "seat": event.seat, "wager": event.wager, "amount": event.cents, "was": before,
        "who": done.before.dealer,
    }  # fmt: skip


def _face(done: Replayed, event: e.FaceEntered) -> EntryData:
    return Kind.FACE_ENTERED, {"place": event.place, "said": event.face, "who": done.before.dealer}


def _reported(done: Replayed, event: e.Reported) -> EntryData:
    place = f"bonus_{event.number}" if event.what == "bonus_exposed" else event.place
    return Kind.REPORTED, {
        "what": event.what, "seat": event.seat, "place": place, "number": event.number,
        "read": read_at(done.before, place) if event.face else None, "said": event.face,
        "who": done.before.dealer,
    }  # fmt: skip


def read_at(state: TableState, place: str | None) -> str | None:
    """Return the face that the table has for a place, or None."""
    if state.round is None or place is None or place not in state.round.cards:
        return None
    return state.round.cards[place].face


def _swapped(done: Replayed, event: e.CardsSwapped) -> EntryData:
    return Kind.SWAPPED, {"places": [event.first, event.second], "who": done.before.dealer}


def _signed_on(_done: Replayed, event: e.DealerSignedOn) -> EntryData:
    return Kind.SIGNED_ON, {"who": event.number}


def _relieved(done: Replayed, _event: e.DealerRelieved) -> EntryData:
    return Kind.RELIEVED, {"who": done.before.dealer}


# ------------------------------------------------------------------ the floor


def _wrong_pin(_done: Replayed, event: e.PersonTried) -> EntryData | None:
    """Return the entry of a wrong PIN; a correct one is part of the decision made with it."""
    tries = event.unheard + 1
    return (
        None
        if event.proven
        else (Kind.NOT_PROVEN, {"who": event.who, "number": tries if tries > 1 else None})
    )


def _decided(done: Replayed, event: e.FloorDecided) -> EntryData:
    hold = done.before.hold
    outcome = event.outcome
    if hold is not None and event.decision == "approve":
        outcome = None if hold.proposed is None else str(hold.proposed)
    return Kind.FLOOR_DECIDED, {
        "who": event.badge, "decision": event.decision, "outcome": outcome, "reason": event.reason or None,
        "code": hold.code if hold is not None else None, "place": hold.place if hold is not None else None,
        "seat": event.seat or (hold.seat if hold is not None else None), "wager": event.wager,
        "seats": list(event.seats) or None, "method": event.method,
        "holder": event.holder or None,
    }  # fmt: skip


# ------------------------------------------------------------------ chips


def _chips(done: Replayed, event: e.CircleRead) -> EntryData:
    """Return the entry of a reading: the chips in the circle, the amount before, and the holders between
    which and the circle chips moved according to the ledger. A reading that replaces a typed amount names no
    holder."""
    before = done.before.holding(event.seat, event.wager)
    return Kind.CHIPS, {
        "seat": event.seat, "wager": event.wager, "amount": sum(chip.cents or 0 for chip in event.chips),
        "was": before.amount if before.reading != "none" else None,
        "stack": [list(group) for group in stack_values(done.after, Circle(event.seat, event.wager))],
        "strange": sum(chip.cents is None for chip in event.chips) or None,
        "hands": [] if before.entered is not None else _hands(done, Circle(event.seat, Wager(event.wager))),
    }  # fmt: skip


def _hands(done: Replayed, circle: Circle) -> list[str]:
    """Return the holders that chips of the circle came from or went to according to the new entries of the
    ledger: `player`, `tray` or `unexplained`, each once."""
    before, after = _ledger(done.before), _ledger(done.after)
    new = after.entries_since(before) if done.before.round is not None else ()
    other = [
        (entry.source if entry.to == "circle" else entry.to).value
        for entry in new
        if entry.cents and Circle(entry.seat, entry.wager) == circle and entry.why in ("laid", "taken")
    ]
    return list(dict.fromkeys(other))


def _ledger(state: TableState) -> Ledger:
    return state.round.ledger if state.round is not None else Ledger()


def _no_reading(done: Replayed, event: e.CircleUnreadable) -> EntryData | None:
    if done.before.holding(event.seat, event.wager).reading == event.why:
        return None
    return Kind.NO_READING, {"seat": event.seat, "wager": event.wager, "why": event.why}


# ------------------------------------------------------------------ other devices


def _trouble(_done: Replayed, event: e.TroubleReported) -> EntryData:
    return (Kind.TROUBLE_OVER if event.cleared else Kind.TROUBLE), {"code": event.code}


def _brought(done: Replayed, event: e.DeckBrought) -> EntryData:
    back = event.back or done.before.deck.last_back
    return Kind.DECK_BROUGHT, {"back": _back(back), "same": event.same or None}


def _back(back: str | None) -> str | None:
    return back.lower() if back else None


def _lost(done: Replayed, _event: e.ShoeLinkLost) -> EntryData | None:
    return (Kind.SHOE_LOST, {}) if done.before.shoe.up else None


def _opened(done: Replayed, _event: e.ShoeLinkOpened) -> EntryData | None:
    return None if done.before.shoe.up else (Kind.SHOE_BACK, {})


EntryMaker = Callable[[Replayed, Any], EntryData | None]

ENTRY_MAKERS: Mapping[type, EntryMaker] = {
    e.KeyPressed: _key,
    e.AmountEntered: _amount,
    e.FaceEntered: _face,
    e.Reported: _reported,
    e.CardsSwapped: _swapped,
    e.DealerSignedOn: _signed_on,
    e.DealerRelieved: _relieved,
    e.PersonTried: _wrong_pin,
    e.FloorDecided: _decided,
    e.FloorOnTheWay: lambda _turn, event: (Kind.ON_THE_WAY, {"who": event.badge or event.pit}),
    e.DeckBrought: _brought,
    e.CircleRead: _chips,
    e.CircleUnreadable: _no_reading,
    e.ShuffleFinished: lambda _turn, event: (
        Kind.SHUFFLED, {"number": event.count, "back": _back(event.back)}
    ),
    e.StubTaken: lambda _turn, event: (Kind.STUB_OUT, {"number": event.count}),
    e.ShoeFaulted: lambda _turn, event: (Kind.SHOE_FAULT, {"fault": event.fault}),
    e.ShoeFaultCleared: lambda _turn, event: (Kind.SHOE_CLEARED, {"fault": event.fault}),
    e.ShoeLinkLost: _lost,
    e.ShoeLinkOpened: _opened,
    e.CommandRefused: lambda _turn, event: (Kind.SHOE_REFUSED, {"fault": f"{event.command} {event.reason}"}),
    e.Started: lambda _turn, _event: (Kind.STARTED, {}),
    e.TroubleReported: _trouble,
}  # fmt: skip
