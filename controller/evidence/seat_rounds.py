"""Decisions of the seats in round records, and the sittings that they make up.

A round gives no evidence if it was void, if a card of the cross is unknown, or if one was exposed too early.
It gives none either if a hand is unknown, as after a fold when the cards are dealt by hand: such cards are
not random, so the middle card would not be uniform over the remaining ones. A seat gives none if it forfeited
before a decision. All of this is known before the middle card is turned, except that the round is void
(controller/evidence/EVIDENCE.md). Evidence about other cards needs a round whose cards the shoe read,
including those of players who fold later. Seats decide in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from controller.evidence.early_wagers import EarlyRound
from controller.evidence.factor import Pair, SeatRound
from controller.evidence.known_middle import CardNumbers
from controller.evidence.late_chips import LateChips, late_decisions
from controller.evidence.other_hands import HandsAfter
from controller.game.model.irregularities import OF_PLAYER, Code
from controller.game.model.names import BETS, COLUMN, ROW, SEATS, Method, Phase, Place, Wager
from controller.game.model.record import RoundRecord, SeatRecord
from controller.game.model.side_bets import BONUSES, SIDE_BETS
from controller.game.rulebook.hands import best_of
from controller.rules.odds.cards import DECK_SIZE, NUMBER

MAX_MISSED = 3
"""Maximum number of rounds that a player may sit out before the sitting ends."""
OPEN_TO_SIGHT = frozenset({
    Code.COMMUNITY_EXPOSED, Code.FACE_SEEN, Code.CARD_FACE_UP, Code.CARD_DIFFERS, Code.DUPLICATE_CARD,
})  # fmt: skip
"""Irregularities after which a player may lawfully know a card of the cross, or the record may be wrong."""
_PAIRS = tuple(tuple(place for place in line if place is not Place.MIDDLE) for line in (ROW, COLUMN))


UNREAD = frozenset({Code.SHOE_LOST, Code.SHOE_FAULT, Code.DRAWN_IN_ERROR, Code.WRONG_COUNT})
"""Irregularities after which the shoe may not have read some card. The field `entered_faces` of a record
names cards that were entered by hand."""
FIRST_PHASES = (Phase.DEALING, Phase.ACROSS)
"""Phases in which the hands are dealt and the first decisions are made."""
DISTURBING = frozenset({Code.HOLE_EXPOSED, Code.BET_OUT_OF_TURN, Code.BET_CHANGED, Code.LATE_BET, *OF_PLAYER})
"""Irregularities by which a seat may reveal something about its hand before its turn."""


@dataclass(frozen=True, slots=True, repr=False)
class ShoeRounds:
    """A round whose cards the shoe read, all of them. Its repr shows no card.

    `cross`: card numbers by place. `seats`: seats that made a decision, with all bets that they laid, also if
    they forfeited later. `early`, `late`: wagers before the deal and chips added late, by seat. `after`: for
    each seat that decides before another patron, the hands of the patrons who decide after it.
    """

    cross: dict[str, int]
    seats: Mapping[int, SeatRound]
    early: Mapping[int, EarlyRound]
    late: Mapping[int, LateChips]
    after: Mapping[int, HandsAfter]


def seat_rounds(record: RoundRecord) -> Mapping[int, SeatRound]:
    """Return the decisions by seat for the hypothesis on the middle card. A seat that gives no evidence is
    left out."""
    known = all(len(_held(seat)) == 2 for seat in record["seats"]) and all(record["set_aside"])
    if not _fair(record) or not known:
        return {}
    cross, dealt = _cross(record), _dealt(record)
    if len(cross) < len(record["cross"]) or cross[Place.MIDDLE] in dealt:
        return {}
    return {
        seat["seat"]: _seat_round(seat, cross, dealt, bets)
        for seat in record["seats"]
        if (bets := _laid(seat)) and (len(bets) == len(BETS) or not bets[-1])
    }


def shoe_rounds(record: RoundRecord, adjacent_boxes: int | None = None) -> ShoeRounds | None:
    """Return the data of a round whose cards the shoe read, or None for any other round.

    The cards of players who fold late must be known too: otherwise the set of known cards would depend on the
    cards turned before the fold. `adjacent_boxes`: number of boxes that one patron may play, or None if the
    rules set none.
    """
    if not _fair(record) or not is_read_by_shoe(record):
        return None
    cross, dealt = _cross(record), _dealt(record)
    faces = [*(card for seat in record["seats"] for card in seat["cards"]), *record["cross"].values()]
    whole = all(faces) and all(len(seat["cards"]) == 2 for seat in record["seats"])
    many = len(cross) + len(dealt)
    extra = [*(record["bonus_cards"] or ()), *record["set_aside"]]
    if not whole or not all(extra) or many < len(faces) + len(extra) or dealt & {*cross.values()}:
        return None
    seats = {
        seat["seat"]: _seat_round(seat, cross, dealt, bets)
        for seat in record["seats"]
        if (bets := _laid(seat))
    }
    early = {seat["seat"]: _early(record, seat, {*cross.values(), *dealt}) for seat in record["seats"]}
    late = {
        each["seat"]: LateChips(_seat_round(each, cross, dealt, ()), before)
        for each in record["seats"]
        if (before := tuple(late_decisions(record, each)))
    }
    found = {seat: each for seat, each in early.items() if each is not None}
    after = _hands_after(record, seats, {*cross.values(), *dealt}, adjacent_boxes)
    return ShoeRounds(cross, seats, found, late, after)


def is_read_by_shoe(record: RoundRecord) -> bool:
    """Return whether the shoe read all cards of a round, as far as the record marks any that it did not."""
    unread = any(each["code"] in UNREAD for each in record["irregularities"])
    return record["method"] != Method.HAND and not record.get("entered_faces") and not unread


def _fair(record: RoundRecord) -> bool:
    seen = any(each["code"] in OPEN_TO_SIGHT for each in record["irregularities"])
    return record["outcome"] != "void" and not seen


def _cross(record: RoundRecord) -> dict[str, int]:
    return {place: NUMBER[card] for place, card in record["cross"].items() if card}


def _dealt(record: RoundRecord) -> frozenset[int]:
    """Return the known faces that were dealt outside the cross."""
    held = [card for seat in record["seats"] for card in seat["cards"]]
    faces = [*held, *(record["bonus_cards"] or ()), *record["set_aside"]]
    return frozenset(NUMBER[card] for card in faces if card)


def _held(seat: SeatRecord) -> list[int]:
    return [NUMBER[card] for card in seat["cards"] if card]


def _seat_round(
    seat: SeatRecord, cross: Mapping[str, int], dealt: frozenset[int], bets: tuple[float, ...]
) -> SeatRound:
    lines = ([cross[at] for at in pair] for pair in _PAIRS)
    hole, across, down = (_pair(two) for two in (_held(seat), *lines))
    return SeatRound(hole, across, down, cross[Place.MIDDLE], dealt - {*hole}, bets)


def _pair(two: Sequence[int]) -> Pair:
    """Return two cards as a tuple, the lower number first."""
    return min(two), max(two)


def _bets(seat: SeatRecord) -> Iterator[float]:
    """Yield the antes bet at each decision, up to the first wager without chips, which is 0."""
    ante = seat["wagers"].get(Wager.ANTE_ACROSS)
    if ante is None or not ante["amount"]:
        return
    for wager in BETS:
        laid = seat["wagers"].get(wager)
        yield laid["amount"] / ante["amount"] if laid else 0.0
        if laid is None:
            return


def _laid(seat: SeatRecord) -> tuple[float, ...]:
    """Return the antes bet at each decision. A fold is 0 and the last entry. A forfeit has no such entry,
    since the player did not decide to fold."""
    bets = tuple(_bets(seat))
    return bets if seat["forfeited"] is None or seat["folded_at"] else tuple(bet for bet in bets if bet)


def _hands_after(
    record: RoundRecord, seats: Mapping[int, SeatRound], dealt: set[int], adjacent_boxes: int | None
) -> dict[int, HandsAfter]:
    """Return the hands of other seats, for each seat that decides before another patron. A patron who plays
    several boxes lawfully knows all of their hands, so these are not tested."""
    hands = {each["seat"]: _pair(_held(each)) for each in record["seats"]}
    players = {each["seat"]: each["player"] for each in record["seats"]}
    free, ordered, found = frozenset(range(DECK_SIZE)) - dealt, _is_ordered(record), {}
    for seat, own in seats.items():
        own_boxes = own_boxes_after(seat, players, adjacent_boxes)
        later = {at: hands[at] for at in hands if at > seat and at not in own_boxes}
        known = frozenset(card for at, hand in hands.items() if at != seat for card in hand)
        if later:
            found[seat] = HandsAfter(own.hole, own.bets[0], later, known, free, ordered)
    return found


def own_boxes_after(seat: int, players: Mapping[int, str], adjacent_boxes: int | None) -> set[int]:
    """Return the later boxes that may belong to the patron of `seat`: those that a floorperson reported as
    this patron's, and, if neither box is in a report, the adjacent ones that one patron may play (58 Pa. Code
    § 674a.7(g)). A text that sets no number allows all boxes without a gap between them. `players`: marks of
    the record by seat."""
    found = {at for at in players if at > seat and players[at] == players[seat]}
    last = max(SEATS) if adjacent_boxes is None else seat + adjacent_boxes - 1
    at = seat
    while at <= last and at in players and not _is_reported(at, players):
        found |= {at} - {seat}
        at += 1
    return found


def _is_reported(seat: int, players: Mapping[int, str]) -> bool:
    """Return whether a floorperson reported the box as one of several of a patron."""
    own = players[seat]
    return own != str(seat) or any(at != seat and mark == own for at, mark in players.items())


def _is_ordered(record: RoundRecord) -> bool:
    """Return whether the seats made their first decisions in turn, and no hand was shown before its turn."""
    disturbed = any(
        each["code"] in DISTURBING and each["phase"] in FIRST_PHASES for each in record["irregularities"]
    )
    left = any(each["forfeited"] and each["forfeited"]["phase"] in FIRST_PHASES for each in record["seats"])
    return not disturbed and not left


def _early(record: RoundRecord, seat: SeatRecord, dealt: set[int]) -> EarlyRound | None:
    """Return the wagers before the deal; None for a seat without an ante."""
    wagers = {Wager(name): each["amount"] for name, each in seat["wagers"].items()}
    if not wagers.get(Wager.ANTE_ACROSS):
        return None
    hole = _pair(_held(seat))
    free = np.array(sorted({*range(DECK_SIZE)} - dealt | {*hole}))
    holes = free[_pairs_of(len(free))]
    at = int((holes == hole).all(axis=1).argmax())
    bonuses = {wager: wagers.get(wager, 0) for wager in BONUSES}
    return EarlyRound(wagers[Wager.ANTE_ACROSS], bonuses, _lines(record, seat), holes, at)


@cache
def _pairs_of(many: int) -> CardNumbers:
    """Return all pairs of the first `many` numbers, in their order."""
    return np.stack(np.triu_indices(many, 1), axis=1)


def _lines(record: RoundRecord, seat: SeatRecord) -> dict[Wager, str | None]:
    """Return the pay table line of the hand that decides each bonus whose cards were dealt."""
    cards = {"cross": [*record["cross"].values()], "own": seat["cards"], "bonus_cards": record["bonus_cards"]}
    found = {}
    for wager, bet in SIDE_BETS.items():
        parts = [cards[part] for part in cards if getattr(bet, part)]
        if all(parts):
            hand = best_of([card for part in parts for card in part or () if card])
            found[wager] = hand.line
    return found
