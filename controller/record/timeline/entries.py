"""A round as a timeline of typed entries, and its irregularities, each from beginning to end. Frozen data
only; `fold.py` makes it from the journal's events.

It may contain faces that were never turned: `turned_only` (public.py) removes those for a screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from controller.game.model.hand import Hand
from controller.game.model.names import Wager
from controller.game.model.round import Irregularity

Ending: TypeAlias = Literal["mended", "signed", "decided", "void", "over"]
"""End of an irregularity: corrected at the table, signed as it lay, decided by a floorperson, ended by the
void round, or past without an act."""


class Kind(StrEnum):
    """Kind of an entry; its words are under `told` in the catalogue."""

    # people
    PRESSED = "pressed"
    AMOUNT_ENTERED = "amount_entered"
    FACE_ENTERED = "face_entered"
    REPORTED = "reported"
    SWAPPED = "swapped"
    SIGNED_ON = "signed_on"
    RELIEVED = "relieved"
    NOT_PROVEN = "not_proven"
    FLOOR_DECIDED = "floor_decided"
    FLOOR_CALLED = "floor_called"
    FLOOR_ANSWERED = "floor_answered"
    ON_THE_WAY = "on_the_way"
    CORRECTED = "corrected"
    DECK_BROUGHT = "deck_brought"
    # devices
    CHIPS = "chips"
    NO_READING = "no_reading"
    SHUFFLED = "shuffled"
    STUB_OUT = "stub_out"
    SHOE_FAULT = "shoe_fault"
    SHOE_CLEARED = "shoe_cleared"
    SHOE_LOST = "shoe_lost"
    SHOE_BACK = "shoe_back"
    SHOE_REFUSED = "shoe_refused"
    STARTED = "started"
    TROUBLE = "trouble"
    TROUBLE_OVER = "trouble_over"
    # consequences
    BETS_CLOSED = "bets_closed"
    BETS_REOPENED = "bets_reopened"
    LAID = "laid"
    PHASE = "phase"
    DEALT = "dealt"
    CARD_CHANGED = "card_changed"
    TURNED = "turned"
    BET = "bet"
    BET_BACK = "bet_back"
    FOLDED = "folded"
    FOLD_BACK = "fold_back"
    FORFEITED = "forfeited"
    SETTLED = "settled"
    REOPENED = "reopened"
    ALERT = "alert"
    ALERT_OVER = "alert_over"
    HELD = "held"
    HOLD_OVER = "hold_over"
    NOTED = "noted"
    SIGNED = "signed"
    VOIDED = "voided"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Entry:
    """Entry of a timeline. `ms`: since the round's start, negative before it. `who`: the badge or the
    dealer's number. `facts`: arguments of the entry's words; whole cents, places, faces, names of the
    catalogue."""

    ms: int
    utc: str
    kind: Kind
    seat: int | None = None
    wager: Wager | None = None
    who: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One irregularity from beginning to end. `came` and `went` in ms like `Entry.ms`; None if it began
    before the timeline, or was not over at its end. `facts`: amounts laid and due, faces read and said, the
    reason."""

    entry: Irregularity
    came: int | None = None
    went: int | None = None
    over: Ending | None = None
    by: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class DealerPeriod:
    """A dealer and the period in which they dealt; None: before the timeline, or beyond its end."""

    number: str
    since: int | None
    until: int | None


@dataclass(frozen=True, slots=True)
class RoundTimeline:
    """A round that has ended: its record and its history. `dealt`: places where a card lay; `shown`: places
    with cards that the rules had turned. `seen`: faces that were on the screen, or that a person entered."""

    record: Mapping[str, Any] = field(repr=False)
    started: str
    entries: tuple[Entry, ...]
    troubles: tuple[Trouble, ...]
    dealers: tuple[DealerPeriod, ...]
    hands: Mapping[int, Mapping[Wager, Hand]] = field(repr=False)
    dealt: frozenset[str]
    shown: frozenset[str]
    seen: frozenset[str] = field(repr=False)
    zone: str = ""
    """Time zone of the table; "" if the table file names none."""
