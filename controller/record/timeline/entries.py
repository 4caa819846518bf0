"""A round as a timeline of typed entries, and its irregularities, each from beginning to end. Frozen data
only, made by `fold.py` from the journal's events.

A timeline may contain faces that were never turned: `turned_only` (public.py) removes those for a screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Self, TypeAlias

from controller.game.model.hand import Hand
from controller.game.model.names import Wager
from controller.game.model.round import Irregularity

Ending: TypeAlias = Literal["mended", "signed", "decided", "void", "over"]
"""Way in which an irregularity ended. `mended`: corrected at the table. `signed`: signed by a floorperson,
the chips unchanged. `decided`: by a floorperson's decision. `void`: with the round, which became void.
`over`: without any act."""

Fact: TypeAlias = Literal[
    "amount", "back", "by", "cents", "citation", "code", "correction", "decision", "faces", "fault",
    "hand", "holder", "id", "lies", "method", "note", "number", "odds", "outcome", "over", "payout",
    "phase", "place", "places", "proposed", "read", "reason", "record", "result", "said", "same", "seat",
    "seats", "should", "size", "stood", "wager", "wagers", "was", "who", "why",
]  # fmt: skip
"""Name of a fact that a table sends; its type is in controller/floor/uplink/kinds.py."""


@dataclass(frozen=True, slots=True)
class SentFacts:
    """Facts of an event that a table sends to a pit: `always` are required, `maybe` optional."""

    always: tuple[Fact, ...] = ()
    maybe: tuple[Fact, ...] = ()


class Kind(StrEnum):
    """Kind of a timeline entry, and of an event that the uplink sends to a pit. The catalogue has the text of
    an entry under `told`.

    `sent`: facts of the event; None if the table does not send it. The AsyncAPI document keeps the order of
    this class.
    """

    sent: SentFacts | None

    def __new__(cls, name: str, sent: SentFacts | None = None) -> Self:
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.sent = sent
        return kind

    # about the round
    BETS_CLOSED = "bets_closed", SentFacts()
    BETS_REOPENED = "bets_reopened", SentFacts()
    LAID = "laid", SentFacts(("seat", "wagers"))
    PHASE = "phase", SentFacts(("phase",))
    DEALT = "dealt", SentFacts(("places", "number"))
    TURNED = "turned", SentFacts(("places", "faces"))
    CARD_CHANGED = "card_changed", SentFacts(("place",), ("read", "said"))
    BET = "bet", SentFacts(("seat", "wager", "amount"), ("was",))
    BET_BACK = "bet_back", SentFacts(("seat", "wager"), ("amount",))
    FOLDED = "folded", SentFacts(("seat", "phase"))
    FOLD_BACK = "fold_back", SentFacts(("seat",))
    FORFEITED = "forfeited", SentFacts(("seat", "code"))
    SETTLED = "settled", SentFacts(("seat", "wager", "result"), ("amount", "odds", "payout", "hand"))
    REOPENED = "reopened", SentFacts(("seat", "wager"))
    VOIDED = "voided", SentFacts(("code",), ("citation", "who"))
    RECORD = "record", SentFacts(("record",))
    CORRECTION = "correction", SentFacts(("correction",))
    # about irregularities and decisions of the floor
    ALERT = "alert", SentFacts(("id", "code"), ("seat", "wager", "place", "should", "lies"))
    ALERT_OVER = (
        "alert_over", SentFacts(("id", "code", "over"), ("seat", "wager", "place", "by", "reason", "stood")),
    )  # fmt: skip
    HELD = (
        "held",
        SentFacts(("code",), ("citation", "seat", "wager", "place", "places", "proposed", "read", "said")),
    )
    HOLD_OVER = (
        "hold_over",
        SentFacts(("code", "over"), ("seat", "wager", "place", "by", "reason", "decision", "outcome")),
    )
    NOTED = "noted", SentFacts(("code",), ("seat", "wager"))
    SIGNED = "signed", SentFacts(("code",), ("seat", "wager", "who", "reason", "cents"))
    FLOOR_CALLED = "floor_called", SentFacts((), ("who",))
    FLOOR_ANSWERED = "floor_answered", SentFacts()
    FLOOR_DECIDED = (
        "floor_decided", SentFacts(
            ("decision",),
            ("who", "outcome", "reason", "code", "place", "seat", "wager", "seats", "method", "holder"),
        ),
    )  # fmt: skip
    # about people
    SIGNED_ON = "signed_on", SentFacts((), ("who",))
    RELIEVED = "relieved", SentFacts((), ("who",))
    NOT_PROVEN = "not_proven", SentFacts((), ("who", "number"))
    # about devices
    DECK_BROUGHT = "deck_brought", SentFacts((), ("back", "same"))
    SHUFFLED = "shuffled", SentFacts((), ("number", "back"))
    STUB_OUT = "stub_out", SentFacts((), ("number",))
    SHOE_FAULT = "shoe_fault", SentFacts((), ("fault",))
    SHOE_CLEARED = "shoe_cleared", SentFacts((), ("fault",))
    SHOE_REFUSED = "shoe_refused", SentFacts((), ("fault",))
    SHOE_LOST = "shoe_lost", SentFacts()
    SHOE_BACK = "shoe_back", SentFacts()
    NO_READING = "no_reading", SentFacts(("seat", "wager", "why"))
    TROUBLE = "trouble", SentFacts(("code",))
    TROUBLE_OVER = "trouble_over", SentFacts(("code",))
    STARTED = "started", SentFacts()
    # about the seal
    CHECKPOINT = "checkpoint", SentFacts(("note", "size"))
    # only in the timeline, never sent to a pit
    PRESSED = "pressed"
    AMOUNT_ENTERED = "amount_entered"
    FACE_ENTERED = "face_entered"
    REPORTED = "reported"
    SWAPPED = "swapped"
    ON_THE_WAY = "on_the_way"
    CORRECTED = "corrected"
    CHIPS = "chips"
    CHIPS_EXCHANGED = "chips_exchanged"
    CHIPS_MOVED = "chips_moved"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Entry of a timeline. `ms`: time since the round's start, negative before it. `who`: the floorperson's
    badge or the dealer's number. `facts`: arguments of the entry's text: whole cents, places, faces, names of
    the catalogue."""

    ms: int
    utc: str
    kind: Kind
    seat: int | None = None
    wager: Wager | None = None
    who: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One irregularity from beginning to end. `came`, `went`: its beginning and end as `TimelineEntry.ms`;
    None if outside the timeline. `over`: how it ended; `by`: the badge of the floorperson who ended it.
    `facts`: amounts present and due, faces read and reported, the reason."""

    entry: Irregularity
    came: int | None = None
    went: int | None = None
    over: Ending | None = None
    by: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class DealerPeriod:
    """Period in which one dealer dealt. Its times are `TimelineEntry.ms`; None if before the timeline or
    after its end."""

    number: str
    since: int | None
    until: int | None


@dataclass(frozen=True, slots=True)
class RoundTimeline:
    """A round that has ended: its record and its history. `dealt`: places that had a card; `shown`: places
    whose cards the rules had turned. `seen`: faces that were on the screen or were entered by a person."""

    record: Mapping[str, Any] = field(repr=False)
    started: str
    entries: tuple[TimelineEntry, ...]
    troubles: tuple[Trouble, ...]
    dealers: tuple[DealerPeriod, ...]
    hands: Mapping[int, Mapping[Wager, Hand]] = field(repr=False)
    dealt: frozenset[str]
    shown: frozenset[str]
    seen: frozenset[str] = field(repr=False)
    zone: str = ""
    """Time zone of the table; "" if the table file names none."""
