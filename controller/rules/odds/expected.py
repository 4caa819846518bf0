"""Expected win of the house in a round, given the wagers as laid and decided, and the variance of its luck.

`expected_of_round` uses every card of the round. A seat's expectation is the value of a round at the best
play, minus the cost of each of its decisions. The rest of its result is the luck of the cards, which is zero
on average for any player who knows nothing hidden. Seats share the cross: the Down pair and the middle card
are enumerated for all seats together. The earlier luck that seats share is not enumerated: its value in this
round is used, which is right on average.

`expected_when_laid` uses only public cards: the value of the wagers when the last of them was laid, before
the middle card. A fold costs the wagers laid, and no folded hand is used. Earlier luck cannot be computed
without folded hands: no estimate from public facts is zero on average for every way in which players may
fold.

Neither function may guess a value that it cannot compute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias, TypedDict

from controller.game.model.cards import DECK, Card
from controller.game.model.names import ANTES, BETS, COLUMN, ROW, Place, Wager
from controller.game.model.record import RoundRecord, SeatRecord
from controller.game.model.side_bets import COMMUNITY_BETS, SIDE_BETS
from controller.rules.odds.cards import NUMBER, kind_of
from controller.rules.odds.counts import Worth
from controller.rules.odds.luck import (
    NO_LUCK,
    BetsInAntes,
    CardPair,
    Continuation,
    continuation,
    cross_continuation,
    cross_results_by_middle,
    middle_luck,
    results_by_middle,
)
from controller.rules.odds.odds_files import CountedOdds
from controller.rules.odds.pack import Odds

Why: TypeAlias = Literal["by_hand", "cards", "forfeited", "multiple", "wagers"]
"""Reason why a round is not computed. `by_hand`: dealt by hand, so the faces of folded cards are unknown;
`cards`: a card was not read; `forfeited`: a floorperson took wagers of a seat; `multiple`: an Across bet is
not a whole multiple of the ante; `wagers`: the wagers are impossible.
"""
OPEN_PAIRS = (
    tuple(place for place in ROW if place is not Place.MIDDLE),
    tuple(place for place in COLUMN if place is not Place.MIDDLE),
)


class PublicRound(TypedDict):
    """Fields of a record, complete or public, that `expected_when_laid` needs."""

    cross: dict[str, Card | None]
    seats: list[SeatRecord]


class NotComputable(Exception):
    """Raised if a round is not computed; `why` is the reason."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected win of the house in one round, in cents. `luck`: actual win minus the expected one.
    `variance`: variance of that luck in squared cents, right on average over many rounds, and possibly
    negative in one.
    """

    win: float
    luck: float
    variance: float


@dataclass(frozen=True)
class PackFigures:
    """Odds and counts of a pack, with the figures derived from them."""

    odds: Odds
    known: CountedOdds

    @cached_property
    def value(self) -> float:
        """Return the value of a round at the best play, in antes."""
        return sum(hole.count * float(hole.expectation) for hole in self.known.counts.holes) / 1326

    @cached_property
    def spread(self) -> float:
        """Return the variance of the value of a hole, in squared antes."""
        squares = (
            hole.count * (float(hole.expectation) - self.value) ** 2 for hole in self.known.counts.holes
        )
        return sum(squares) / 1326

    @cached_property
    def holes(self) -> Mapping[str, tuple[float, Mapping[int, Worth]]]:
        """Return the value of each kind of hole, and its value after each Across bet."""
        return {hole.name: (float(hole.expectation), hole.worth) for hole in self.known.counts.holes}

    def side_bet(self, wager: Wager) -> tuple[float, float]:
        """Return mean and variance of one unit of a side bet."""
        pays, hands = dict(self.odds.side_bets)[wager], self.known.hands[wager]
        mean = sum(p * n for p, n in zip(pays, hands, strict=True)) / sum(hands)
        return mean, sum((p - mean) ** 2 * n for p, n in zip(pays, hands, strict=True)) / sum(hands)


@dataclass(frozen=True, slots=True)
class WagerPart:
    """Part of a round: one seat's base game, or one side bet of all seats. `expected`: expected win of the
    player, in cents. `first`: luck until the Across pair is turned, in cents. `variance`: variance of
    `first`; 0 for a side bet on the cross. `rest`: course of the later stages, in units of `unit` cents.
    """

    unit: float
    expected: float
    first: float
    variance: float
    rest: Continuation | None


def expected_of_round(figures: PackFigures, record: RoundRecord) -> Expected:
    """Return the expected win of a settled round from all its cards. Raises NotComputable, with the reason,
    if it cannot be computed.
    """
    if record["method"] == "hand":
        raise NotComputable("by_hand")
    table = _Table(record, record["seats"])
    parts = [_seat(figures, table, seat) for seat in record["seats"]]
    parts += _on_the_cross(figures, table, record)
    return _together(record, table, parts, _by_mean(figures, record))


def expected_when_laid(figures: PackFigures, record: PublicRound) -> Expected:
    """Return the expected win of a settled round from its public cards, with side bets on a seat's own cards
    at their average. Raises NotComputable if it cannot be computed, or if the record, which may come from
    another machine, is contradictory.
    """
    _check(figures, record)
    table = _Table(record, [seat for seat in record["seats"] if seat["folded_at"] is None])
    parts = [_seat_when_laid(figures, table, seat) for seat in record["seats"]]
    parts += _on_the_cross_when_laid(figures, table, record)
    return _together(record, table, parts, _by_mean(figures, record))


def _check(figures: PackFigures, record: PublicRound) -> None:
    """Check that no card occurs twice, that the pack offers all wagers, and that all are settled. Raises
    NotComputable.
    """
    known = {*ANTES, *BETS, *dict(figures.odds.side_bets)}
    for seat in record["seats"]:
        done = all(name in known and each["result"] != "returned" for name, each in seat["wagers"].items())
        if not done or seat["folded_at"] not in (None, *BETS):
            raise NotComputable("wagers")
    shown = [card for seat in record["seats"] for card in seat["cards"] if card]
    faces = [*shown, *(card for card in record["cross"].values() if card)]
    if len(set(faces)) < len(faces):
        raise NotComputable("cards")


def _together(record: PublicRound, table: _Table, parts: Sequence[WagerPart], own: WagerPart) -> Expected:
    luck = sum(_came(part) for part in parts) + own.first
    worth = sum(part.expected for part in parts) + own.expected
    return Expected(-worth + _cut(record), -luck, _variance(table, parts, own))


def _cut(record: PublicRound) -> int:
    """Return the cents that players did not receive because of a payout limit. The house expects them, so
    they are not luck."""
    return sum(w["uncut"] - w["payout"] for seat in record["seats"] for w in seat["wagers"].values())


def _came(part: WagerPart) -> float:
    after = part.rest
    return part.first + (part.unit * (after.pair.came + after.middle.came) if after else 0.0)


class _Table:
    """Cards of a round as the computation needs them. `seats`: seats whose cards are known. Raises
    NotComputable if a card that is needed is missing."""

    def __init__(self, record: PublicRound, seats: Sequence[SeatRecord]) -> None:
        self._record = record
        self.held = {card for seat in seats for card in self.hole(seat)}

    def hole(self, seat: SeatRecord) -> CardPair:
        return _pair(seat["cards"])

    @cached_property
    def cross(self) -> tuple[CardPair, CardPair]:
        across, down = (
            _pair([self._record["cross"].get(place) for place in places]) for places in OPEN_PAIRS
        )
        return across, down

    @property
    def middle(self) -> Card:
        card = self._record["cross"].get(Place.MIDDLE)
        if card is None:
            raise NotComputable("cards")
        return card

    def live(self, hole: Sequence[Card] = ()) -> list[Card]:
        """Return every card of the deck except `hole` and the Across pair."""
        gone = {*hole, *self.cross[0]}
        return [card for card in DECK if card not in gone]


def _pair(cards: Sequence[Card | None]) -> CardPair:
    known = sorted((card for card in cards if card is not None), key=NUMBER.__getitem__)
    if len(known) != 2:
        raise NotComputable("cards")
    return known[0], known[1]


# ---------------------------------------------------------------------- parts of a round


def _seat(figures: PackFigures, table: _Table, seat: SeatRecord) -> WagerPart:
    hole, ante, bets = table.hole(seat), *_bets(seat)
    best, worths = figures.holes[kind_of((NUMBER[hole[0]], NUMBER[hole[1]]))]
    first, variance = ante * (best - figures.value), ante**2 * figures.spread
    if not bets.across:
        return WagerPart(ante, ante * (figures.value - best - 2), first, variance, None)
    worth = worths.get(int(bets.across)) if bets.across == int(bets.across) else None
    if worth is None:
        raise NotComputable("multiple")
    after = continuation(figures.odds, hole, table.cross, table.middle, table.live(hole), bets)
    cost = best - float(worth.expectation) + after.cost
    first += ante * (after.worth - float(worth.expectation))
    variance += ante**2 * float(worth.variance)
    return WagerPart(ante, ante * (figures.value - cost), first, variance, after)


def _bets(seat: SeatRecord) -> tuple[int, BetsInAntes]:
    """Return the ante in cents, and the three bets in antes."""
    if seat["forfeited"] is not None:
        raise NotComputable("forfeited")
    amounts = {name: wager["amount"] for name, wager in seat["wagers"].items()}
    ante = amounts.get(ANTES[0], 0)
    laid = [amounts.get(wager, 0) for wager in BETS]
    if not ante or amounts.get(ANTES[1]) != ante or sum(map(bool, laid)) != _decided(seat):
        raise NotComputable("wagers")
    return ante, BetsInAntes(*(amount / ante for amount in laid))


def _decided(seat: SeatRecord) -> int:
    """Return the number of bets made before the seat folded: 0 to 2, or 3 if it did not fold."""
    at = seat["folded_at"]
    return len(BETS) if at is None else [str(wager) for wager in BETS].index(at)


def _seat_when_laid(figures: PackFigures, table: _Table, seat: SeatRecord) -> WagerPart:
    """Return the part of one seat without side bets, as expected when the last wager was laid. A folded seat
    has lost its wagers."""
    ante, bets = _bets(seat)
    if not bets.middle:
        return WagerPart(ante, -ante * (len(ANTES) + bets.across + bets.down), 0.0, 0.0, None)
    hole = table.hole(seat)
    every = results_by_middle(figures.odds, hole, table.cross, table.live(hole), bets)
    mean, luck = middle_luck(every, table.middle)
    return WagerPart(ante, ante * mean, 0.0, 0.0, Continuation(mean, 0.0, NO_LUCK, luck))


def _on_the_cross_when_laid(figures: PackFigures, table: _Table, record: PublicRound) -> Iterator[WagerPart]:
    for wager, laid in _laid_on_the_cross(record):
        pays = dict(figures.odds.side_bets)[wager]
        mean, luck = middle_luck(cross_results_by_middle(pays, table.cross, table.live()), table.middle)
        yield WagerPart(laid, laid * mean, 0.0, 0.0, Continuation(mean, 0.0, NO_LUCK, luck))


def _on_the_cross(figures: PackFigures, table: _Table, record: RoundRecord) -> Iterator[WagerPart]:
    """Yield a part for each side bet that the five cards of the cross decide."""
    for wager, laid in _laid_on_the_cross(record):
        mean, _ = figures.side_bet(wager)
        after = cross_continuation(
            dict(figures.odds.side_bets)[wager], table.cross, table.middle, table.live()
        )
        yield WagerPart(laid, laid * mean, laid * (after.worth - mean), 0.0, after)


def _laid_on_the_cross(record: PublicRound) -> Iterator[tuple[Wager, int]]:
    """Yield each side bet on the cross that a seat made, with the cents of all seats."""
    for wager in SIDE_BETS:
        laid = sum(amount for _, amount in _laid(record, wager)) if wager in COMMUNITY_BETS else 0
        if laid:
            yield wager, laid


def _by_mean(figures: PackFigures, record: PublicRound) -> WagerPart:
    """Return all side bets on seats' own cards as one part, by mean and variance.

    The luck that they share with each other and with the base game is not enumerated; its value in this round
    is used.
    """
    found = WagerPart(1, 0.0, 0.0, 0.0, None)
    for wager in SIDE_BETS:
        laid = list(_laid(record, wager)) if wager not in COMMUNITY_BETS else []
        if laid:
            mean, variance = figures.side_bet(wager)
            lucks = [came - amount * mean for came, amount in laid]
            own = sum(amount**2 * variance for _, amount in laid) - sum(luck**2 for luck in lucks)
            found = replace(
                found,
                expected=found.expected + mean * sum(amount for _, amount in laid),
                first=found.first + sum(lucks),
                variance=found.variance + own,
            )
    return found


def _laid(record: PublicRound, wager: Wager) -> Iterator[tuple[int, int]]:
    """Yield, for each seat with the wager, its result without a payout limit and its amount, in cents."""
    for seat in record["seats"]:
        if found := seat["wagers"].get(wager):
            lost = found["result"] in ("lose", "forfeit")
            yield -found["amount"] if lost else found["uncut"], found["amount"]


def _variance(table: _Table, parts: Sequence[WagerPart], own: WagerPart) -> float:
    """Return the variance of the luck in squared cents. Until the Across pair is turned it is each seat's own
    variance, plus the products of the luck that seats and bonuses share in this round. After that it is
    exact: over all cards that could still come, except the known holes, with the covariance of their mean and
    the earlier luck.
    """
    before = sum(part.first for part in parts)
    found = before**2 + sum(part.variance - part.first**2 for part in parts if part.variance)
    after = [part for part in parts if part.rest]
    if after:
        found += _stage(before, _pairs(table, after))
        before += sum(part.unit * part.rest.pair.came for part in after if part.rest)
        found += _stage(before, _middles(table, after))
        before += sum(part.unit * part.rest.middle.came for part in after if part.rest)
    return found + own.variance + own.first**2 + 2 * own.first * before


def _stage(before: float, came: Sequence[float]) -> float:
    if not came:
        return 0.0
    mean = sum(came) / len(came)
    return sum(luck * luck for luck in came) / len(came) + 2 * mean * before


def _pairs(table: _Table, parts: Sequence[WagerPart]) -> list[float]:
    """Return for each possible Down pair the luck that it would bring to all parts together. No pair contains
    a card of a known hole."""
    left = [card for card in table.live() if card not in table.held]
    lucks = [(part.unit, part.rest.pair.pairs) for part in parts if part.rest and part.rest.pair.pairs]
    if not lucks:
        return []
    return [sum(unit * luck[pair] for unit, luck in lucks) for pair in combinations(left, 2)]


def _middles(table: _Table, parts: Sequence[WagerPart]) -> list[float]:
    left = [card for card in table.live() if card not in table.held and card not in table.cross[1]]
    lucks = [
        (part.unit, part.rest.middle.middles) for part in parts if part.rest and part.rest.middle.middles
    ]
    return [sum(unit * luck[card] for unit, luck in lucks) for card in left]
