"""Decisions of the seats in round records, and the sittings that they make up.

A round gives no evidence if it was void, if a card of the cross is unknown, or if one was exposed too early.
A seat gives none if its own cards are unknown, as after a fold when the cards are dealt by hand. All of this
is known before the middle card is turned, except that the round is void (controller/evidence/EVIDENCE.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from controller.evidence.factor import Pair, SeatRound
from controller.game.model.irregularities import Code
from controller.game.model.names import BETS, COLUMN, ROW, Place, Wager
from controller.game.model.record import RoundRecord, SeatRecord
from controller.rules.odds.cards import NUMBER

MAX_MISSED = 3
"""Number of rounds that a player may sit out before the sitting ends."""
OPEN_TO_SIGHT = frozenset({
    Code.COMMUNITY_EXPOSED, Code.FACE_SEEN, Code.CARD_FACE_UP, Code.CARD_DIFFERS, Code.DUPLICATE_CARD,
})  # fmt: skip
"""Irregularities after which a player may lawfully know a card of the cross, or the record may be wrong."""
PAIRS = tuple(tuple(place for place in line if place is not Place.MIDDLE) for line in (ROW, COLUMN))


def seat_rounds(record: RoundRecord) -> Mapping[int, SeatRound]:
    """Return the decisions by seat; a seat without evidence is left out."""
    if record["outcome"] == "void" or any(each["code"] in OPEN_TO_SIGHT for each in record["irregularities"]):
        return {}
    cross = {place: NUMBER[card] for place, card in record["cross"].items() if card}
    if len(cross) < len(record["cross"]):
        return {}
    held = [card for seat in record["seats"] for card in seat["cards"]]
    faces = [*held, *(record["bonus_cards"] or ()), *record["set_aside"]]
    dealt = frozenset(NUMBER[card] for card in faces if card)
    found = {seat["seat"]: _seat_round(seat, cross, dealt) for seat in record["seats"]}
    return {seat: each for seat, each in found.items() if each is not None}


def _seat_round(seat: SeatRecord, cross: Mapping[str, int], dealt: frozenset[int]) -> SeatRound | None:
    held = [NUMBER[card] for card in seat["cards"] if card]
    bets = tuple(_bets(seat))
    if len(held) != 2 or not bets or seat["forfeited"] is not None or cross[Place.MIDDLE] in dealt:
        return None
    hole, across, down = (_pair(two) for two in (held, *([cross[at] for at in pair] for pair in PAIRS)))
    return SeatRound(hole, across, down, cross[Place.MIDDLE], dealt - {*hole}, bets)


def _pair(two: Sequence[int]) -> Pair:
    """Return two cards in the order of the deck."""
    return min(two), max(two)


def _bets(seat: SeatRecord) -> Iterator[float]:
    """Yield the antes bet at each decision; 0 for a fold, which is the last one."""
    ante = seat["wagers"].get(Wager.ANTE_ACROSS)
    if ante is None or not ante["amount"]:
        return
    for wager in BETS:
        laid = seat["wagers"].get(wager)
        yield laid["amount"] / ante["amount"] if laid else 0.0
        if laid is None:
            return
