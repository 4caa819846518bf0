"""Figures of the floor page that are not in the view: the last events without faces, and a few counts.

At most fifty events and one hour of alerts are stored. An unknown figure is None. This module must never
store an event itself: some contain faces that were not turned.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

from controller.game.model import events as e
from controller.game.model.events import Event, Stamp
from controller.game.model.irregularities import Code
from controller.game.model.names import Circle
from controller.game.model.record import RoundRecord

EVENTS_SHOWN = 50
HOUR_MS = 3_600_000
MAX_ALERTS = 500

EVENT_NAMES: Mapping[type, str] = {
    e.KeyPressed: "key_pressed",
    e.AmountEntered: "amount_entered",
    e.FaceEntered: "face_entered",
    e.Reported: "reported",
    e.CardsSwapped: "cards_swapped",
    e.DealerSignedOn: "dealer_signed_on",
    e.DealerRelieved: "dealer_relieved",
    e.FloorDecided: "floor_decided",
    e.FloorOnTheWay: "on_the_way",
    e.RoundCorrected: "round_corrected",
    e.DeckBrought: "deck_brought",
    e.PersonTried: "not_proven",
    e.CardLeftShoe: "card_out",
    e.StackTaken: "stack_taken",
    e.StubTaken: "stub_taken",
    e.CircleRead: "chips_read",
    e.CircleUnreadable: "circle_lost",
    e.ShoeLinkLost: "shoe_lost",
    e.ShoeLinkOpened: "shoe_back",
    e.ShoeFaulted: "shoe_fault",
    e.ShuffleFinished: "shuffled",
    e.DeckReady: "deck_ready",
    e.Started: "started",
    e.TroubleReported: "trouble",
}
"""Kinds of event shown to a floorperson, by class, with their names in the catalogue."""


class Figures:
    """Figures of one table for the floor page. The engine reports events and records; the page reads."""

    def __init__(self) -> None:
        self._events: deque[dict[str, Any]] = deque(maxlen=EVENTS_SHOWN)
        self._rounds: deque[int] = deque(maxlen=MAX_ALERTS)
        self._alerts: deque[tuple[int, str]] = deque(maxlen=MAX_ALERTS)
        self._chips: dict[Circle, frozenset[str] | None] = {}
        """UIDs last shown in each circle; None if chips were there and can no longer be read."""
        self._began: int | None = None
        self._now = 0

    def see(self, event: Event, at: Stamp) -> None:
        """Add an event to the list if it changes what the list shows."""
        self._now = at.ms
        self._began = at.ms if self._began is None else self._began
        kind = EVENT_NAMES.get(type(event))
        if kind is not None and self._is_new(event):
            self._events.appendleft(_shown(kind, event, at))

    def _is_new(self, event: Event) -> bool:
        """Return whether the event changes the list. An accepted PIN and an unchanged circle do not."""
        if isinstance(event, e.CircleRead | e.CircleUnreadable):
            circle = Circle(event.seat, event.wager)
            chips = frozenset(chip.uid for chip in event.chips) if isinstance(event, e.CircleRead) else None
            before = self._chips.get(circle, frozenset())
            if chips is None and not before:
                return False  # the circle was empty, or its loss is already listed
            self._chips[circle] = chips
            return chips != before
        return not (isinstance(event, e.PersonTried) and event.proven)

    def count(self, record: RoundRecord) -> None:
        """Count a round that has ended."""
        self._rounds.append(self._now)
        for entry in record["irregularities"]:
            self._alerts.append((self._now, Code(entry["code"]).kind.grade))

    def events(self) -> list[dict[str, Any]]:
        """Return the last events as data for the list, the newest first."""
        return list(self._events)

    def pace(self) -> dict[str, Any]:
        """Return rounds and alerts of the last hour; None for a figure without any round."""
        since = self._now - HOUR_MS
        hours = min(HOUR_MS, self._now - (self._began or 0)) / HOUR_MS
        recent = sum(at > since for at in self._rounds)
        known = hours > 0 and recent > 0
        return {
            "rounds_per_hour": round(recent / hours) if known else None,
            "alerts_per_hour": dict(Counter(g for at, g in self._alerts if at > since)) if known else None,
        }


def _shown(kind: str, event: Event, at: Stamp) -> dict[str, Any]:
    """Return an entry of the list. It has only these fields; none of them ever contains a face."""
    chips = getattr(event, "chips", None)
    amount = getattr(event, "cents", None)
    return {
        "utc": at.utc,
        "kind": kind,
        "seat": getattr(event, "seat", None),
        "wager": getattr(event, "wager", None),
        "place": getattr(event, "place", None),
        "places": [event.first, event.second] if isinstance(event, e.CardsSwapped) else None,
        "amount": sum(chip.cents or 0 for chip in chips) if chips is not None else amount,
        "code": _code(event),
        "face": None,
        "by": getattr(event, "badge", None) or getattr(event, "pit", None) or _dealer(event),
        "key": getattr(event, "key", None),
        "number": _number(event),
    }


def _code(event: Event) -> str | None:
    if isinstance(event, e.Reported):
        return event.what
    if isinstance(event, e.FloorDecided):
        return event.outcome or event.decision
    return getattr(event, "code", None)


def _number(event: Event) -> int | None:
    """Return the number of the event's card or corrected round; None for other events."""
    if isinstance(event, e.CardLeftShoe):
        return event.number
    return event.round if isinstance(event, e.RoundCorrected) else None


def _dealer(event: Event) -> str | None:
    if isinstance(event, e.DealerRelieved):
        return event.by or None
    return event.number if isinstance(event, e.DealerSignedOn) else None
