"""Independent computation of the evidence on other hands: `knows_one_hand`, `knows_other_hands`.

Written only from controller/evidence/EVIDENCE.md; it must never import controller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb, exp, log

from tests.evidence.independent.factors import AT, CARELESS, CHOICES, DECK, Decision, Record, Seat

SHARES, SHARPNESS, STEP = (0.25, 0.5, 1.0), 32.0, 0.01
SEATS = range(1, 7)
FIRST = {"dealing", "across"}
SHOWING = {
    "hole_exposed", "bet_out_of_turn", "bet_changed", "late_bet", "player_left", "players_conferred",
    "cards_touched", "out_of_view", "hand_left",
}  # fmt: skip


class Hands:
    """First decision of a seat, and the hands of the other seats. `plain`: values of the three choices
    without knowledge; `change`: amount that one known card in another hand adds to each value."""

    def __init__(self, seat: Seat) -> None:
        assert seat.hole
        self.seat, hole, record = seat, seat.hole, seat.record
        number = seat.seat["seat"]
        others = {each["seat"]: each for each in record["seats"] if each["seat"] != number}
        self.hands = {at: [AT[card] for card in each["cards"]] for at, each in others.items()}
        own = own_boxes(record, number, seat.pack["rules"]["adjacent_boxes"])
        self.later = [at for at in others if at > number and at not in own]
        gone = {*seat.cross.values()} | seat.dealt
        self.free = [card for card in range(52) if card not in gone]
        codes = {each["code"] for each in record["irregularities"] if each["phase"] in FIRST}
        left = {each["forfeited"]["phase"] for each in record["seats"] if each["forfeited"]}
        self.is_ordered = not codes & SHOWING and not left & FIRST
        known = seat.pack["holes"][" ".join(DECK[card] for card in hole.cards)]
        self.plain, self.change = [-2.0], [dict.fromkeys(hole.without(), 0.0)]
        for bet in range(2):
            across, down, middle = ({AT[c]: v[bet] for c, v in known[at].items()} for at in
                                    ("across", "down", "middle"))  # fmt: skip
            lying = {card: 2 * across[card] + 2 * down[card] + middle[card] for card in across}
            mean = sum(lying.values()) / 50
            self.plain.append(sum(across.values()) / 50)
            self.change.append({card: (mean - value) / 45 for card, value in lying.items()})
        self.bets = [0, hole.least, hole.most]

    def decision(self, weights: list[float], best: int, cards: int) -> Decision:
        return ("across", self.seat.bets[0], CHOICES[best], cards, weights)

    def one(self) -> tuple[list[Decision], dict[int, Decision]]:
        """Return the evidence that the seat knew one hand: the decision with the weights by seat and share,
        and the decision by seat of the known hand."""
        if not self.later or not self.seat.bets:
            return [], {}
        weights, named = {at: [0.0] * len(SHARES) for at in SEATS}, {}
        for at in self.later:
            weights[at] = self.weights(self.hands[at], [])
            pairs = comb(len(self.free) + 2, 2)
            named[at] = self.decision(weights[at], self.best(self.hands[at]), pairs)
        every = [each for at in SEATS for each in weights[at]]
        return [self.decision(every, 0, 0)], named

    def all(self) -> list[Decision]:
        if not self.later or not self.seat.bets:
            return []
        cards = [card for at in self.later for card in self.hands[at]]
        given = [card for at, hand in self.hands.items() if at not in self.later for card in hand]
        sets = comb(len(self.free) + len(cards), len(cards))
        return [self.decision(self.weights(cards, given), self.best([*cards, *given]), sets)]

    def best(self, cards: Sequence[int]) -> int:
        """Return the index of the best choice if these cards are known to be in other hands."""
        more = 49 / (50 - len(cards))
        values = [self.plain[d] + more * sum(self.change[d][card] for card in cards) for d in range(3)]
        return values.index(max(values))

    def weights(self, cards: list[int], given: list[int]) -> list[float]:
        """Return the logarithm of the factor by share. `cards`: cards whose knowledge is tested; `given`:
        cards that count as known in any case."""
        every = [self.factors(d, cards, given) for d in range(3)]
        bet, (_, least, most) = self.seat.bets[0], self.bets
        part = 0.0 if least == most else (bet - least) / (most - least)
        mixed = [(1 - part) * one + part * two for one, two in zip(every[1], every[2], strict=True)]
        made = mixed if bet else every[0]
        return [log(each) for each in (made if self.is_ordered else map(min, zip(*every, strict=True)))]

    def factors(self, d: int, cards: list[int], given: list[int]) -> list[float]:
        """Return the factor of choice `d` by share. Sets of cards that could be in these hands are counted by
        the sum of their steps, the rounded changes of the value."""
        other = max((e for e in range(3) if self.bets[e] != self.bets[d]), key=lambda e: self.plain[e])
        more = 49 / (50 - len(cards) - len(given))
        steps = {c: round((self.change[d][c] - self.change[other][c]) * more / STEP) for c in self.change[0]}
        counts: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in cards)]
        for card in [*self.free, *cards]:
            for size in range(len(cards), 0, -1):
                for total, many in counts[size - 1].items():
                    counts[size][total + steps[card]] += many
        lead, fixed = self.plain[d] - self.plain[other], sum(steps[card] for card in given)
        own = chosen(lead + STEP * (fixed + sum(steps[card] for card in cards)))
        sets = counts[-1]
        mean = sum(chosen(lead + STEP * (fixed + at)) * many for at, many in sets.items()) / sets.total()
        return [chance(lead, s, own) / chance(lead, s, mean) for s in SHARES]


def own_boxes(record: Record, number: int, most: int | None) -> set[int]:
    """Return the later boxes that the patron of box `number` may play: those with the same mark, and, if no
    report names the boxes, the next ones without a gap. `most`: number of boxes that one patron may play, or
    None for any."""
    marks = {each["seat"]: each["player"] for each in record["seats"]}
    counts = Counter(marks.values())
    free = [at for at, mark in marks.items() if mark == str(at) and counts[mark] == 1]
    run = [number]
    while number in free and run[-1] + 1 in free and (most is None or len(run) < most):
        run.append(run[-1] + 1)
    return {*run[1:]} | {at for at, mark in marks.items() if at > number and mark == marks[number]}


def chosen(lead: float) -> float:
    """Return the chance that a player with the knowledge chooses a bet that is better than its rival by
    `lead` antes."""
    return 1 / (1 + exp(-SHARPNESS * lead)) if lead > 0 else 1 - 1 / (1 + exp(SHARPNESS * lead))


def chance(lead: float, share: float, knowing: float) -> float:
    usual = 1.0 if lead >= 0 else 0.0
    return CARELESS / 2 + (1 - CARELESS) * ((1 - share) * usual + share * knowing)
