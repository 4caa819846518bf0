"""Fields of a round record (controller/COMMANDS.md) and of its corrections, ready for JSON.

Only `round_record`, `seat_record` and `wager_record` assemble them: for the table (`phases/record.py`), the
simulation in volume and the recall of a round in progress. A record may contain faces that were never turned:
it goes to the journal and to people who reconstruct a hand, and must never go to a screen unfiltered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from controller.game.model.cards import Card
from controller.game.model.hand import Hand
from controller.game.model.irregularities import Code
from controller.game.model.names import Wager
from controller.game.model.plan import Item, Step
from controller.game.model.side_bets import BONUSES

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


WagerResult: TypeAlias = Literal["returned", "forfeit", "lose", "push", "win"]


class WagerRecord(TypedDict):
    """One wager. Money in whole cents; `uncut`: payout before the limit."""

    amount: int
    result: WagerResult
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
    """Irregularity with its `name`, more specific than the code (`naming.py`), if the table gave it one.
    `before_turn`: True if it was raised before the turn of its seat to decide, else absent."""

    name: NotRequired[str]
    before_turn: NotRequired[bool]


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
    """First part of a round record: table, number of the round, rules, dealers, and how the round ended."""

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
    """Amount in cents that a dealer entered by hand, that no reader confirmed later and no floorperson
    signed.
    """

    seat: int
    wager: str
    amount: int


ChipMovementRecord = TypedDict(
    "ChipMovementRecord",
    {
        "code": Literal["chips_exchanged", "chips_moved"],
        "phase": str,
        "seat": int,
        "wager": str,
        "at": str,
        "in": list[int],
        "out": NotRequired[list[int]],
        "from": NotRequired[list[int | str]],
    },
)
"""Chips in cents that came into a circle: for those in `out`, or from the circle `from` ([seat, wager])."""


class RoundRecord(Head, Cards):
    seats: list[SeatRecord]
    settlement_order: list[list[int | str]]
    """Seat and wager of each settlement step, in the order in which the dealer was prompted to settle
    them."""
    irregularities: list[NamedIrregularity]
    corrections: list[NamedCorrection]
    unsigned: NotRequired[list[UnsignedRecord]]
    stacks: NotRequired[dict[str, dict[str, list[list[int]]]]]
    """Chips of each wager by seat and wager: cents in order of arrival, one list for each reading."""
    entered_faces: NotRequired[list[str]]
    """Places of a deal from the shoe whose faces a person entered, because the shoe did not read them."""
    chip_movements: NotRequired[list[ChipMovementRecord]]


HAND_OF = {
    Wager.ANTE_ACROSS: "across", Wager.ACROSS: "across", Wager.ANTE_DOWN: "down", Wager.DOWN: "down",
    **{wager: wager.value for wager in BONUSES},
}  # fmt: skip
"""Name of the hand of each wager; Middle uses the higher of two hands that are named already."""


def wager_record(
    amount: int,
    result: WagerResult = "returned",
    *,
    odds: int | None = None,
    payout: int = 0,
    uncut: int = 0,
    verified: bool,
) -> WagerRecord:
    return {
        "amount": amount, "result": result, "odds": odds, "payout": payout, "uncut": uncut,
        "verified": verified,
    }  # fmt: skip


def seat_record(
    seat: int,
    player: str,
    cards: list[Card | None],
    folded_at: str | None,
    wagers: Mapping[Wager, WagerRecord],
    made: Mapping[Wager, Hand],
    forfeited: ForfeitRecord | None = None,
) -> SeatRecord:
    """Return the part of a record about one seat, with the sums of its wagers. `player`: the patron's number;
    `folded_at`: the bet at which the seat folded, or None; `made`: the hand on which each wager was
    settled."""
    texts: dict[str, str | None] = dict.fromkeys(HAND_OF.values())
    named = {wager.value: wagers[wager] for wager in Wager if wager in wagers}
    return {
        "seat": seat,
        "player": player,
        "cards": cards,
        "folded_at": folded_at,
        "forfeited": forfeited,
        "hands": texts | {HAND_OF[wager]: hand.text for wager, hand in made.items() if wager in HAND_OF},
        "wagers": named,
        "paid": sum(entry["payout"] for entry in named.values()),
        "taken": sum(e["amount"] for e in named.values() if e["result"] in ("lose", "forfeit")),
    }


def round_record(
    head: Head,
    cards: Cards,
    seats: list[SeatRecord],
    items: Iterable[Item] = (),
    irregularities: list[NamedIrregularity] | None = None,
    corrections: list[NamedCorrection] | None = None,
    unsigned: Iterable[tuple[int, Wager, int]] = (),
) -> RoundRecord:
    """Return the record of a round. `items`: the settlement in the dealer's order, () in a void round.
    `unsigned`: seat, wager and cents of each amount that was entered by hand and that no floorperson
    signed."""
    record: RoundRecord = {
        **head,
        **cards,  # type: ignore[typeddict-item]  # neither part has `unsigned`
        "seats": seats,
        "settlement_order": [[item.seat, item.wager.value] for item in items if isinstance(item, Step)],
        "irregularities": irregularities or [],
        "corrections": corrections or [],
    }
    left = [UnsignedRecord(seat=seat, wager=wager.value, amount=cents) for seat, wager, cents in unsigned]
    if left:
        record["unsigned"] = left
    return record


def record_subject(record: Mapping[str, Any]) -> str:
    """Return the subject of a closed round: its number and its number of corrections."""
    return f"record {record['round']}.{len(record.get('corrections', ()))}"
