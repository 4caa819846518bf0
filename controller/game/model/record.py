"""The fields of a round record (controller/COMMANDS.md) and of a correction of it, JSON-able.

`phases/record.py` fills them in. A record may hold faces that were never turned: it goes to the journal and
to those who reconstruct a hand, and never to a screen as it is.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from controller.game.model.cards import Card
from controller.game.model.irregularities import Code

DealerTurn = TypedDict("DealerTurn", {"number": str, "from": str})
"""A dealer, and since when."""


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
    """`settled`: what became of wagers settled before, where a floorperson could choose."""

    phase: str
    code: Code
    settled: NotRequired[SettledPartRecord]


class WagerRecord(TypedDict):
    """Money in whole cents; `uncut`: the payout before the limit."""

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
    """The fields that every reader of records knows."""

    code: Code
    phase: str
    seat: int | None
    wager: str | None
    citation: str
    resolved: bool
    reason: NotRequired[str]


class NamedIrregularity(IrregularityRecord):
    """`name`: finer than the code (`naming.py`), where the table gave it one."""

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
"""`cents`: what the player has beyond the record's settlement, negative if they have less. `with`: who has
it."""


class NamedCorrection(Correction):
    """`name`: as in `NamedIrregularity`."""

    name: NotRequired[str]


class Head(TypedDict):
    """Which round it was, under which rules, and how it ended."""

    type: Literal["round"]
    table: str
    round: int
    rules: str
    rules_digest: str
    settings_digest: NotRequired[str]
    """Over all that the table played by (controller/table/engine/digests.py); a journal of before knows
    none."""
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
    """An amount that a dealer entered, that no reader read afterwards and no floorperson signed. Cents."""

    seat: int
    wager: str
    amount: int


class RoundRecord(Head, Cards):
    seats: list[SeatRecord]
    settlement_order: list[list[int | str]]
    """[seat, wager] as the dealer was told to settle."""
    irregularities: list[NamedIrregularity]
    corrections: list[Correction]
    unsigned: NotRequired[list[UnsignedRecord]]
