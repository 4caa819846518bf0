"""Fields of a round record (controller/COMMANDS.md) and of its corrections, ready for JSON.

`phases/record.py` fills them in. A record may hold faces that were never turned: it goes to the journal and
to people who reconstruct a hand, and must never go to a screen unfiltered.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from controller.game.model.cards import Card
from controller.game.model.irregularities import Code

DealerTurn = TypedDict("DealerTurn", {"number": str, "from": str})
"""Number of a dealer, and the time from which they dealt."""


class DeckRecord(TypedDict):
    back: str | None
    after: Literal["removed", "reshuffled"]


class StubRecord(TypedDict):
    expected: int | None
    shoe: int | None
    counted: int | None


class VoidRecord(TypedDict):
    code: Code
    citation: str
    approved_by: str


class SettledPartRecord(TypedDict):
    does: Literal["kept", "taken"]
    citation: str
    approved_by: str


class ForfeitRecord(TypedDict):
    """Forfeit of a hand. `settled`: decision on wagers settled before, if a floorperson could choose."""

    phase: str
    code: Code
    settled: NotRequired[SettledPartRecord]


class WagerRecord(TypedDict):
    """One wager. Money in whole cents; `uncut`: payout before the limit."""

    amount: int
    result: Literal["returned", "forfeit", "lose", "push", "win"]
    odds: int | None
    payout: int
    uncut: int
    verified: bool


class SeatRecord(TypedDict):
    seat: int
    player: str
    cards: list[Card | None]
    folded_at: str | None
    forfeited: ForfeitRecord | None
    hands: dict[str, str | None]
    wagers: dict[str, WagerRecord]
    paid: int
    taken: int


class IrregularityRecord(TypedDict):
    """Fields of an irregularity that every reader of records accepts."""

    code: Code
    phase: str
    seat: int | None
    wager: str | None
    citation: str
    resolved: bool
    reason: NotRequired[str]


class NamedIrregularity(IrregularityRecord):
    """Irregularity with its `name`, finer than the code (`naming.py`), if the table gave it one."""

    name: NotRequired[str]


Correction = TypedDict(
    "Correction",
    {
        "code": Code | Literal["mispaid"],
        "seat": int,
        "wager": str,
        "cents": int,
        "with": Literal["player", "house"] | None,
        "who": str,
        "when": str,
        "why": str,
    },
)
"""Correction of a record. `cents`: amount that the player has beyond the record's settlement, negative if
less. `with`: holder of that amount."""


class NamedCorrection(Correction):
    """Correction with its `name`, as in `NamedIrregularity`."""

    name: NotRequired[str]


class Head(TypedDict):
    """Number of the round, its rules and its ending."""

    type: Literal["round"]
    table: str
    round: int
    rules: str
    rules_digest: str
    settings_digest: NotRequired[str]
    """Digest over all inputs of the table (controller/table/engine/digests.py); absent in older journals."""
    method: str
    dealer: str | None
    dealers: list[DealerTurn]
    started: str
    ended: str
    deck: DeckRecord
    stub: StubRecord
    outcome: Literal["void", "settled"]
    void: VoidRecord | None


class Cards(TypedDict):
    """Every card that left the shoe for a place, turned or not."""

    cross: dict[str, Card | None]
    bonus_cards: list[Card | None] | None
    set_aside: list[Card | None]


class UnsignedRecord(TypedDict):
    """Amount in cents that a dealer entered, that no reader read later and no floorperson signed."""

    seat: int
    wager: str
    amount: int


class RoundRecord(Head, Cards):
    seats: list[SeatRecord]
    settlement_order: list[list[int | str]]
    """Pairs [seat, wager] in the order in which the dealer was prompted to settle."""
    irregularities: list[NamedIrregularity]
    corrections: list[Correction]
    unsigned: NotRequired[list[UnsignedRecord]]
