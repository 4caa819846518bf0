"""A round as it happened: a line of time with typed entries, and what went wrong in it, each from beginning
to end. Frozen data and nothing else; `fold.py` makes it of the journal's events.

A face may be one that was never turned: `turned_only` (public.py) takes those out for a screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from controller.game.model.hand import Hand
from controller.game.model.names import Wager
from controller.game.model.round import Irregularity

Over: TypeAlias = Literal["mended", "signed", "decided", "void", "over"]
"""End of an irregularity: put right, signed as it lay, decided by a floorperson, with the void round; or it
was simply past."""


class Kind(StrEnum):
    """Kind of an entry; its words are `told` of the catalogue."""

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
    # what followed
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
    """`ms`: since the round's start, below zero before it. `who`: the badge or the dealer's number. `facts`:
    what the words want; whole cents, places, faces, names of the catalogue."""

    ms: int
    utc: str
    kind: Kind
    seat: int | None = None
    wager: Wager | None = None
    who: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """One irregularity from beginning to end. `came` and `went` as in `Entry.ms`; None where it came before
    the story, or stood when it ended. `facts`: what lay, what was due, what was read and said, the reason."""

    entry: Irregularity
    came: int | None = None
    went: int | None = None
    over: Over | None = None
    by: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A dealer and the times from when to when they dealt; None: before the story, or on after it."""

    number: str
    since: int | None
    until: int | None


@dataclass(frozen=True, slots=True)
class RoundTimeline:
    """A round that has ended: its record, and how it came about. `dealt`: places where a card lay; `shown`:
    those whose cards the rules had turned. `seen`: the faces that were on the screen, or that a person told
    the table."""

    record: Mapping[str, Any] = field(repr=False)
    started: str
    entries: tuple[Entry, ...]
    troubles: tuple[Trouble, ...]
    dealers: tuple[Dealt, ...]
    hands: Mapping[int, Mapping[Wager, Hand]] = field(repr=False)
    dealt: frozenset[str]
    shown: frozenset[str]
    seen: frozenset[str] = field(repr=False)
    zone: str = ""
    """The table's own time zone; empty where the table file names none."""
